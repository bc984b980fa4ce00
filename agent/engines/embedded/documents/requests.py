"""Reading a question over documents: which documents, what of each, the operator, and the form of the answer.

There is one subquery for each document and each measure (the loop of MultiCube-RAG, 3.4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from .....cubes.core.quantities import measure_of
from .....cubes.retrieval.wording import asked_words
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.wording import compared, listed, measured, stem_of, terms
from ..vocabulary.wordlists import ARTICLES, PREPOSITIONS
from .document_index import DocumentIndex, DocumentMention

__all__ = ["BLANK", "DocumentQuery", "DocumentQueryParser", "Operator", "QuestionForm", "read_form"]

Kind = Literal["choice", "choices", "judgement", "blanks", "plain"]
Operator = Literal[
    "value", "describe", "figure", "judge", "same", "each", "which", "count", "greatest", "least",
    "difference", "sum", "ratio", "share", "percent", "average", "product",
]  # fmt: skip

BLANK = "____"
_MOST = 6  # subqueries of a plan: the loop's own limit

# The dress of a question's form
_GAP = re.compile(r"\(\s*\)|（\s*）|_{2,}|\.{4,}|\[\s*\]|…{2,}")
_LETTER = re.compile(r"(?:(?<=\s)|^|(?<=[?.;:)_]))\(?(?P<letter>[A-H])(?:\s?[:：)]|\.(?=\s))\s*(?=\S)")
_LEAD = re.compile(
    r"^\W*(?P<lead>(?:(?:single|multiple)[ -](?:choice|answer)|judge?ment|true or false|statement|question"
    r"|fill(?:ing)?(?: in)?(?: the)? blanks?)(?: question)?)\s*[:：.]\s*",
    re.IGNORECASE,
)
_TRUE, _OR_NOT = r"(?:true|right|correct|yes)", r"(?: or |\s?/\s?)(?:false|wrong|incorrect|not|no)"
_VERDICT = re.compile(
    rf"(?:\s*[,.;:(\[!?]+\s*|\s(?=is\s|{_TRUE}{_OR_NOT}))"
    rf"(?:is (?:this|that|it|the statement) )?{_TRUE}(?:{_OR_NOT})?\W*$"
    rf"|^(?:is|was) (?:it|the (?:following )?statement) {_TRUE}(?: that|[:,])\s*"
    r"|^(?:judge|decide|determine|check) (?:whether|if)\s*",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"multiple|all that apply|which (?:of the following )?(?:\w+ ){0,4}?are\b", re.IGNORECASE)
_EITHER = ({"true", "false"}, {"yes", "no"}, {"correct", "incorrect"}, {"right", "wrong"})

# What is made of the answers
_CLAIMS = re.compile(
    r"\b(?:statements?|descriptions?|claims?)\b.*\b(?:right|true|correct|accurate|false|wrong|apply)", re.IGNORECASE
)
_SAME = re.compile(r"\b(?:same|equal|identical|equally)\b", re.IGNORECASE)
_DESCRIBING = re.compile(
    r"\b(?:role|purpose|procedure|summary|overview)s? of\b|^(?:please )?(?:compare|introduce)\b", re.IGNORECASE
)
_WHICH = re.compile(r"\bwhich\b|\bwhat (?:\w+ ){0,2}(?:has|have|is the)\b|\bname the\b|\blist\b", re.IGNORECASE)
_THINGS = re.compile(
    r"\b(?:which|what|how many)(?: one)?(?: of (?:the|these|those|all)(?: following)?)? (?P<nouns>[a-z-]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"^(?:\w+ )?(?:show|display|draw)\b|\b(?:which|what|find|give|where|see)\b(?P<rest>.*)", re.I)
_PREDICATE = re.compile(r"\b(?:is|are|has|have|can|(?:support|offer|provide|use|allow|include|contain|work)s?)\b.*")
_SINGULAR = {"are": "is", "have": "has"}
_MORE = rf"(?:{'|'.join(sorted(word for word in compared() if word.endswith(('er', 'more', 'less'))))})"
"""Words that compare two, as no other word in "-er" does ("how much water")."""
OPERATIONS: Mapping[Operator, str] = {
    "share": r"\b(?:what|how many|which) per ?cent(?:age)? of\b",
    "percent": r"\b(?:what|how many|which) per ?cent(?:age)?\b|\bin per ?cent\b|____ ?(?:%|per ?cent)",
    "ratio": rf"\bhow many times (?:as|{_MORE})\b|\bratio\b|____ times\b|\bdivided by\b",
    "difference": rf"\bdifference\b|\bby how (?:much|many)\b|\blies? between\b|\bhow (?:much|many) (?:\w+ )?{_MORE}\b"
    rf"|\bexceeds? .{{0,60}}\bby\b|____ (?:\S+ )?{_MORE}\b|\bminus\b",
    "average": r"\baverage of\b|\bon average\b",
    "sum": r"\bsum\b|\btogether\b|\bin total\b|\badd\b|\bplus\b",
    "product": r"\bproduct of\b|\bmultiplied by\b|(?<!many )(?<!____ )(?<!\d )\btimes\b",
}

_UNSET = re.compile(
    r"(?:,\s*|(?<!what)(?:^|\s))(?:if|unless|when|where)\s+(?=[^,?]*(?:n['’]t\b|\b(?:not|no\w*|otherwise|alone)\b))"
    r"(?:[\w'’]+\s+){1,5}?(?:sets?|choosen?|chosen?|says?|said|given?|gives|gave|change[sd]?|specif(?:y|ies|ied)|pick(?:ed)?"
    r"|configured?|touch(?:ed)?|leave|left)\b"
    r"(?:\s(?:it|them|that|one|any|anything|nothing|none|otherwise|so|else|alone|at all))*(?:,\s*|$)"
    r"|\b(?:out of the box|to (?:begin|start) with|initially|normally|at first|by itself|on its own)\b",
    re.IGNORECASE,
)
"""How a question says "by default", the term of manuals: "if I don't choose", "unless I say otherwise"."""

# What is measured
_TOKEN = re.compile(r"[^\s,;:?!()\"“”]+|[,;:?!()]")
_SMALL = PREPOSITIONS | ARTICLES | {"and", "per", "during"}
_SPLIT = re.compile(r"\s+(?:and|plus|minus|versus|divided by|multiplied by|times|to|than|over)\s+", re.IGNORECASE)
_SEAM = re.compile(r"\b(?:and|while|but|with)\b|[,;.]")
_YEAR, _LIMIT = r"(?:19|20)\d\d|Q[1-4]", r"(?:max|min|typ)\w*|average"


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question without the dress of its form.

    ``stem`` is what is asked, its gaps written as `BLANK`; ``options`` are letter and text. A judgement's stem is its
    claim as it stands; ``yes_no`` says that it is put as a question, to be answered by yes or no.
    """

    kind: Kind
    stem: str
    options: tuple[tuple[str, str], ...] = ()
    yes_no: bool = False


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """The ``subqueries`` of a question, and the operator that makes an answer of theirs; ``items`` are what they are
    about, as the answer is to call it."""

    form: QuestionForm
    operator: Operator
    subqueries: tuple[str, ...]
    items: tuple[str, ...] = ()
    mentions: tuple[DocumentMention, ...] = ()

    @property
    def refs(self) -> frozenset[str]:
        """The ids of the documents that are named."""
        return frozenset(ref.id for mention in self.mentions for ref in mention.refs)

    @property
    def names(self) -> list[str]:
        """How the question writes the documents' names."""
        return [mention.text for mention in self.mentions]


