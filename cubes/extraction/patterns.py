"""The structures that phrases cannot express: what a thing is, its other names, where it lies, what it is based on."""

from __future__ import annotations

import re

from ..folding import base_key, fold
from .clauses import Clauses
from .header import Header, TypePhrase
from .lexicon import country_of, lexicon
from .plan import Entry
from .reading import ALIAS, CUE, STRUCTURE, Reading, Referent, name_words
from .values import Value, is_verb, names_after, skip_brackets
from .words import Sentence

__all__ = ["read_aliases", "read_basis", "read_containment", "read_maker", "read_subject", "read_type"]

_ALSO = re.compile(
    r"\b(?:also|better|commonly|professionally|usually|sometimes|often|popularly|simply|locally|formerly|best|colloquially|widely|generally|mononymously)?,?\s?(?:known|called|referred to|spelled|spelt|written|titled|transliterated|romani[sz]ed|credited|billed|nicknamed|styled)"
    r"(?:\s(?:professionally|simply|mononymously|popularly|commonly|collectively|in\s\w+))?\s?(?:as|by (?:his|her|its|their|the)(?:\s\w+){1,3}(?:\sof)?)?\s*,?\s*(?=[“\"]?\s?[A-ZÀ-Þ‘'])"
    r"|\b(?:aka|a\.k\.a\.|alias|née[\"”]?|nee|born(?=\s[A-ZÀ-Þ])|(?:stage|pen|birth|ring|screen|real|full|married|maiden) name(?:\sof|\sis|\swas)?|pseudonym(?:\sof)?|nickname(?:\sof)?|nicknamed|original title|native name)\s*:?,?\s*(?=[“\"]?\s?[A-ZÀ-Þ‘'])"
)
_TRANSLATED = re.compile(r"^\W*(?:[A-Z][a-zà-ÿ]+(?:\s(?:title|language))?\s?(?::|\sfor\b)|(?:lit\.|literally|translated?(?:\sas)?|meaning|English)\s?:?)\s*")
_QUALIFIER = re.compile(r"^[\s\"“]*[A-ZÀ-Þ]")


_NO_TYPE = frozenset({"member", "part", "first", "second", "third", "fourth", "fifth", "ninth", "last", "native", "resident", "name"})


def read_subject(reading: Reading, header: Header | None) -> None:
    """Emit the subject itself, and its full name where the text writes it otherwise than the title."""
    who = reading.subject
    if who.span is None or header is None:
        return
    spec = reading.plan.cubes[who.cube].subject
    start, end = who.span
    reading.relate(who, who.cube, spec.id, "is", (start, end), spec.kind, header.sentence, STRUCTURE)
    full = _full_name(reading, header)
    if full is not None and fold(reading.text[full[0] : full[1]]) != fold(who.label):
        _alias(reading, who, full, header.sentence)


def _full_name(reading: Reading, header: Header) -> tuple[int, int] | None:
    """The leading name with a nickname in quotes inside it: 'Hiram "Hank" Williams'."""
    sentence = header.sentence
    leading = sorted((m for m in sentence.mentions if header.copula < 0 or m.first < header.copula), key=lambda m: m.first)
    leading = [m for m in leading if m.first <= 2 or m.first < 12 and _touches_name(sentence, m.first)]
    if not leading:
        return None
    start, end, last = leading[0].start, leading[0].end, leading[0].last
    for mention in leading[1:]:
        between = sentence.text[end : mention.start].strip(' "“”(),')
        if between or mention.start - end > 4 or "," in sentence.text[end : mention.start] or "(" in sentence.text[end : mention.start]:
            break
        if mention.quoted:
            _alias(reading, reading.subject, (mention.start, mention.end), sentence)
        end, last = mention.end, mention.last
    if header.name is not None and header.name[0] >= last and _ALSO.search(sentence.text, end, sentence.starts[header.name[0]] + 1):
        return start, end
    if header.name is not None and not (leading[0].first <= header.name[0] <= last) and not reading.subject.names.intersection(fold(sentence.text[start:end]).split()):
        return None
    return start, end


