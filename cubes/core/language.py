"""Telling the language of a text, so that ingest can say where the engine's English rules do not fit.

>>> detect("Der Film wurde von Hans Müller gedreht, der in Berlin geboren wurde, und erschien im Jahr 1923.")
'de'
>>> detect("Andrzej Wajda")
'en'
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Any

__all__ = ["asked_in", "detect", "language_name"]

_SAMPLE = 2_000
_ENOUGH_LETTERS = 60
_SURE = 0.85
# Words that English running text is full of and its neighbours (Dutch, Danish, German ...) do not share.
_ENGLISH = frozenset({"the", "and", "of", "with", "which", "his", "from", "that", "were", "been", "its"})
_ENGLISH_SHARE = 0.08
# A sentence of foreign names is English all the same if it says "is a".
_ENGLISH_PHRASE = re.compile(r"\b(?:is|was|are|were) (?:an?|the)\b|\b(?:of|in|by) the\b")
# A question that begins so is English, and the statistical model need not be loaded.
_ENGLISH_ASKING = frozenset(
    {"who", "whom", "whose", "what", "which", "when", "where", "why", "how", "does", "did", "are", "were"}
)
_ASKED_SURE = 0.95  # of 1,400 English questions none is taken for German, French or Spanish so
_NAMES = {
    "cs": "Czech", "da": "Danish", "de": "German", "es": "Spanish", "fi": "Finnish", "fr": "French", "hu": "Hungarian",
    "it": "Italian", "ja": "Japanese", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")


def detect(text: str) -> str:
    """Return the ISO 639-1 code of the language a text is written in.

    English is the answer for short texts and wherever the evidence is weak, because a wrong warning costs
    more than a missing one. Only the first 2,000 characters are looked at.
    """
    sample = text[:_SAMPLE]
    words = [word.lower() for word in _WORD.findall(sample)]
    if sum(map(len, words)) < _ENOUGH_LETTERS or _plainly_english(words) or _ENGLISH_PHRASE.search(sample):
        return "en"
    language, confidence = _identifier().classify(sample)
    return str(language) if confidence >= _SURE else "en"


def asked_in(question: str, others: Collection[str]) -> str:
    """Return the language of a question: English, or one of those in which documents are written.

    A question is too short to be told from among all languages, and long enough to be told from among a few.
    """
    spoken = ["en", *(sorted(language for language in others if language != "en"))]
    if len(spoken) == 1 or _ENGLISH_ASKING & {word.lower() for word in _WORD.findall(question)[:2]}:
        return "en"
    language, confidence = _identifier_of(*spoken).classify(question)
    return str(language) if confidence >= _ASKED_SURE else "en"


def language_name(language: str) -> str:
    """Return what a language is called in English; its code where that is not known here.

    >>> language_name("de"), language_name("xx")
    ('German', 'another language (xx)')
    """
    return _NAMES.get(language, f"another language ({language})")


def _plainly_english(words: list[str]) -> bool:
    """Spare most English passages the statistical model, which takes half a second to load."""
    return sum(word in _ENGLISH for word in words) >= _ENGLISH_SHARE * len(words)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@cache
def _identifier_of(*languages: str) -> Any:
    """Return an identifier that knows these languages alone; those that its model lacks are left out."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    made = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    made.set_languages([language for language in languages if language in made.nb_classes])
    return made