class DocumentQueryParser:
    """Reads questions by the names that a shelf knows; the same question always comes to the same request, so runs can
    be resumed, replayed and edited."""

    def __init__(self, document_index: DocumentIndex) -> None:
        self._documents = document_index

    def read(self, question: str) -> DocumentQuery:
        """Return what a question comes to."""
        form = read_form(question)
        if self._documents.alike:  # chapters are found by the names that titles have
            by_title = self._replaced(form.stem, lambda one: one.name if len(one.refs) == 1 else one.text)
            form = replace(form, stem=by_title)
        stem = form.stem
        named = tuple({mention.name: mention for mention in reversed(self._documents.mentions(stem))}.values())[::-1]
        claims = form.kind == "judgement" and not form.yes_no
        whole = f"Is it true that {stem.rstrip('.?')}?" if claims else in_terms(stem)
        plain = DocumentQuery(form, "value", (whole,), mentions=named)
        if form.options and _CLAIMS.search(stem) and len(form.options) <= _MOST:
            return _of_options(plain)
        if _asks_for_figure(stem):
            return replace(plain, operator="figure")
        about = self._about(form, named)
        request = replace(plain, mentions=about)
        operator = _operator(request, gathered=about != named)
        if form.kind == "plain" and not self._documents.alike and (operator == "each" or _asks_to_describe(stem)):
            return plain  # texts of their own kind say in theirs how, why and what the difference is
        return self._in_parts(replace(request, operator=operator))

    def _about(self, form: QuestionForm, named: tuple[DocumentMention, ...]) -> tuple[DocumentMention, ...]:
        """The documents that are asked about one by one: those named, those of a series, options, or all of a few."""
        optional = [self._documents.mentions(text) for _, text in form.options]
        if not named and optional and all(len(one) == 1 for one in optional):
            return tuple(one[0] for one in optional)[:_MOST]
        things = _THINGS.search(form.stem) if not named else None
        asked = {stem_of(word) for word in things["nouns"].split()} & self._documents.things if things else set()
        refs = named[0].refs if len(named) == 1 and self._documents.alike else self._documents.refs if asked else ()
        meant = tuple(ref for ref in refs if asked & set(terms(ref.title))) or refs
        each = tuple(DocumentMention(0, 0, ref.name, (ref,)) for ref in meant)
        return each if 1 < len(each) <= _MOST else named[:_MOST]

    def _in_parts(self, request: DocumentQuery) -> DocumentQuery:
        """A subquery for each document and each measure; the question as it stands where there is but one.

        The operands of a calculation are the documents, or the measures of one, where they can be told apart.
        """
        bare = self._replaced(request.form.stem, lambda _: " ; ")  # the words around a name do not run together
        names = tuple(mention.name for mention in request.mentions)
        asks = (name for name, pattern in OPERATIONS.items() if re.search(pattern, bare, re.IGNORECASE))
        ranks = request.operator in ("greatest", "least", "count") and request.form.kind != "judgement"
        operation = None if ranks else next(asks, None)
        measures = operands(_SPLIT.split(bare)) if operation and len(names) < 2 else (measure_in(bare),)
        if operation and len(measures) * max(1, len(names)) > 1 and all(measures):
            request = replace(request, operator=operation)
        elif len(names) < 2:
            return _of_gaps(request) if request.form.kind == "blanks" else request
        asked = [_asked(request, bare, measure, name) for measure in measures for name in names or ("",)]
        return replace(request, subqueries=tuple(asked[:_MOST]), items=names if len(names) > 1 else measures)

    def _replaced(self, stem: str, by: Callable[[DocumentMention], str]) -> str:
        for mention in reversed(self._documents.mentions(stem)):
            stem = f"{stem[: mention.start]}{by(mention)}{stem[mention.end :]}"
        return stem


