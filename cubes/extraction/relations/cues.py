"""Cues of the ontology: the value of the right kind behind an ``after`` phrase or in front of a ``before`` phrase."""

from __future__ import annotations

from dataclasses import replace

from ..plan import CueEntry, CuePhrase
from ..section_state import CUE, Referent, SectionState
from ..words.lexicon import lexicon
from ..words.measures import quantity_after, quantity_before, text_after
from ..words.values import ValueSpan, is_verb, kind_of, name_before, names_after, skip_brackets
from ..words.words import NameSpan, Sentence
from .clauses import Clauses

__all__ = ["bearer", "read_active", "read_by", "read_dated", "read_phrase", "read_roles"]

_NAMED = frozenset({"person", "place", "organization", "work", "event", "name"})


def read_phrase(
    state: SectionState, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[CuePhrase]
) -> None:
    """Read the values of one matched phrase (characters ``start`` to ``end``) for whomever the clause is about."""
    first, last = sentence.index(start), sentence.index(end)
    if first >= len(sentence) or sentence.starts[first] != start:
        return
    mention = sentence.mention_at.get(first)
    if mention is not None and (mention.quoted or mention.known):
        return
    who = bearer(state, sentence, clauses, first)
    behind_head = state.in_head(sentence, first - 1)
    for phrase in phrases if who is not None else ():
        if who is None or phrase.entry.cube != who.cube:
            continue
        if phrase.text in lexicon().prepositions and not behind_head:
            continue  # a bare preposition is a cue only behind what the subject is ("a band from X")
        if phrase.after:
            for value, confidence in _values_after(state, sentence, phrase.entry, last):
                other = _other_kind(sentence, phrase.entry, value, [p.entry for p in phrases if p.after])
                if not other and not _of_body(state, sentence, phrase.entry, last - 2, value):
                    state.emit(who, phrase.entry, value.start, value.end, sentence, confidence)
                    if phrase.entry.cue.pattern == "basis":
                        _author_of_model(state, sentence, value)
        elif phrase.entry.kind == "quantity" and sentence.word(last) != "by":
            quantity = quantity_before(sentence, first)
            if quantity and quantity.first not in sentence.dates:
                state.emit(who, phrase.entry, quantity.start, quantity.end, sentence, CUE)


def bearer(state: SectionState, sentence: Sentence, clauses: Clauses, first: int) -> Referent | None:
    """Whom a phrase is about: the clause's subject, unless a noun or possessive right before it claims it."""
    before = sentence.mention_at.get(first - 1)
    if (before is not None and before.possessive) or sentence.word(first - 1).endswith(("'s", "’s")):
        return state.subject if before is not None and state.is_subject(before) else None
    return _apposed(state, sentence, first) if _reduced(state, sentence, first) else clauses.at(first)


def _apposed(state: SectionState, sentence: Sentence, first: int) -> Referent | None:
    """ "Gannet House Pictures, a studio founded in 1928": the participle describes the name before the comma."""
    at = next((i for i in range(first - 1, max(first - 5, 0), -1) if sentence.lower[i] in ("a", "an", "the")), 0)
    named = sentence.mention_at.get(at - 2) if sentence.word(at - 1) == "," else None
    classes = state.plan.nouns.get(sentence.word(first - 1))
    if named is None or named.quoted or not classes:
        return None
    return state.subject if state.is_subject(named) else replace(state.referent(named), cube=classes[0])


def _reduced(state: SectionState, sentence: Sentence, first: int) -> bool:
    """ "a company based in X": a participle right behind another noun or name describes that, not the subject."""
    word, noun = sentence.lower[first], sentence.word(first - 1)
    if not noun.isalpha() or not (word.endswith("ed") or word in ("written", "built", "held", "shot", "made", "set")):
        return False
    before = sentence.mention_at.get(first - 1)
    if before is not None:
        return not state.is_subject(before) and word in lexicon().group("reducible")
    words = lexicon()
    plain = words.group("between_participles") | words.group("before_plain_participle") | words.parts
    if noun in words.breaks | words.finite | words.prepositions | plain or noun.endswith(("ly", "ed", "ing")):
        return False
    return not (state.in_head(sentence, first - 1) or noun in state.subject.nouns)


