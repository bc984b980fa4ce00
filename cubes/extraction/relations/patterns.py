"""What phrases cannot express: what a thing is, who made it, when, where it lies, which prizes it won."""

from __future__ import annotations

from ...core.folding import fold
from ..header import Header
from ..plan import AGENT, CueEntry
from ..section_state import CUE, STRUCTURE, SectionState
from ..words.lexicon import country_of, group, lexicon
from ..words.type_phrase import TypePhrase
from ..words.values import ValueSpan, is_verb, names_after, skip_brackets
from ..words.words import Sentence
from .clauses import Clauses

__all__ = [
    "read_awards",
    "read_containment",
    "read_event_date",
    "read_homeland",
    "read_maker",
    "read_type",
    "read_year",
]

_ARTICLES = frozenset({"a", "an", "the", "one", "another", "any", "his", "her", "its", "their"})
_CLOSING = frozenset({".", ";", "who", "which", "while", "but", "nominated", "nomination", "nominations", "nominee"})
_REACH = 40  # words from a verb of winning to the last of its prizes
_BY = {"performer": ("by", "from", "of"), "director": ("by", "from"), "author": ("by",)}
"""What stands between a thing of a maker's nouns (`of_performer`) and the maker."""
_GUESSED = 0.5  # confidence of a land that is only mentioned


def read_type(state: SectionState, header: Header) -> None:
    """The copula phrase: kind or occupations, nationalities and languages."""
    phrase, sentence, who = header.phrase, header.sentence, state.subject
    if phrase is None:
        return
    for entry in state.plan.pattern(who.cube, "type") if _tells_kind(state, header, phrase) else ():
        for span in _type_values(state, sentence, phrase, entry):
            state.emit(who, entry, *span, sentence, STRUCTURE)
    for pattern, spans in (("origin", phrase.nationalities), ("language", phrase.languages)):
        for entry in state.plan.pattern(who.cube, pattern):
            for span in spans:
                state.emit(who, entry, *span, sentence, STRUCTURE)
    if sentence.word(phrase.end) == "from":  # "is a chess grandmaster from Mexico"
        for value in names_after(sentence, phrase.end + 1, "place", many=False)[:3]:
            for entry in state.plan.pattern(who.cube, "origin"):
                if country_of(sentence.slice(value.first, value.last)):
                    state.emit(who, entry, value.start, value.end, sentence, CUE)


def _tells_kind(state: SectionState, header: Header, phrase: TypePhrase) -> bool:
    """Whether the phrase says what a thing is, and not how it is ("is popular"): an article, a land, a known noun."""
    sentence = header.sentence
    if header.copula < 0 or phrase.start <= header.copula or phrase.nationalities or phrase.languages or phrase.years:
        return True
    opening = sentence.lower[header.copula + 1 : phrase.segments[0][1]]
    if sentence.word(header.copula) in ("are", "were") or not _ARTICLES.isdisjoint(opening):
        return True
    heads, nouns = phrase.heads(sentence), state.plan.nouns
    return any(fold(head) in nouns or head in lexicon().titles or AGENT.match(head) for head in heads)


def _type_values(state: SectionState, sentence: Sentence, phrase: TypePhrase, entry: CueEntry) -> list[tuple[int, int]]:
    """Each part on its own for persons; "film and television actor" and all else stay whole where a head is missing."""
    found: list[tuple[int, int]] = []
    pending: int | None = None
    for number, (first, last) in enumerate(phrase.segments):
        while last - first > 1 and (sentence.lower[last - 1] in group("directions") or _counted(sentence, last)):
            last -= 1
        start, word = sentence.starts[first] if pending is None else pending, sentence.lower[last - 1]
        if (
            (last - first == 1 and word.endswith("est"))
            or word in group("no_type")
            or word in lexicon().kin["nouns"]
            or word in lexicon().people_of
        ):
            continue
        classes = state.plan.classes(word)
        named = state.plan.person in classes if entry.cue.many else bool(classes)
        if number == len(phrase.segments) - 1 or named or (entry.cue.many and AGENT.match(word)):
            found.append((start, sentence.ends[last - 1]))
            start = -1
        pending = start if start >= 0 else None
    return found


def _counted(sentence: Sentence, last: int) -> bool:
    """ "a river 412 kilometres": a measure ends the phrase."""
    return any(sentence.word(at)[:1].isdigit() for at in (last - 1, last - 2))


