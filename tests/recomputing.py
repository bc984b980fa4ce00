"""The figures of an evaluation worked out again from its saved predictions, in another way than the product does.

Only plain Python over the JSON lines: nothing is imported from the product. EM and F1 are the published scripts, as
they stand: SQuAD 1.1's ``evaluate-v1.1.py`` (normalisation, best over the gold answers) and HotpotQA's
``hotpot_evaluate_v1.py`` (F1 with yes, no and noanswer).
"""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

Row = dict[str, Any]


# -- SQuAD 1.1 and HotpotQA, as published ----------------------------------------------------------------------------


def normalize_answer(s: str) -> str:
    """Lower text and remove punctuation, articles and extra whitespace."""

    def remove_articles(text: str) -> str:
        return re.sub(r"\b(a|an|the)\b", " ", text)

    def white_space_fix(text: str) -> str:
        return " ".join(text.split())

    def remove_punc(text: str) -> str:
        exclude = set(string.punctuation)
        return "".join(ch for ch in text if ch not in exclude)

    def lower(text: str) -> str:
        return text.lower()

    return white_space_fix(remove_articles(remove_punc(lower(s))))


def f1_score(prediction: str, ground_truth: str) -> float:
    normalized_prediction = normalize_answer(prediction)
    normalized_ground_truth = normalize_answer(ground_truth)
    if normalized_prediction in ["yes", "no", "noanswer"] and normalized_prediction != normalized_ground_truth:
        return 0.0
    if normalized_ground_truth in ["yes", "no", "noanswer"] and normalized_prediction != normalized_ground_truth:
        return 0.0
    prediction_tokens = normalized_prediction.split()
    ground_truth_tokens = normalized_ground_truth.split()
    common = Counter(prediction_tokens) & Counter(ground_truth_tokens)
    num_same = sum(common.values())
    if num_same == 0:
        return 0.0
    precision = 1.0 * num_same / len(prediction_tokens)
    recall = 1.0 * num_same / len(ground_truth_tokens)
    return (2 * precision * recall) / (precision + recall)


def exact_match_score(prediction: str, ground_truth: str) -> bool:
    return normalize_answer(prediction) == normalize_answer(ground_truth)


def metric_max_over_ground_truths(metric_fn: Any, prediction: str, ground_truths: list[str]) -> float:
    scores_for_ground_truths = []
    for ground_truth in ground_truths:
        score = metric_fn(prediction, ground_truth)
        scores_for_ground_truths.append(score)
    return max(scores_for_ground_truths)


# -- everything else -------------------------------------------------------------------------------------------------


def em_and_f1(row: Row) -> tuple[float, float]:
    """A failed question is wrong; refusing is right where there is no gold answer, and wrong where there is one."""
    if not row["gold"] or row["status"] != "answered":
        right = float(not row["gold"] and row["status"] == "abstained")
        return right, right
    em, f1 = (metric_max_over_ground_truths(m, row["answer"], row["gold"]) for m in (exact_match_score, f1_score))
    return float(em), float(f1)


def recomputed(rows: list[Row], documents: int) -> dict[str, float | None]:
    """Return the figures of one system by name; those of ``metrics`` are named ``metrics.NAME``."""
    found: dict[str, float | None] = {"em": average([em_and_f1(r)[0] for r in rows]),
                                      "f1": average([em_and_f1(r)[1] for r in rows])}
    for depth in (2, 3, 5, 8, 10):
        found[f"recall@{depth}"] = average([_hits(r, depth) / len(set(r["supporting"])) for r in _with_gold(rows)])
    for depth in (4, 8):
        found[f"perfect@{depth}"] = average([_hits(r, depth) == len(set(r["supporting"])) for r in _with_gold(rows)])
    for depth in (3, 5):
        found[f"precision@{depth}"] = average(
            [_hits(r, depth) / min(depth, len(r["retrieved"])) if r["retrieved"] else 0 for r in _with_gold(rows)]
        )
        found[f"metrics.precision_classic@{depth}"] = average([_hits(r, depth) / depth for r in _with_gold(rows)])
    found |= {f"metrics.{name}": value for name, value in _of_answers(rows).items()}
    found |= {f"metrics.{name}": value for name, value in _of_citations(rows).items()}
    found["metrics.log_rank"] = _unscaled([_log_rank(r, documents) for r in _with_gold(rows)])
    found["metrics.calibration_error"] = _calibration_error(rows)
    return found


def _of_answers(rows: list[Row]) -> dict[str, float | None]:
    answered = [r for r in rows if r["status"] == "answered"]
    answerable = [r for r in rows if r["gold"]]
    without = [r for r in rows if not r["gold"]]
    refused = [r for r in rows if r["status"] == "abstained"]
    return {
        "answered_em": average([em_and_f1(r)[0] for r in answered]),
        "answered_f1": average([em_and_f1(r)[1] for r in answered]),
        "answerable_em": average([em_and_f1(r)[0] for r in answerable]),
        "word_coverage": average([max(_covered(g, r["answer"]) for g in r["gold"]) for r in answerable]),
        "acc@0.25": average([max(_covered_by(r["answer"], g) for g in r["gold"]) >= 0.25 for r in answerable]),
        "acc@0.5": average([max(_covered_by(r["answer"], g) for g in r["gold"]) >= 0.5 for r in answerable]),
        "abstention.precision": average([not r["gold"] for r in refused]) if without else None,
        "abstention.recall": average([r in refused for r in without]),
    }