def _values_after(state: SectionState, sentence: Sentence, entry: CueEntry, at: int) -> list[tuple[ValueSpan, float]]:
    """The values of the entry's kind at word ``at`` with their confidence."""
    kind, many = entry.kind, entry.cue.many or entry.kind == "place"
    if kind in _NAMED:
        at = _past_coordination(sentence, at)
        date = sentence.dates.get(at) if kind == "organization" else None
        if date is not None and sentence.word(date[2]) in ("on", "by", "at"):
            at = date[2] + 1  # "aired on 15 May on the X Network"
        values = names_after(sentence, at, kind, many=many, stop=state.is_subject)
        return [(value, max(0.5, CUE - 0.02 * n)) for n, value in enumerate(values if many else values[:1])]
    value: ValueSpan | None = None
    if kind == "date":
        while sentence.word(at) in lexicon().group("before_date"):
            at += 1
        date = sentence.dates.get(at)
        value = ValueSpan(date[0], date[1], at, date[2]) if date and sentence.starts[at] == date[0] else None
    elif kind == "quantity":
        value = quantity_after(sentence, at)
        value = value if value and value.first not in sentence.dates else None
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


def _of_body(state: SectionState, sentence: Sentence, entry: CueEntry, role: int, value: ValueSpan) -> bool:
    """ "director of Research", "a composer of the Renaissance": what a role is over, and no work of the person."""
    noun, mention = sentence.word(role), sentence.mention_at.get(value.first)
    if entry.kind != "work" or mention is None or mention.quoted or mention.known:
        return False
    role_of = sentence.word(role + 1) == "of" and state.plan.person in state.plan.nouns.get(noun, ())
    return role_of and (noun in lexicon().group("posts") or sentence.words[value.first - 1] == "the")


def _past_coordination(sentence: Sentence, at: int) -> int:
    """ "directed by, written by, and starring X": the value stands behind the last participle."""
    while sentence.word(at) in ("and", ",", "&"):
        step = at + 1
        while sentence.word(step) in ("and", "&"):
            step += 1
        if sentence.word(step) in ("starring", "featuring", "starred", "stars"):
            return step + 1
        behind = next((step + n for n in (2, 3) if sentence.word(step + n - 1) == "by"), None)
        if behind is None or step in sentence.mention_at:
            return at
        at = behind
    return at


def _other_kind(sentence: Sentence, entry: CueEntry, value: ValueSpan, entries: list[CueEntry]) -> bool:
    """A phrase that two cues share goes to the one whose kind the name looks like ("released by")."""
    guess = kind_of(sentence.text[value.start : value.end], sentence, value) if entry.kind in _NAMED else None
    if guess is None or guess == entry.kind or entry.kind == "name":
        return False
    quoted = entry.kind == "person" and guess == "work" and sentence.mention_at[value.first].quoted
    return quoted or any(other.kind == guess for other in entries if other.cube == entry.cube)


def read_active(
    state: SectionState, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[CuePhrase]
) -> None:
    """ "Teodor Lasz wrote the score", "Radek Ossory directed": the value is the clause's own subject."""
    first, last, who = sentence.index(start), sentence.index(end), state.subject
    entries = [p.entry for p in phrases if not p.after and p.entry.cube == who.cube and p.entry.kind in _NAMED]
    if not entries or first >= len(sentence) or sentence.starts[first] != start or first in sentence.mention_at:
        return
    modelled = any(low <= first < high and zone is None for low, high, zone in clauses.zones)
    mention = name_before(sentence, first) if sentence.word(last) != "by" and not modelled else None
    if mention is None:
        return
    mention = _acting(sentence, mention)
    if sentence.word(last - 1) in lexicon().parts:
        clauses.zones.append((first, last, None))
    elif not state.plan.pattern(who.cube, "event_date"):
        opening = mention.first < 2 or sentence.word(mention.first - 1) in (";", ":", ",")
        if not _about_subject(state, sentence, last, opening=opening):
            return
    if mention.quoted or mention.possessive or state.is_subject(mention):
        return
    for entry in entries:
        for name in _coordinated(sentence, mention):
            state.emit(who, entry, name.start, name.end, sentence, CUE - 0.05)


