"""Cues of the ontology: the value of the right kind behind an ``after`` phrase or in front of a ``before`` phrase."""

from __future__ import annotations

from dataclasses import replace

from ..plan import CueEntry, CuePhrase
from ..section_state import CUE, Referent, SectionState
from ..words.lexicon import country_of, group, lexicon
from ..words.measures import quantity_after, quantity_before, text_after
from ..words.values import ValueSpan, is_verb, kind_of, name_before, names_after, skip_brackets
from ..words.words import NameSpan, Sentence
from .clauses import Clauses

__all__ = ["bearer", "read_active", "read_by", "read_dated", "read_phrase", "read_roles"]

_NAMED = frozenset({"person", "place", "organization", "work", "event", "name"})
_MUSIC = frozenset({"music", "score", "soundtrack"})
_QUOTES = ('"', "”")
_OWNING = ("'s", "’s")


def read_phrase(
    state: SectionState, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[CuePhrase]
) -> None:
    """Read the values of one matched phrase (characters ``start`` to ``end``) for whomever the clause is about."""
    first, last = sentence.index(start), sentence.index(end)
    mention = sentence.mention_at.get(first)
    if mention is not None and (mention.quoted or mention.known):
        return
    who = bearer(state, sentence, clauses, first, noun=phrases[0].text.endswith((" of", " of the")))
    bare = phrases[0].text in lexicon().prepositions and not state.in_head(sentence, first - 1)
    # A bare preposition is a cue only behind what the subject is ("a band from X").
    for phrase in phrases if who is not None and not bare else ():
        if who is None or phrase.entry.cube != who.cube:
            continue
        if phrase.after and not _of_music(state, sentence, first, phrase.entry):
            for value, confidence in _values_after(state, sentence, phrase.entry, last):
                other = _other_kind(sentence, phrase.entry, value, [p.entry for p in phrases if p.after])
                if not other and not _of_body(sentence, phrase.entry, last - 2, value):
                    state.emit(who, phrase.entry, value.start, value.end, sentence, confidence)
                    if phrase.entry.cue.pattern == "basis":
                        _author_of_model(state, sentence, value)
        elif not phrase.after and phrase.entry.kind == "quantity":
            quantity = quantity_before(sentence, first)
            if quantity and quantity.first not in sentence.dates:
                state.emit(who, phrase.entry, quantity.start, quantity.end, sentence, CUE)


def bearer(
    state: SectionState, sentence: Sentence, clauses: Clauses, first: int, *, noun: bool = False
) -> Referent | None:
    """Whom a phrase is about: the clause's subject, unless a noun or name right before it claims it."""
    word, before = sentence.lower[first], sentence.mention_at.get(first - 1)
    if (before is not None and before.possessive) or sentence.word(first - 1).endswith(_OWNING):
        return state.subject if before is not None and state.is_subject(before) else None
    if word.endswith("ed") or word in ("written", "built", "held", "shot", "made", "set"):
        if _behind_title(state, sentence, first):
            return None
        if not _reduced(state, sentence, first):
            return clauses.at(first)
        classes = state.plan.classes(sentence.word(first - 1))  # "Gannet House, a studio founded in 1928"
        named = _apposed(state, sentence, first) if classes else None
        return replace(named, cube=classes[0]) if named is not None else None
    return (_apposed(state, sentence, first) if noun else None) or clauses.at(first)


def _apposed(state: SectionState, sentence: Sentence, first: int) -> Referent | None:
    """ "the grandson of Otmar Lind, the first president of X": the noun describes the name before the comma."""
    at = first - 1
    while at > first - 6 and sentence.word(at).isalpha() and sentence.words[at].islower():
        at -= 1
    named = sentence.mention_at.get(at - 1) if sentence.word(at) == "," else None
    if named is None or named.quoted or country_of(sentence.slice(named.first, named.last)):
        return None
    titled = sentence.lower[named.first] in lexicon().titles | group("offices")
    listed = sentence.word(named.first - 1) in ("in", "at", "from", "near", ",", "and", "the", "born")
    return None if titled or listed else state.referent(named, sentence=sentence)


def _behind_title(state: SectionState, sentence: Sentence, first: int) -> bool:
    """'the remake "X" directed by': the participle describes the work that is quoted in front of it."""
    titled = sentence.mention_at.get(first - 2) if sentence.word(first - 1) in _QUOTES else None
    return titled is not None and titled.quoted and not state.is_subject(titled)


def _reduced(state: SectionState, sentence: Sentence, first: int) -> bool:
    """ "a company based in X": a participle right behind another noun or name describes that, not the subject."""
    word, noun, before = sentence.lower[first], sentence.word(first - 1), sentence.mention_at.get(first - 1)
    if not noun.isalpha():
        return False
    if before is not None:
        return not state.is_subject(before) and word in group("reducible")
    plain = noun in group("breaks") or noun in lexicon().finite or noun in lexicon().prepositions
    plain = plain or noun in group("before_plain_participle") or noun in group("parts")
    if plain or noun.endswith(("ly", "ed", "ing")):
        return False
    return not (state.in_head(sentence, first - 1) or noun in state.subject.nouns)