def _touches_name(sentence: Sentence, first: int) -> bool:
    return sentence.word(first - 1) in ('"', "“", "”")


def _alias(reading: Reading, who: Referent, span: tuple[int, int], sentence: Sentence) -> None:
    spec = reading.plan.cubes[who.cube].subject
    text = reading.text[span[0] : span[1]]
    if not text.strip() or fold(text) in (fold(who.label), base_key(who.label)):
        return
    reading.relate(who, who.cube, spec.id, "also known as", span, spec.kind, sentence, ALIAS)
    if who.main and len(text) < 60:
        who.names |= name_words(text)


def read_aliases(reading: Reading, header: Header | None, sentence: Sentence, clauses: Clauses) -> None:
    """Other names: "also known as X", "(German: Hingabe)", 'née Howard', stage and pen names."""
    if header is not None and header.sentence is sentence:
        _bracketed_titles(reading, header)
    for match in _ALSO.finditer(reading.text, sentence.span.start, sentence.span.end):
        at = sentence.index(match.end())
        while sentence.word(at) in ('"', "“", "'", "‘"):
            at += 1
        who = clauses.at(max(0, at - 1))
        early = header is not None and header.sentence is sentence and (header.copula < 0 or at <= header.copula)
        if early:
            who = reading.subject
        mention = sentence.mention_at.get(at)
        if who is None or not who.main or mention is None or mention.first != at:
            continue
        if sentence.word(sentence.index(match.start())) in ("known", "called", "best") and not early and not mention.quoted and "as" not in match.group().split():
            continue
        for value in names_after(sentence, at, "name", many=early):
            if not is_verb(sentence, value.last) or value.first == at:
                _alias(reading, who, (value.start, value.end), sentence)


def _bracketed_titles(reading: Reading, header: Header) -> None:
    """Translations and original titles in the brackets behind the name."""
    sentence = header.sentence
    for first, last in header.brackets[:2]:
        if last <= first or any(i in sentence.dates for i in range(first, last)):
            continue
        start, end = sentence.starts[first], sentence.ends[last - 1]
        text = reading.text[start:end]
        match = _TRANSLATED.match(text)
        lead = match.end() if match else 0
        if not match and not text.lstrip().startswith(('"', "“")):
            continue
        begin = start + lead
        part = re.split(r"[;()]|,\s(?:also|lit|trans)", reading.text[begin:end])[0]
        stripped = part.strip(" \"“”,.:'")
        offset = begin + part.find(stripped)
        if stripped and len(stripped) <= 90 and _QUALIFIER.match(stripped):
            _alias(reading, reading.subject, (offset, offset + len(stripped)), sentence)


def read_type(reading: Reading, header: Header | None) -> None:
    """The copula phrase: kind or occupations, nationalities, languages, and the year where it names one."""
    if header is None:
        return
    who, sentence = reading.subject, header.sentence
    for phrase in (header.phrase, header.before):
        if phrase is None:
            continue
        for entry in reading.plan.pattern(who.cube, "type"):
            for start, end in _type_values(reading, sentence, phrase, entry):
                reading.emit(who, entry, start, end, sentence, STRUCTURE)
        for entry in reading.plan.pattern(who.cube, "origin"):
            for span in phrase.nationalities:
                reading.emit(who, entry, *span, sentence, STRUCTURE)
        for entry in reading.plan.pattern(who.cube, "language"):
            for span in phrase.languages:
                reading.emit(who, entry, *span, sentence, STRUCTURE)
    _origin_from(reading, header)


def _type_values(reading: Reading, sentence: Sentence, phrase: TypePhrase, entry: Entry) -> list[tuple[int, int]]:
    """Each part on its own for persons; "film and television actor" and all else stay whole where a head is missing."""
    found: list[tuple[int, int]] = []
    pending: int | None = None
    for number, (first, last) in enumerate(phrase.segments):
        start = sentence.starts[first] if pending is None else pending
        word = sentence.lower[last - 1]
        if last - first == 1 and word in _NO_TYPE or word in lexicon().kin["nouns"]:
            continue
        closed = number == len(phrase.segments) - 1 or not entry.cue.many or fold(word) in reading.plan.nouns or word.endswith(("er", "or", "ist", "ian", "man", "ess"))
        if not entry.cue.many and number < len(phrase.segments) - 1 and fold(word) not in reading.plan.nouns:
            closed = False
        if not closed:
            pending = start
            continue
        found.append((start, sentence.ends[last - 1]))
        pending = None
    return found