def _of_citations(rows: list[Row]) -> dict[str, float | None]:
    says, cited, right, gold = [], [], [], []
    for row in (r for r in rows if r["status"] == "answered"):
        judged = [verdict for citation in row["citations"] if (verdict := _says(citation, row)) is not None]
        if judged:
            says.append(sum(judged) / len(judged))
        given = [h for h in row["hops"] if "".join((h["answer"], *h["answers"])).strip()]
        hops = [h for h in given if h["status"] != "missing"]
        if hops:
            by_number = {citation["hop"] for citation in row["citations"]}
            sentences = [citation["sentence"] for citation in row["citations"]]
            cited.append(sum(h["number"] in by_number or any(_within(a, s) for s in sentences
                             for a in (h["answer"], *h["answers"])) for h in hops) / len(hops))
        records = {citation["record_id"] for citation in row["citations"]}
        if row["supporting"]:
            gold.append(len(records.intersection(row["supporting"])) / len(set(row["supporting"])))
            if records:
                right.append(len(records.intersection(row["supporting"])) / len(records))
    return {
        "citation_precision": average(says), "citation_recall": average(cited),
        "citation_gold_precision": average(right), "citation_gold_recall": average(gold),
    }


def differences(ours: list[Row], theirs: list[Row]) -> dict[str, tuple[float, float]]:
    """By metric: the mean difference in points, and the p by trying all signs, or McNemar's by its formula."""
    other = {row["id"]: row for row in theirs}
    found = {}
    for place, metric in enumerate(("em", "f1")):
        gaps = [em_and_f1(row)[place] - em_and_f1(other[row["id"]])[place] for row in ours if row["id"] in other]
        unequal = [gap for gap in gaps if abs(gap) > 1e-9]
        p = _mcnemar(unequal) if metric == "em" else _by_all_signs(unequal) if len(unequal) <= 12 else math.nan
        found[metric] = (100 * sum(gaps) / len(gaps), p)
    return found


def average(values: list[Any]) -> float | None:
    """In per cent."""
    return 100 * math.fsum(values) / len(values) if values else None


def _mcnemar(gaps: list[float]) -> float:
    better, worse = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    tail = sum(Fraction(math.comb(better + worse, k), 2 ** (better + worse)) for k in range(min(better, worse) + 1))
    return float(min(Fraction(1), 2 * tail))


def _by_all_signs(gaps: list[float]) -> float:
    ways = list(product((-1, 1), repeat=len(gaps)))
    seen = abs(math.fsum(gaps)) - 1e-9
    return sum(abs(math.fsum(s * g for s, g in zip(way, gaps, strict=True))) >= seen for way in ways) / len(ways)


def _with_gold(rows: list[Row]) -> list[Row]:
    return [r for r in rows if r["supporting"] and r["system"] != "none"]  # which looks for nothing


def _hits(row: Row, depth: int) -> int:
    return sum(gold in row["retrieved"][:depth] for gold in set(row["supporting"]))


def _log_rank(row: Row, documents: int) -> float:
    gold = sorted(set(row["supporting"]))
    first = row["retrieved"][:10]
    ranks = [first.index(g) + 1 if g in first else documents for g in gold]
    return sum(1 - math.log(rank) / math.log(documents) for rank in ranks) / len(gold)  # with γ = 1


def _calibration_error(rows: list[Row]) -> float | None:
    bins = defaultdict(list)
    answered = [r for r in rows if r["status"] == "answered"]
    for row in answered:
        bins[min(9, math.floor(row["confidence"] * 10))].append(row)
    gaps = []
    for of in bins.values():
        sure, right = math.fsum(r["confidence"] for r in of) / len(of), math.fsum(em_and_f1(r)[0] for r in of) / len(of)
        gaps.append(abs(sure - right) * len(of))
    return 100 * math.fsum(gaps) / len(answered) if answered else None


def _unscaled(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _covered(wanted: str, text: str) -> float:
    """Share of the different words wanted that the text has."""
    words = set(_words(wanted))
    return len([word for word in words if word in _words(text)]) / len(words) if words else 0.0


def _covered_by(said: str, gold: str) -> float:
    """Share of all words said that the gold has."""
    words = _words(said)
    return len([word for word in words if word in _words(gold)]) / len(words) if words else 0.0


def _words(text: str) -> list[str]:
    """Lower case, no accents, no possessives, no apostrophes; runs of letters and digits."""
    lowered = re.sub("[’`´]", "'", text.casefold())
    for letter, plain in zip("øđðłæœıþ", ("o", "d", "d", "l", "ae", "oe", "i", "th"), strict=True):
        lowered = lowered.replace(letter, plain)
    bare = re.sub(r"'s(?!\w)", "", lowered).replace("'", "")
    kept = (mark for mark in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(mark))
    return "".join(mark if mark.isalnum() else " " for mark in kept).split()


def _says(citation: Row, row: Row) -> bool | None:
    answers = [row["answer"], *(v for line in row["rows"] or () for v in line.values())]
    for hop in row["hops"]:
        if hop["number"] == citation["hop"]:
            answers += [hop["answer"], *hop["answers"]]
    spelled = [a for a in answers if normalize_answer(a) not in ("", "yes", "no")]
    return any(_within(a, citation["sentence"]) for a in spelled) if spelled else None


def _within(answer: str, sentence: str) -> bool:
    tokens, said = normalize_answer(sentence).split(), normalize_answer(answer).split()
    return said not in ([], ["yes"], ["no"]) and any(
        tokens[at : at + len(said)] == said for at in range(len(tokens) - len(said) + 1)
    )