def in_terms(stem: str) -> str:
    """Return a question with "by default" in place of what says so in other words.

    >>> in_terms("When I change nothing, how long does it wait?"), in_terms("Which port is used normally?")
    ('how long does it wait by default?', 'Which port is used by default?')
    """
    bare, found = _UNSET.subn(" ", stem.rstrip(" ?"), count=1)
    return f"{' '.join(bare.split())} by default?" if found and bare.strip() and "default" not in stem else stem


def _operator(plain: DocumentQuery, *, gathered: bool) -> Operator:
    """What is made of the answers; ``gathered`` says that the documents are not named one by one."""
    form, which = plain.form, _WHICH.search(plain.form.stem) is not None
    if len(plain.mentions) < 2:
        return "judge" if form.kind == "judgement" else "describe" if _asks_to_describe(form.stem) else "value"
    ends = (compared()[word][0] for word in re.findall(r"[a-z]+", form.stem.lower()) if word in compared())
    order = next(ends, None)
    if form.kind == "judgement":
        return order or ("same" if _SAME.search(form.stem) else "judge")
    if gathered and _THINGS.search(form.stem) and "how many" in form.stem.lower():
        return "count"
    if order and (gathered or which):
        return order
    return "which" if gathered and (which or form.options) else "each"


def _asked(request: DocumentQuery, bare: str, measure: str, name: str) -> str:
    """What is asked of one document: whether a claim holds, what it says of something, or a value."""
    if request.operator in ("which", "count", "judge"):
        found = _PREDICATE.search(bare.replace(BLANK, " ").strip(" .?:,"))
        said = " ".join(found[0].replace(" ; ", " ").split()) if found is not None else f"has {measure}"
        verb, _, rest = said.partition(" ")
        return f"Is it true that {name} {_SINGULAR.get(verb, verb)} {rest}?"
    if request.operator == "each" and _asks_to_describe(request.form.stem):
        return f"Describe {f'the {measure} of ' if measure else ''}{name}."
    of = f" {name}" if name else ""
    if re.fullmatch(r"[a-z]+[^s\W]s", measure):
        return f"How many {measure}{of and ' has'}{of}?"
    return f"What is the {measure}{of and ' of'}{of}?"


def _of_options(plain: DocumentQuery) -> DocumentQuery:
    """Options that are claims of their own: each is judged by itself."""
    of = f" of {plain.mentions[0].name}" if plain.mentions else ""
    texts = tuple(text for _, text in plain.form.options)
    claims = tuple(f"Is it true{of} that {text.rstrip('.?')}?" for text in texts)
    return replace(plain, operator="which", subqueries=claims, items=texts)