def read_year(state: SectionState, header: Header) -> None:
    """ "is a 1921 film": the year, for a thing whose full date of release the section does not give."""
    if header.phrase is None:
        return
    years = list(header.phrase.years)
    for first, last in header.brackets[:1] if not years else ():
        years = [first] if first in header.sentence.dates and last - first == 1 else []
    for entry in state.plan.pattern(state.subject.cube, "release_date"):
        for at in years[:1]:
            sure = CUE - 0.1 if state.found(entry.cue.relation) else STRUCTURE
            state.emit(state.subject, entry, *header.sentence.dates[at][:2], header.sentence, sure)


def read_maker(state: SectionState, header: Header) -> None:
    """ "is a song by X", "is a novel by X", "is the third album of the band X"; and what a song's writer also made."""
    phrase, sentence, who = header.phrase, header.sentence, state.subject
    if phrase is None:
        return
    heads, inside = set(phrase.heads(sentence)), set(sentence.lower[phrase.start : phrase.end])
    makers = [maker for nouns in (heads, inside) for maker in _BY if nouns & group(f"of_{maker}")]
    at = phrase.end
    while at < phrase.end + 4 and sentence.word(phrase.end) == "in" and sentence.word(at) != "by":
        at += 1  # "a comedy in three acts by X"
    for maker in makers[:1] if sentence.word(at) in _BY[makers[0] if makers else "author"] else ():
        for entry in state.plan.pattern(who.cube, maker):
            for value in names_after(sentence, at + 1, entry.kind, many=entry.cue.many):
                if sentence.word(at) == "by" or not sentence.mention_at[value.first].quoted:
                    state.emit(who, entry, value.start, value.end, sentence, STRUCTURE)
    if makers[:1] == ["performer"]:
        for entry in (*state.plan.pattern(who.cube, "performer"), *state.plan.pattern(who.cube, "composer")):
            _as_writer(state, entry)


def _as_writer(state: SectionState, entry: CueEntry) -> None:
    """Who wrote a song also made what nobody else is named for, as it seems: at low confidence."""
    written = {entry.cue.relation for entry in state.plan.pattern(state.subject.cube, "author")}
    if not state.found(entry.cue.relation):
        for fact in [f for f in state.facts.values() if f.relation in written and f.subject == state.subject.label]:
            sentence = next(s for s in state.sentences if s.span == fact.sentence)
            state.emit(state.subject, entry, fact.span.start, fact.span.end, sentence, 0.5)


