"""Which columns of tables the words of a question name."""

from __future__ import annotations

from collections.abc import Sequence

from .....cubes.core.folding import fold_words
from .....cubes.model.tables import header_words
from .lexicon import QuestionLexicon
from .wording import Likeness, measured, terms

__all__ = ["column_alike", "columns_named", "said_in"]

_MEANT = {
    "cost": "price", "costs": "price", "phone": "telephone", "hours": "hrs", "hour": "hr", "buy": "bought",
    "sell": "sold", "build": "built", "make": "made", "pay": "paid", "send": "sent", "lend": "lent", "lent": "loan",
    "take": "taken", "see": "seen", "give": "given", "hold": "held", "daily": "day", "weekly": "week",
    "monthly": "month", "yearly": "year",
}  # fmt: skip
"""What people say, and what headers call it."""
_APART = 0.05  # cosines, to the next column's


def columns_named(lexicon: QuestionLexicon, text: str, among: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the columns that most words of a text name, and how many do: by cues, by words of the same stem or
    meaning, and by words that a header cuts short."""
    said, cued = fold_words(text), dict[str, int]()
    forms = [(word, *terms(f"{measured(word)} {_MEANT.get(word, word)}")) for word in text.lower().split()]
    stems = {stem for _, *told in forms for stem in told}
    for start in range(len(said)):
        for end in range(start + 1, len(said) + 1):
            key = " ".join(said[start:end])
            for name in (n for table in (lexicon.asks, lexicon.verbs, lexicon.events) for n in table.get(key, ())):
                cued[name] = max(cued.get(name, 0), end - start)
    scores = {}
    for column in among:
        header = [word for name in header_words(column) for word in name]
        acting = [word[:-2] for word in header if len(word) > 4 and word.endswith(("er", "or"))]  # who "supplies" it
        acted = [form for word in acting for form in (word, _MEANT.get(word, word))]
        own = {*terms(" ".join((column, *header, *acted)))}
        others = (told for told in forms if own.isdisjoint(told[1:]))
        short = sum(any(_shortens(word, form) for word in header for form in told) for told in others)
        scores[column] = max(cued.get(column, 0), len(stems & own) + short)
    most = max(scores.values(), default=0)
    best = tuple(column for column, score in scores.items() if score == most)
    whole = tuple(column for column in best if len(terms(" ".join(map(" ".join, header_words(column))))) == most)
    return (whole or best, most) if most else ((), 0)


def column_alike(likeness: Likeness, text: str, among: Sequence[str]) -> tuple[str, float]:
    """Return the column that is called most like a text means, with its cosine; none where another is as near."""
    names = [" ".join(word for name in header_words(column) for word in name) for column in among]
    ranked = sorted(zip(likeness(text, names), among, strict=False), reverse=True) if text else []
    apart = len(ranked) < 2 or ranked[0][0] - ranked[1][0] >= _APART
    return (ranked[0][1], ranked[0][0]) if ranked and apart else ("", 0.0)


def said_in(word: str, words: Sequence[str]) -> bool:
    """Return whether a word of a header is among some words, or stands for one of them."""
    return any(word == whole or _shortens(word, whole) for whole in words)


def _shortens(short: str, whole: str) -> bool:
    """Return whether a word of a header is another one cut short ("max", "ctrl", "wt").

    >>> _shortens("ctrl", "control"), _shortens("max", "maximum"), _shortens("cost", "castle")
    (True, True, False)
    """
    if not 2 <= len(short) < len(whole) or short[0] != whole[0]:
        return False
    letters = iter(whole)
    bare = not set("aeiou").intersection(short[len(short) > 2 :]) and short[-1] == whole[-1]
    return (bare and all(letter in letters for letter in short)) or (len(short) > 2 and whole.startswith(short))
