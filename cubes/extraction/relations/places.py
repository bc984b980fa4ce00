"""Where a place lies and where a person comes from: the places that contain it, and the land they belong to."""

from __future__ import annotations

from ..header import Header
from ..plan import CueEntry
from ..section_state import STRUCTURE, SectionState
from ..words.lexicon import country_of, lexicon
from ..words.values import ValueSpan, is_verb, names_after, skip_brackets
from ..words.words import Sentence

__all__ = ["read_containment", "read_homeland"]

_GUESSED = 0.5  # confidence of a land that is only mentioned


def read_containment(state: SectionState, header: Header) -> None:
    """ "is a village in A, B, Iran": one fact per containing place, nearest first; else the land that is mentioned."""
    sentence, entries = header.sentence, state.plan.pattern(state.subject.cube, "containment")
    behind = skip_brackets(sentence, header.name[1]) if header.name is not None else -1
    found = names_after(sentence, behind + 1, "place", many=False) if sentence.word(behind) == "in" else []
    begin = header.phrase.end if header.phrase is not None else header.copula + 1
    if not entries or (not found and not begin):
        return
    found += _containing(sentence, begin) if begin else []
    confidence = STRUCTURE
    for value in found:
        _emit(state, entries, (value.start, value.end), sentence, round(confidence, 3))
        confidence = max(0.75, confidence - 0.02)
    if any(country_of(sentence.slice(value.first, value.last)) for value in found):
        return
    spans = list(header.phrase.nationalities) if header.phrase is not None else []
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        whole = ValueSpan(mention.start, mention.end, mention.first, mention.last)
        for part in _parts(sentence, whole) if mention.first >= begin else ():
            if country_of(state.text[part.start : part.end]):
                spans.append((part.start, part.end))
    for span in spans[:1]:
        _emit(state, entries, span, sentence, 0.6)


def _emit(
    state: SectionState, entries: list[CueEntry], span: tuple[int, int], sentence: Sentence, confidence: float
) -> None:
    for entry in entries:
        state.emit(state.subject, entry, *span, sentence, confidence)


def _containing(sentence: Sentence, at: int) -> list[ValueSpan]:
    """The places behind the type phrase; descriptions between them are stepped over ("an entity of", "state")."""
    found: list[ValueSpan] = []
    outside, limit = False, min(len(sentence), at + 70)
    while at < limit:
        at = skip_brackets(sentence, at)
        word = sentence.word(at)
        if word in ("in", "of", "at", "within", "from", "on", "near"):
            beside = word == "near" or sentence.word(at - 1) in lexicon().group("directions")
            outside = beside or word == "on" or (outside and word == "of")
            values = names_after(sentence, at + 1, "place", many=False)
            island = bool(values) and word == "on" and "island" in sentence.word(values[0].last - 1)
            inside = values[1:] if outside and not island else values  # "on the river X, Vell": Vell holds it
            found += [part for value in inside for part in _parts(sentence, value)]
            at = values[-1].last if values else at + 1
        elif at in sentence.mention_at and sentence.word(at - 1) == "or":
            at = sentence.mention_at[at].last
        else:
            ends = word in lexicon().group("after_places") or at in sentence.mention_at
            if ends or (is_verb(sentence, at) and word not in ("located", "situated", "based")):
                break
            at += 1
    return found


def _parts(sentence: Sentence, value: ValueSpan) -> list[ValueSpan]:
    """ "Central District of Andika County" lies in Andika County, which is a place of its own."""
    for at in range(value.first + 1, value.last - 1):
        inner = at + 1 + (sentence.lower[at + 1] == "the")
        area = sentence.lower[at - 1] in lexicon().group("administrative")
        if sentence.lower[at] == "of" and (area or country_of(sentence.slice(inner, value.last))):
            rest = ValueSpan(sentence.starts[inner], value.end, inner, value.last)
            whole = value if at + 1 == inner else ValueSpan(value.start, sentence.ends[at - 1], value.first, at)
            return [whole, *_parts(sentence, rest)]
    return [value]


def read_homeland(state: SectionState, header: Header) -> None:
    """ "a wrestler from X", and the land of whose nationality the introduction does not give ("was King of Vell")."""
    who, sentence = state.subject, header.sentence
    hometown = header.phrase.end if header.phrase is not None and sentence.word(header.phrase.end) == "from" else 0
    for entry in state.plan.pattern(who.cube, "birth_place") if hometown else ():
        if not state.found(entry.cue.relation):
            for value in names_after(sentence, hometown + 1, "place", many=False)[:1]:
                if not lexicon().organisation_words.isdisjoint(sentence.lower[value.first : value.last]):
                    break
                state.emit(who, entry, value.start, value.end, sentence, _GUESSED)
    entries = state.plan.pattern(who.cube, "origin")
    if who.cube != state.plan.person or not entries or state.found(entries[0].cue.relation):
        return
    bracketed = {index for first, last in header.brackets for index in range(first, last)}
    for mention in sorted(sentence.mentions, key=lambda m: m.first) if header.copula >= 0 else ():
        for first in (
            range(mention.first, mention.last) if mention.first not in bracketed and not mention.quoted else ()
        ):
            span = _land(sentence, first, mention.last)
            named = mention.first < header.copula and "of" in sentence.lower[max(0, first - 2) : first]
            if span is not None and (named or _tells_land(sentence, mention.first, first)):
                _emit(state, entries, span, sentence, _GUESSED)
                return
    births = {entry.cue.relation for entry in state.plan.pattern(who.cube, "birth_place")}
    for fact in [f for f in state.facts.values() if f.relation in births and f.subject == who.label]:
        if country_of(fact.value):
            told = next(s for s in state.sentences if s.span == fact.sentence)
            _emit(state, entries, (fact.span.start, fact.span.end), told, _GUESSED - 0.05)
            return


def _land(sentence: Sentence, first: int, last: int) -> tuple[int, int] | None:
    """A country's name that ends the mention ("King of Vell"), the demonym it begins with, or "Vell dynasty"."""
    realm = sentence.words[first][0].isupper() and sentence.word(last) in lexicon().group("states")
    if realm or country_of(sentence.slice(first, last)):
        return sentence.starts[first], sentence.ends[last if realm else last - 1]
    if sentence.lower[first] in lexicon().people_of:
        return sentence.starts[first], sentence.ends[first]
    return None


def _tells_land(sentence: Sentence, begin: int, first: int) -> bool:
    """A land behind a title or office, not one that somebody travelled to."""
    told = lexicon().titles | lexicon().group("offices") | lexicon().group("posts")
    demonym = sentence.lower[first] in lexicon().people_of and first == begin
    return demonym or not told.isdisjoint(sentence.lower[max(0, first - 4) : first])