def read_awards(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    """Names of prizes behind a verb of winning: "won 6 X Awards and the Y Medal"."""
    winning, prizes = group("winning"), group("prizes")
    for mention in sentence.mentions if not winning.isdisjoint(sentence.lower) else ():
        words = sentence.lower[mention.first : mention.last]
        if sentence.word(mention.last).startswith("nomin") or not any(w.removesuffix("s") in prizes for w in words):
            continue
        told = (at for at in range(mention.first - 1, max(-1, mention.first - _REACH), -1))
        verb = next((at for at in told if sentence.lower[at] in _CLOSING or sentence.lower[at] in winning), -1)
        who = clauses.at(verb) if verb >= 0 and sentence.lower[verb] not in _CLOSING else None
        for entry in state.plan.pattern(who.cube, "award") if who is not None else ():
            if who is not None:
                state.emit(who, entry, mention.start, mention.end, sentence, CUE)


def read_event_date(state: SectionState) -> None:
    """An event that no phrase dates happened on the first full date of its first sentence."""
    sentence = state.sentences[0]
    full = [date for _, date in sorted(sentence.dates.items()) if date[1] - date[0] > 9]
    for entry in state.plan.pattern(state.subject.cube, "event_date"):
        for date in full[:1] if not state.found(entry.cue.relation) else ():
            state.emit(state.subject, entry, date[0], date[1], sentence, 0.6)


def read_containment(state: SectionState, header: Header) -> None:
    """ "is a village in A, B, Iran": one fact per containing place, nearest first; else the land that is mentioned."""
    sentence, entries = header.sentence, state.plan.pattern(state.subject.cube, "containment")
    begin = header.phrase.end if header.phrase is not None else header.copula + 1
    if not entries or not begin:
        return
    found = _containing(sentence, begin)
    for number, value in enumerate(found):
        _emit(state, entries, (value.start, value.end), sentence, max(0.75, STRUCTURE - 0.02 * number))
    if any(country_of(sentence.slice(value.first, value.last)) for value in found):
        return
    spans = list(header.phrase.nationalities) if header.phrase is not None else []
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        if mention.first >= begin and country_of(sentence.slice(mention.first, mention.last)):
            spans.append((mention.start, mention.end))
    for span in spans[:1]:
        _emit(state, entries, span, sentence, 0.6)


def _emit(
    state: SectionState, entries: list[CueEntry], span: tuple[int, int], sentence: Sentence, confidence: float
) -> None:
    for entry in entries:
        state.emit(state.subject, entry, *span, sentence, round(confidence, 3))


def _containing(sentence: Sentence, at: int) -> list[ValueSpan]:
    """The places behind the type phrase; descriptions between them are stepped over ("an entity of", "state")."""
    found: list[ValueSpan] = []
    outside, limit = False, min(len(sentence), at + 70)
    while at < limit:
        at = skip_brackets(sentence, at)
        word = sentence.word(at)
        if word in ("in", "of", "at", "within", "from", "on", "near"):
            beside = word in ("near", "on") or sentence.word(at - 1) in group("directions")
            outside = beside or (outside and word == "of")
            values = names_after(sentence, at + 1, "place", many=False)
            island = bool(values) and word == "on" and "island" in sentence.word(values[0].last - 1)
            inside = values[1:] if outside and not island else values  # "on the river X, Vell": Vell holds it
            found += [part for value in inside for part in _parts(sentence, value)]
            at = values[-1].last if values else at + 1
        elif word in group("after_places") or at in sentence.mention_at or _ends(sentence, at):
            break
        else:
            at += 1
    return found


def _ends(sentence: Sentence, at: int) -> bool:
    return is_verb(sentence, at) and sentence.word(at) not in ("located", "situated", "based")


def _parts(sentence: Sentence, value: ValueSpan) -> list[ValueSpan]:
    """ "Central District of Andika County" lies in Andika County, which is a place of its own."""
    for at in range(value.first + 1, value.last - 1):
        inner = at + 1 + (sentence.lower[at + 1] == "the")
        area = sentence.lower[at - 1] in group("administrative")
        if sentence.lower[at] == "of" and (area or country_of(sentence.slice(inner, value.last))):
            rest = ValueSpan(sentence.starts[inner], value.end, inner, value.last)
            whole = value if at + 1 == inner else ValueSpan(value.start, sentence.ends[at - 1], value.first, at)
            return [whole, *_parts(sentence, rest)]
    return [value]


def read_homeland(state: SectionState, header: Header) -> None:
    """ "a wrestler from X", and the land of whose nationality the introduction does not give ("was King of Vell")."""
    who, sentence, phrase = state.subject, header.sentence, header.phrase
    hometown = phrase is not None and sentence.word(phrase.end) == "from"
    births = state.plan.pattern(who.cube, "birth_place")
    for entry in births if phrase is not None and hometown else ():
        if phrase is not None and not state.found(entry.cue.relation):
            for value in names_after(sentence, phrase.end + 1, "place", many=False)[:1]:
                if group("organisation_words").isdisjoint(sentence.lower[value.first : value.last]):
                    state.emit(who, entry, value.start, value.end, sentence, _GUESSED)
    entries = state.plan.pattern(who.cube, "origin")
    if who.cube != state.plan.person or not entries or state.found(entries[0].cue.relation):
        return
    for mention in sorted(sentence.mentions, key=lambda m: m.first) if header.copula >= 0 else ():
        bracketed = any(first <= mention.first < last for first, last in header.brackets)
        for first in range(mention.first, mention.last) if not bracketed and not mention.quoted else ():
            span = _land(sentence, mention.first, first, mention.last, own=mention.last <= header.copula)
            if span is not None:
                _emit(state, entries, span, sentence, _GUESSED)
                return
    born = {entry.cue.relation for entry in births}
    for fact in [f for f in state.facts.values() if f.relation in born and f.subject == who.label]:
        if country_of(fact.value):
            told = next(s for s in state.sentences if s.span == fact.sentence)
            _emit(state, entries, (fact.span.start, fact.span.end), told, _GUESSED - 0.05)
            return


def _land(sentence: Sentence, begin: int, first: int, last: int, *, own: bool) -> tuple[int, int] | None:
    """A country's name behind a title or in one's own name ("King of Vell"), or the demonym that a name begins with."""
    if first == begin and sentence.lower[first] in lexicon().people_of:
        return sentence.starts[first], sentence.ends[first]
    before = sentence.lower[max(0, first - 4) : first]
    held = not (lexicon().titles | group("offices") | group("posts")).isdisjoint(before)
    if (held or (own and "of" in before[-2:])) and country_of(sentence.slice(first, last)):
        return sentence.starts[first], sentence.ends[last - 1]
    return None