def _origin_from(reading: Reading, header: Header) -> None:
    """ "is a chess grandmaster from Mexico": a country behind "from" right after the type phrase."""
    phrase, sentence, who = header.phrase, header.sentence, reading.subject
    if phrase is None or sentence.word(phrase.end) not in ("from", "in"):
        return
    if sentence.word(phrase.end) == "in" and who.cube == reading.plan.person:
        return
    for value in names_after(sentence, phrase.end + 1, "place", many=False)[:3]:
        if fold(reading.text[value.start : value.end]) in lexicon().place_of:
            for entry in reading.plan.pattern(who.cube, "origin"):
                reading.emit(who, entry, value.start, value.end, sentence, CUE)


def read_year(reading: Reading, header: Header | None) -> None:
    """ "is a 1921 film": the year, for a thing whose full date of release the section does not give."""
    if header is None or header.phrase is None:
        return
    who, sentence = reading.subject, header.sentence
    years = list(header.phrase.years)
    if not years:
        for first, last in header.brackets[:1]:
            years = [i for i in range(first, last) if i in sentence.dates and last - first == 1]
    for entry in reading.plan.pattern(who.cube, "release_date"):
        for at in years[:1]:
            date = sentence.dates[at]
            reading.emit(who, entry, date[0], date[1], sentence, CUE - 0.1 if reading.found(entry.cue.relation) else STRUCTURE)


def read_containment(reading: Reading, header: Header | None) -> None:
    """ "is a village in A, B, Iran": one fact per containing place, nearest first."""
    if header is None or (header.phrase is None and header.copula < 0):
        return
    who, sentence = reading.subject, header.sentence
    entries = reading.plan.pattern(who.cube, "containment")
    if not entries:
        return
    confidence = STRUCTURE
    begin = header.phrase.end if header.phrase is not None else header.copula + 1
    for value in _containing(sentence, begin):
        for entry in entries:
            reading.emit(who, entry, value.start, value.end, sentence, round(confidence, 3))
        confidence = max(0.75, confidence - 0.02)
    _country_of(reading, sentence, header, begin, entries)


def _containing(sentence: Sentence, at: int) -> list[Value]:
    """The places behind the type phrase; descriptions between them are stepped over ("an entity of", "state")."""
    found: list[Value] = []
    limit = min(len(sentence), at + 70)
    while at < limit:
        at = skip_brackets(sentence, at)
        word = sentence.word(at)
        if word in ("in", "of", "at", "within", "from", "on", "near"):
            values = names_after(sentence, at + 1, "place", many=False)
            if not values:
                at += 1
                continue
            if word not in ("on", "near"):
                found += [part for value in values for part in _parts(sentence, value)]
            at = values[-1].last
        elif at in sentence.mention_at or word in (".", ";", "who", "which", "that", "with", "is", "was", "serving", "known", "") or is_verb(sentence, at) and word not in ("located", "situated", "based"):
            if not (at in sentence.mention_at and found):
                break
            break
        else:
            at += 1
    return found


def _parts(sentence: Sentence, value: Value) -> list[Value]:
    """ "Central District of Andika County" lies in Andika County, which is a place of its own."""
    for at in range(value.first + 1, value.last - 1):
        if sentence.lower[at] == "of" and sentence.lower[at - 1] in ("district", "county", "province", "region", "municipality", "state", "department", "city", "town", "canton"):
            return [value, Value(sentence.starts[at + 1], value.end, at + 1, value.last)]
    return [value]