def _acting(sentence: Sentence, mention: NameSpan) -> NameSpan:
    """ "Sabine Okterran of the Civic Union defeated": the name before the "of" is the one that acts."""
    at = mention.first - 1
    at -= sentence.word(at) == "the"
    other = sentence.mention_at.get(at - 1) if sentence.word(at) == "of" else None
    return other if other is not None and not other.quoted else mention


def _coordinated(sentence: Sentence, mention: NameSpan) -> list[NameSpan]:
    """The name before the verb and those joined to it by "and"."""
    names = [mention]
    at = mention.first - 1
    while sentence.word(at) in ("and", ",", "&") and len(names) < 6:
        other = sentence.mention_at.get(at - 1 - (sentence.word(at - 1) == ","))
        if other is None or other.quoted:
            break
        names.append(other)
        at = other.first - 1
    return names


def _about_subject(state: SectionState, sentence: Sentence, last: int, *, opening: bool) -> bool:
    """Whether what follows the verb is the section's subject, a part of it, or nothing."""
    word = sentence.word(last)
    if word in ("it", ";", ".", "", "and") or (word in ("from", "as") and opening):
        return True
    for at in range(last + 1, last + 5) if word in ("the", "this", "its") else ():
        noun = sentence.word(at)
        if noun in state.subject.nouns or noun in lexicon().group("credited_parts"):
            return True
        if noun in ("and", ",") or at in sentence.mention_at:
            break
    mention = sentence.mention_at.get(last) or sentence.mention_at.get(last + 1)
    return mention is not None and state.is_subject(mention)


def read_by(state: SectionState, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "written, directed and produced by X": every participle of the list before "by" takes the values."""
    entries: list[CueEntry] = []
    index = _before_adjuncts(sentence, at - 1)
    for _ in range(12):
        word = sentence.word(index).removeprefix("co-")
        found = state.plan.participle(word)
        listed = sentence.word(index + 1) in ("and", ",", "&")
        joins = word in (",", "and", "&", "/", "or") or word in lexicon().group("between_participles")
        if word == ")":  # "directed (and co-scripted) by X"
            index = max((i for i in range(index) if sentence.lower[i] == "("), default=0)
        elif not (found or joins or word.endswith("ly") or (word.endswith("ed") and (not entries or listed))):
            break
        entries += found
        index -= 1
    who = clauses.at(at)
    for entry in entries if who is not None else ():
        if who is None or entry.cube != who.cube:
            continue
        values = _values_after(state, sentence, entry, at + 1)
        starring = sentence.lower[at] != "by"
        for value, confidence in values[:1] if starring else values:  # "written, directed and starring X, with Y"
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
    if (who is None or not who.main) and _about_subject(state, sentence, at + 1, opening=False):
        who = state.subject
    entries = state.plan.dated.get((who.cube, word), []) if who is not None else []
    for index in range(at + 1, min(at + 14, len(sentence))) if entries else ():
        date = sentence.dates.get(index)
        if date is not None and sentence.word(index - 1) in lexicon().group("before_clause_date") and who is not None:
            for entry in entries:
                state.emit(who, entry, date[0], date[1], sentence, CUE - 0.05)
        ends = sentence.lower[index] in lexicon().group("after_clause") or is_verb(sentence, index)
        if date is not None or ends or clauses.at(index) is not clauses.at(at):
            return


def read_roles(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    """ "its director, X", "the film's composer was X": the role noun names the relation."""
    for at in range(1, len(sentence)):
        before, noun = sentence.lower[at - 1], sentence.lower[at]
        who, named = state.subject, sentence.mention_at.get(at - 1)
        if before in ("its", "their"):
            who = clauses.at(at - 1) or who
        elif not before.endswith(("'s", "’s")) or (
            before[:-2] not in who.nouns and (named is None or not state.is_subject(named))
        ):
            continue
        index = at + 1
        while sentence.word(index) in (",", "is", "was", "the", ":"):
            index += 1
        for entry in state.plan.roles.get((who.cube, noun), ()) if who.cube != state.plan.person else ():
            for value in names_after(sentence, index, entry.kind, many=False)[:1]:
                if value.first - index <= 3:
                    state.emit(who, entry, value.start, value.end, sentence, CUE - 0.05)
