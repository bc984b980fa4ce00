"""What is measured of each question by itself, beside EM, F1 and the ranking: one table of names and functions.

Every measure takes a prediction and returns a share from 0 to 1, or None where the data set cannot give it. Measures of
the answer score a failed or refused question 0; those of citations look at answered questions only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ..systems.protocols import RANKING_DEPTH
from .basic import best_over, exact_match, f1
from .citations import citation_precision, citation_recall, gold_cited, right_cited
from .predictions import Prediction
from .ranks import log_rank_index
from .rows import answer_accuracy, answer_coverage, information_recall, named_alike
from .similarity import is_accurate, perspective_coverage, word_coverage
from .snippets import snippet_precision_at, snippet_recall_at

__all__ = ["OF_ANSWERS", "OF_RETRIEVAL", "Measure", "answer_scores", "log_rank", "of_snippets", "retrieves"]

Measure = Callable[[Prediction], float | None]
SNIPPET_DEPTHS = (1, 2, 4, 8, 16)
_RETRIEVES_NOTHING = frozenset({"none"})
"""Systems that do not retrieve by what they are: how well they do it was not measured, and is not 0."""


def retrieves(row: Prediction) -> bool:
    """Whether the system looks for passages at all; one that finds none, or fails, does."""
    return row.system not in _RETRIEVES_NOTHING


def answer_scores(prediction: Prediction) -> tuple[float, float] | None:
    """EM and F1 of one question, 0 to 1; None where its answers are not known.

    A failed question scores 0, and so does an abstained one unless the data set says that the corpus holds no
    answer: then abstaining is what scores 1 (as in SQuAD 2.0).
    """
    gold = prediction.gold
    if gold is None:
        return None
    if prediction.status == "failed":
        return 0.0, 0.0
    if not gold:
        refused = float(prediction.status == "abstained")
        return refused, refused
    if prediction.status == "abstained":
        return 0.0, 0.0
    return best_over(exact_match, prediction.answer, gold), best_over(f1, prediction.answer, gold)


def _in_rows(row: Prediction, share: Callable[..., float | None]) -> float | None:
    return share(named_alike(row.rows or (), row.gold_rows), row.gold_rows)


def _in_words(row: Prediction, share: Callable[[str, str], float | None]) -> float | None:
    if not row.gold:
        return None
    if row.status != "answered":
        return 0.0
    return best_over(lambda answer, gold: share(answer, gold) or 0.0, row.answer, row.gold)


def _accurate(row: Prediction, threshold: float) -> float | None:
    return _in_words(row, lambda answer, gold: float(is_accurate(answer, gold, threshold)))


def _information(row: Prediction) -> float | None:
    if not retrieves(row):
        return None
    return information_recall(row.gold_rows, (f"{found.title} {found.text}" for found in row.passages))


def log_rank(row: Prediction, documents: int) -> float | None:
    """The Log-Rank Index of the gold passages among all documents of the corpus, 0 to 1.

    Rankings are cut to the depth that every system reaches: a loop ranks more, and would be ahead by that alone.
    """
    if not retrieves(row):
        return None
    ranked, gold = row.retrieved[:RANKING_DEPTH], tuple(dict.fromkeys(row.supporting))
    return log_rank_index(ranked, gold, max(documents, len(ranked), 1))


def of_snippets(texts: Mapping[str, str]) -> dict[str, Measure]:
    """Return the measures of gold characters; ``texts`` are the corpus records' by id."""
    shares = {"snippet_precision": snippet_precision_at, "snippet_recall": snippet_recall_at}
    return {
        f"{name}@{k}": partial(share, texts=texts, k=k) for name, share in shares.items() for k in SNIPPET_DEPTHS
    }


OF_RETRIEVAL: Mapping[str, Measure] = {"irr": _information}
OF_ANSWERS: Mapping[str, Measure] = {
    "aa": partial(_in_rows, share=answer_accuracy),
    "ac": partial(_in_rows, share=answer_coverage),
    "word_coverage": partial(_in_words, share=word_coverage),
    "acc@0.25": partial(_accurate, threshold=0.25),
    "acc@0.5": partial(_accurate, threshold=0.5),
    "perspectives": lambda row: perspective_coverage(row.answer, row.gold_perspectives),
    "citation_precision": citation_precision,
    "citation_recall": citation_recall,
    "citation_gold_precision": right_cited,
    "citation_gold_recall": gold_cited,
}