def _country_of(reading: Reading, sentence: Sentence, header: Header, begin: int, entries: list[Entry]) -> None:
    """A nationality or country elsewhere in the introducing sentence, where no containing place is a country."""
    known = [f for f in reading.facts.values() if f.relation == entries[0].cue.relation and f.subject == reading.subject.label]
    if any(fold(fact.value) in lexicon().place_of for fact in known):
        return
    spans = list(header.phrase.nationalities) if header.phrase is not None else []
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        if mention.first >= begin and country_of(reading.text[mention.start : mention.end]):
            spans.append((mention.start, mention.end))
    for start, end in spans[:1]:
        for entry in entries:
            reading.emit(reading.subject, entry, start, end, sentence, 0.6)


def read_maker(reading: Reading, header: Header | None) -> None:
    """ "is a song by X", "is a novel by X", "is the third album of the band X"."""
    if header is None or header.phrase is None:
        return
    who, sentence, phrase = reading.subject, header.sentence, header.phrase
    if sentence.word(phrase.end) not in ("by", "from", "of"):
        return
    nouns = set(sentence.lower[phrase.start : phrase.end])
    for pattern in ("performer", "author"):
        for entry in reading.plan.pattern(who.cube, pattern):
            kinds = {p.split()[0] for p in entry.cue.after if len(p.split()) == 2 and p.endswith(" by")}
            if not nouns & kinds:
                continue
            for value in names_after(sentence, phrase.end + 1, entry.kind, many=entry.cue.many):
                if sentence.word(phrase.end) == "by" or not sentence.mention_at[value.first].quoted:
                    reading.emit(who, entry, value.start, value.end, sentence, STRUCTURE)


def read_basis(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Close off what "based on" governs: the author there wrote the model, not the section's subject."""
    lower = sentence.lower
    for at, word in enumerate(lower):
        if not (word in ("based", "adapted", "adaptation", "inspired", "drawn", "remake", "adapts", "version") or (word == "from" and sentence.word(at + 1) in ("a", "the", "an") and sentence.word(at + 2) in ("novel", "play", "story", "book", "short"))):
            continue
        start = next((i for i in range(at, min(at + 4, len(lower))) if lower[i] in ("on", "from", "of", "by", "upon")), None)
        if start is None:
            continue
        end = _basis_end(sentence, start + 1)
        values: list[Value] = []
        who = clauses.at(at)
        work = next((v for v in names_after(sentence, start + 1, "work", many=False)), None)
        if work is not None and work.last <= end and sentence.word(work.first - 1) != "by":
            values = [work]
        model = Referent(reading.text[work.start : work.end], reading.subject.cube, (work.start, work.end)) if work is not None and values else None
        if model is not None and who is not None and fold(model.label) == fold(who.label):
            model = None
        clauses.zones.append((start + 1, end, model))
        if model is not None and who is not None:
            _author_of_model(reading, sentence, model, values[0].last, end)


def _basis_end(sentence: Sentence, at: int) -> int:
    """The scope ends at a full stop, a semicolon, or a comma or "and" before a credit of the subject itself."""
    for index in range(at, len(sentence)):
        word = sentence.lower[index]
        if word in (".", ";"):
            return index
        if word in (",", "and") and index not in sentence.mention_at:
            following = sentence.word(index + 1)
            if following in ("and", "with", "starring", "directed", "produced", "it", "the", "he", "she", "released", "stars", "features", "was", "is", "which", "music", "scored", "featuring", "set"):
                return index
    return len(sentence)


def _author_of_model(reading: Reading, sentence: Sentence, model: Referent, at: int, end: int) -> None:
    """ "based on the novel X by Y": Y wrote X."""
    at = skip_brackets(sentence, at)
    while sentence.word(at) in ('"', "”", ",") and at < end:
        at += 1
    if sentence.word(at) in ("written", "penned", "authored"):
        at += 1
    if sentence.word(at) != "by":
        return
    for entry in reading.plan.pattern(model.cube, "author"):
        for value in names_after(sentence, at + 1, entry.kind, many=True):
            if value.last <= end:
                reading.emit(model, entry, value.start, value.end, sentence, CUE)