def _values_after(state: SectionState, sentence: Sentence, entry: CueEntry, at: int) -> list[tuple[ValueSpan, float]]:
    """The values of the entry's kind at word ``at`` with their confidence."""
    kind, many = entry.kind, entry.cue.many or entry.kind == "place"
    if kind in _NAMED:
        if sentence.word(at) == "and" and at + 1 not in sentence.mention_at:  # "starring and directed by X"
            at += 3 if sentence.word(at + 2) == "by" else 2
        date = sentence.dates.get(at) if kind == "organization" else None
        if date is not None and sentence.word(date[2]) in ("on", "by", "at"):
            at = date[2] + 1  # "aired on 15 May on the X Network"
        if kind == "organization" and sentence.word(at - 1) == "in":  # "a degree in optics from X"
            at = next((i + 1 for i in range(at, at + 8) if sentence.word(i) in ("from", "at")), len(sentence))
        values = names_after(sentence, at, kind, many=many, stop=state.is_subject)
        return [(value, max(0.5, CUE - 0.02 * n)) for n, value in enumerate(values if many else values[:1])]
    value: ValueSpan | None = None
    if kind == "date":
        while sentence.word(at) in group("before_date"):
            at += 1
        date = sentence.dates.get(at)
        value = ValueSpan(date[0], date[1], at, date[2]) if date else None
    elif kind == "quantity":
        value = quantity_after(sentence, at)
    elif kind == "text":
        value = text_after(sentence, at)
        value = value if value and (sentence.words[value.first][0].islower() or at == value.first) else None
    return [(value, CUE)] if value is not None else []


def _author_of_model(state: SectionState, sentence: Sentence, model: ValueSpan) -> None:
    """ "based on the novel X by Y": Y wrote X."""
    at = skip_brackets(sentence, model.last)
    while sentence.word(at) in ('"', "”", ",", "written"):
        at += 1
    who = Referent(state.text[model.start : model.end], state.subject.cube, (model.start, model.end))
    for entry in state.plan.pattern(who.cube, "author") if sentence.word(at) == "by" else ():
        for value in names_after(sentence, at + 1, entry.kind, many=True)[:2]:
            state.emit(who, entry, value.start, value.end, sentence, CUE)


def _of_body(sentence: Sentence, entry: CueEntry, role: int, value: ValueSpan) -> bool:
    """ "director of Research", "a composer of the Renaissance": what a role is over, and no work of the person."""
    noun, mention = sentence.word(role), sentence.mention_at.get(value.first)
    if entry.kind != "work" or mention is None or mention.quoted or mention.known or sentence.word(role + 1) != "of":
        return False
    return noun in group("posts") or sentence.word(value.first - 1) == "the"


def _of_music(state: SectionState, sentence: Sentence, first: int, entry: CueEntry) -> bool:
    """ "The music was written by": who wrote that is no author of the film, but of a song."""
    told = not _MUSIC.isdisjoint(sentence.lower[max(0, first - 3) : first])
    return told and entry.cue.pattern == "author" and group("of_performer").isdisjoint(state.subject.nouns)


def _other_kind(sentence: Sentence, entry: CueEntry, value: ValueSpan, entries: list[CueEntry]) -> bool:
    """A phrase that two cues share goes to the one whose kind the name looks like ("released by")."""
    guess = kind_of(sentence.text[value.start : value.end], sentence, value) if entry.kind in _NAMED else None
    if guess is None or guess == entry.kind or entry.kind == "name":
        return False
    quoted = entry.kind == "person" and guess == "work"
    return quoted or any(other.kind == guess for other in entries if other.cube == entry.cube)


def read_active(
    state: SectionState, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[CuePhrase]
) -> None:
    """ "Teodor Lasz wrote the score", "Radek Ossory directed": the value is the clause's own subject."""
    first, last, who = sentence.index(start), sentence.index(end), state.subject
    entries = [p.entry for p in phrases if not p.after and p.entry.cube == who.cube and p.entry.kind in _NAMED]
    if not entries or first in sentence.mention_at or sentence.word(last) == "by" or clauses.foreign(first):
        return
    mention = name_before(sentence, first)
    at = mention.first - 1 - (sentence.word(mention.first - 1) == "the") if mention is not None else 0
    if sentence.word(at) == "of":  # "Sabine Okterran of the Civic Union defeated": the name before the "of" acts
        mention = sentence.mention_at.get(at - 1) or mention
    if mention is None or mention.quoted or mention.possessive or state.is_subject(mention):
        return
    if sentence.word(last - 1) in group("parts"):
        clauses.zones.append((first, last, None))
    elif not state.plan.pattern(who.cube, "event_date") and not _about_subject(state, sentence, last):
        return
    for entry in entries:
        for name in _coordinated(sentence, mention):
            state.emit(who, entry, name.start, name.end, sentence, CUE - 0.05)