def _of_gaps(plain: DocumentQuery) -> DocumentQuery:
    """Several gaps: each is asked by the words of its own clause, where each has one that says something."""
    stem = plain.form.stem
    name, of = (plain.mentions[0].text, f" of {plain.mentions[0].name}") if plain.mentions else ("\n", "")
    clauses = [clause for clause in _SEAM.split(stem) if BLANK in clause]
    asked = operands(clause.replace(name, " ; ") for clause in clauses)
    if not 1 < stem.count(BLANK) == len(asked):
        return plain
    behind = (clause.partition(BLANK)[2].split() for clause in clauses)
    units = (f" {words[0]}" if words and measure_of(words[0]) else "" for words in behind)
    told = tuple(f"The {measure}{of} is {BLANK}{unit}." for measure, unit in zip(asked, units, strict=True))
    return replace(plain, operator="each", subqueries=told[:_MOST])


def _asks_to_describe(stem: str) -> bool:
    return read_asked_form(stem).kind == "passage" or _DESCRIBING.search(stem) is not None


def _asks_for_figure(stem: str) -> bool:
    """Whether a figure itself is asked for, not what one shows in passing."""
    found = _FIGURE.search(stem)
    return found is not None and (found["rest"] is None or not listed("figures").isdisjoint(terms(found["rest"])))


def measure_in(text: str) -> str:
    """Return the words of a text that name what is measured, with the small words between them."""
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(text.replace("____", " ; ")):
        word = re.sub(r"['’]s?$", "", token).rstrip(".")
        if (runs[-1] and re.fullmatch("[A-Z]", word)) or _tells(word):  # "revision B"
            runs[-1].append(measured(word))
        elif word.lower() not in _SMALL:
            runs.append([])
        elif runs[-1]:
            runs[-1].append(word.lower())
    for run in runs:
        while run and run[-1] in _SMALL:
            run.pop()
    return " ".join(word for run in runs for word in run)


def _tells(word: str) -> bool:
    said = word.lower() not in compared() or measured(word) != word
    return said and bool(asked_words(word)) and not measure_of(word) and stem_of(word) not in listed("idle")


def operands(parts: Iterable[str]) -> tuple[str, ...]:
    """Return what the parts of a question are over: "maximum" and "minimum supply voltage" are two supply voltages.

    What one leaves out is taken from the longest.
    """
    said = [part for part in map(measure_in, parts) if part]
    whole = max(said, key=lambda part: len(part.split()), default="")
    filled = [_completed(part, whole, before=at < said.index(whole)) for at, part in enumerate(said)]
    years = {year for part in filled for year in re.findall(rf"\b(?:{_YEAR})\b", part)}
    if len(years) == 1:  # a year that one of them names is of all
        year = years.pop()
        filled = [part if year in part else f"{part} {year}" for part in filled]
    return tuple(dict.fromkeys(filled))


def _completed(part: str, whole: str, *, before: bool) -> str:
    """Add what a phrase leaves to the longest one: "maximum (supply voltage)", "(revenue in) 2023".

    What stands before the longest, or is a limit, lacks its end; a year or a name behind it lacks its beginning.
    """
    own, full = part.split(), whole.split()
    if before or re.fullmatch(_LIMIT, part):
        return part if before and set(own) & set(full) else " ".join((*own, *full[len(own) :]))
    named = all(re.fullmatch(rf"{_YEAR}|[A-Z].*", word) for word in own if word not in _SMALL)
    return " ".join((*full[: -len(own)], *own)) if named else part


def read_form(question: str) -> QuestionForm:
    """Read the form of a question off its text."""
    text, lead = " ".join(question.split()), ""
    while (found := _LEAD.match(text)) is not None:
        lead, text = f"{lead} {found['lead'].lower()}", text[found.end() :]
    stem, options = _options(text)
    stem = _GAP.sub(BLANK, stem).strip()
    if options and {option.lower().strip(".") for _, option in options} not in _EITHER:
        several = "multiple" in lead or ("single" not in lead and _SEVERAL.search(stem) is not None)
        return QuestionForm("choices" if several else "choice", stem.strip(" ,;"), options)
    claim = _VERDICT.sub("", stem).strip(' "“”')
    if options or re.search("judg|statement|true", lead) or _VERDICT.search(stem):
        return QuestionForm("judgement", claim if claim.endswith("?") else f"{claim.rstrip('.')}.")
    if BLANK in stem:
        return QuestionForm("blanks", stem)
    yes_no = read_asked_form(stem).kind == "verdict"
    return QuestionForm("judgement" if yes_no else "plain", stem, yes_no=yes_no)


def _options(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Part a text into its stem and its options, which are lettered on from A."""
    run: list[re.Match[str]] = []
    for mark in _LETTER.finditer(text):
        run += [mark] if ord(mark["letter"]) == ord("A") + len(run) else []
    if len(run) < 2:
        return text, ()
    ends = [*(mark.start() for mark in run[1:]), len(text)]
    told = ((mark["letter"], text[mark.end() : end].strip(" ,;，；")) for mark, end in zip(run, ends, strict=True))
    return text[: run[0].start()].strip(), tuple(told)