def _coordinated(sentence: Sentence, mention: NameSpan) -> list[NameSpan]:
    """The name before the verb and those joined to it by "and"."""
    names, at = [mention], mention.first - 1
    while sentence.word(at) in ("and", ",", "&"):
        other = sentence.mention_at.get(at - 1 - (sentence.word(at - 1) == ","))
        if other is None or other.quoted:
            break
        names.append(other)
        at = other.first - 1
    return names


def _about_subject(state: SectionState, sentence: Sentence, last: int) -> bool:
    """Whether what follows the verb is the section's subject, a part of it, or nothing."""
    word = sentence.word(last)
    if word in ("it", ";", ".", "", "and", ",", "from", "as"):
        return True
    for at in range(last + 1, last + 5) if word in ("the", "this", "its") else ():
        if sentence.word(at) in state.subject.nouns or sentence.word(at) in group("credited_parts"):
            return True
        if at in sentence.mention_at:
            break
    mention = sentence.mention_at.get(last) or sentence.mention_at.get(last + 1)
    return mention is not None and state.is_subject(mention)


def read_by(state: SectionState, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "written, directed and produced by X": every participle of the list before "by" takes the values."""
    entries: list[CueEntry] = []
    index = _before_adjuncts(sentence, at - 1)
    for _ in range(12):
        word = sentence.word(index).removeprefix("co-")
        found = state.plan.participles.get(word, [])
        listed = sentence.word(index + 1) in ("and", ",", "&")
        joins = word in (",", "and", "&", "/", "or") or word in group("between_participles")
        if word == ")":  # "directed (and co-scripted) by X"
            index = max((i for i in range(index) if sentence.lower[i] == "("), default=0)
        elif not (found or joins or word.endswith("ly") or (word.endswith("ed") and (not entries or listed))):
            break
        entries += found
        index -= 1
    who = clauses.at(at) if not _behind_title(state, sentence, index + 1) else None
    if who is not None and any(_of_music(state, sentence, index + 1, entry) for entry in entries):
        entries = state.plan.pattern(who.cube, "composer")
    for entry in entries if who is not None else ():
        if who is None or entry.cube != who.cube:
            continue
        values = _values_after(state, sentence, entry, at + 1)
        for value, confidence in values if sentence.lower[at] == "by" else values[:1]:  # "and starring X, with Y"
            if not _other_kind(sentence, entry, value, entries):
                state.emit(who, entry, value.start, value.end, sentence, confidence)


def _before_adjuncts(sentence: Sentence, index: int) -> int:
    """Step back over "in French", "in 1926", "at Paris" between a participle and its "by"."""
    for _ in range(3):
        mention, date = sentence.mention_at.get(index), sentence.dates.get(index)
        first = mention.first if mention is not None else sentence.index(date[0]) if date is not None else 0
        if sentence.word(first - 1) not in ("in", "on", "at", "around", "about"):
            break
        index = first - 2
    return index


def read_dated(state: SectionState, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "released the picture on DATE", "founded by A and B in 1871": the date that ends the verb's own clause."""
    who, word = bearer(state, sentence, clauses, at), sentence.lower[at]
    if (who is None or not who.main) and _about_subject(state, sentence, at + 1):
        who = state.subject
    entries = state.plan.dated.get((who.cube, word), []) if who is not None else []
    for index in range(at + 1, min(at + 14, len(sentence))) if entries else ():
        date = sentence.dates.get(index)
        if date is not None and sentence.word(index - 1) in group("before_clause_date") and who is not None:
            for entry in entries:
                state.emit(who, entry, date[0], date[1], sentence, CUE - 0.05)
        if date is not None or sentence.lower[index] in group("after_clause") or is_verb(sentence, index):
            return


def read_roles(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    """ "its director, X", "the film's composer was X": the role noun names the relation."""
    for at in range(1, len(sentence)) if state.subject.cube != state.plan.person else ():
        entries = state.plan.roles.get((state.subject.cube, sentence.lower[at]), ())
        before, named = sentence.lower[at - 1], sentence.mention_at.get(at - 1)
        own = before.endswith(_OWNING) and (before[:-2] in state.subject.nouns or (named and state.is_subject(named)))
        who = clauses.at(at - 1) or state.subject if before in ("its", "their") else state.subject if own else None
        index = at + 1
        while sentence.word(index) in (",", "is", "was", "the", ":"):
            index += 1
        for entry in entries if who is not None and who.main else ():
            for value in names_after(sentence, index, entry.kind, many=False)[:1]:
                if value.first - index <= 3:
                    state.emit(state.subject, entry, value.start, value.end, sentence, CUE - 0.05)
