"""Questions about two things: which of them is first, longer, older; and whether they share something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...cubes.folding import fold
from .lexicon import SameAs
from .phrases import tokens
from .plan import Comparison, Entity, Plan, Sameness, Step, Term, Want
from .terms import TermParser

__all__ = ["PairFinder"]

_MAX_NAME = 14  # tokens of the longest name looked for
_SAME = frozenset({"same", "share", "shared", "common", "both"})
_YES_NO = frozenset({"are", "is", "do", "doe", "does", "did", "were", "was", "have", "has", "had", "can"})
_JOIN = re.compile(r"^(?:and|as|or)$|^&$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Item:
    """A thing named in the question: tokens ``start`` to ``end``, and the words that describe it."""

    start: int
    end: int
    entity: Entity


class PairFinder:
    """Finds the two things a question is about by trying every split and keeping the one whose names link."""

    def __init__(self, terms: TermParser) -> None:
        self._terms = terms

    def comparison(self, text: str) -> Plan | None:
        """Read "Which film came out first, A or B?" and its many relatives."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        if folded and folded[0] in _YES_NO and {"than", "before", "after"} & set(folded):
            return self._claimed(parts, folded)
        if "or" not in folded and not ({"between", "two", "out", "among"} & set(folded) and "and" in folded):
            return None
        joins = [i for i, word in enumerate(folded) if word == "or"] or [
            i for i, word in enumerate(folded) if word == "and"
        ]
        for pair in self._pairs(parts, joins):
            frame = self._frame(folded, pair)
            comparing = self._comparative(frame)
            if comparing is None:
                continue
            bases = self._with_roles(pair, frame, parts)
            compared = self._terms.lexicon.comparatives[comparing]
            return Comparison(
                items=tuple(item.entity for item in pair),
                paths=tuple(self._measure(base, compared.relations, frame) for base in bases),
                order=compared.order,
                starts=tuple(self._measure(base, compared.starts) for base in bases) if compared.starts else (),
            )
        return None

    def _claimed(self, parts: Sequence[str], folded: Sequence[str]) -> Plan | None:
        """Read "Is A older than B?", "Did A die before B?"."""
        joins = [i for i, word in enumerate(folded) if word in ("than", "before", "after")]
        for pair in self._pairs(parts, joins):
            frame = self._frame(folded, pair)
            comparing = self._comparative(frame)
            if comparing is None:
                continue
            compared = self._terms.lexicon.comparatives[comparing]
            paths = tuple(
                self._measure(base, compared.relations, frame) for base in self._with_roles(pair, frame, parts)
            )
            return Comparison(tuple(item.entity for item in pair), paths, compared.order, claimed=True)
        return None

    def sameness(self, text: str) -> Plan | None:
        """Read "Are A and B from the same country?", "Do A and B have a director in common?"."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        if not parts or folded[0] not in _YES_NO or not _SAME & set(folded):
            return None
        joins = [i for i, part in enumerate(parts) if _JOIN.match(part) and folded[i] != "or"]
        for pair in self._pairs(parts, joins):
            frame = self._frame(folded, pair)
            shared = self._shared(frame)
            if shared is not None:
                bases = self._with_roles(pair, frame, parts, shared)
                terms = tuple(self._shared_step(base, shared) for base in bases)
                level = "value" if shared.level == "year" else shared.level
                return Sameness(terms, level)
        return None

    def _shared(self, frame: Sequence[str]) -> SameAs | None:
        """What the two are asked to share, from the words around them."""
        lexicon = self._terms.lexicon
        keys = [w for w in frame if w in lexicon.sameness]
        named = [k for k in keys if lexicon.sameness[k].level in ("country", "place")]
        if not keys or not {"same", "share", "shared", "common"} & set(frame):
            return None
        key = (named or keys)[-1]
        shared = lexicon.sameness[key]
        for word, relation in (("born", "born in"), ("died", "died in"), ("die", "died in")):
            if word in frame and shared.level == "place" and relation in lexicon.relations:
                return SameAs((relation,), "place")
        return shared

    # Finding the two names ------------------------------------------------------------------------------------

    def _pairs(self, parts: Sequence[str], joins: Sequence[int]) -> Iterator[tuple[_Item, _Item]]:
        """Pairs of linked names on both sides of a joining word, longest names first."""
        found = []
        for join in joins:
            left, right = self._before(parts, join), self._behind(parts, join)
            if left is not None and right is not None:
                known = left.entity.linked + right.entity.linked
                found.append((known, left.end - left.start + right.end - right.start, left, right))
        for entry in sorted(found, key=lambda e: (-e[0], -e[1])):
            yield entry[2], entry[3]

    def _before(self, parts: Sequence[str], join: int) -> _Item | None:
        """The longest name that ends at the joining word."""
        for start in range(max(1, join - _MAX_NAME), join):
            entity = self._name(parts, start, join)
            if entity is not None:
                return _Item(start, join, entity)
        return self._apart(parts, join) or self._unlinked(parts, join, before=True)

    def _apart(self, parts: Sequence[str], join: int) -> _Item | None:
        """The longest name somewhere before "as": "Does A have the same nationality as B"."""
        if fold(parts[join]) not in ("as", "than", "before", "after"):
            return None
        spans = ((start, end) for start in range(1, join) for end in range(min(join, start + _MAX_NAME), start, -1))
        found = [_Item(s, e, entity) for s, e in spans if (entity := self._name(parts, s, e)) is not None]
        return max(found, key=lambda item: item.end - item.start, default=None)

    def _behind(self, parts: Sequence[str], join: int) -> _Item | None:
        """The longest name soon behind the joining word; only plain words may stand between."""
        for start in range(join + 1, min(join + 11, len(parts))):
            for end in range(min(len(parts), start + _MAX_NAME), start, -1):
                entity = self._name(parts, start, end)
                if entity is not None:
                    return _Item(start, end, entity)
            if not (parts[start][:1].islower() or parts[start][:1].isdigit()):
                break
        return self._unlinked(parts, join, before=False)

    def _name(self, parts: Sequence[str], start: int, end: int) -> Entity | None:
        name = " ".join(parts[start:end]).strip(' ,;:?"')
        if (
            not name
            or not any(c.isupper() or c.isdigit() for c in name)
            or (parts[start][:1].islower() and len(name) < 4)
        ):
            return None
        if not self._terms.linker.link_exactly(name):
            return None
        described = " ".join(parts[max(0, start - 4) : start])
        subjects = self._terms.linker.by_descriptor(name, described) if _describes(described) else ()
        return Entity(subjects[0].label if len(subjects) > 1 else name)

    def _unlinked(self, parts: Sequence[str], join: int, *, before: bool) -> _Item | None:
        """A name that the corpus does not know: the capitalised run next to the joining word."""
        if before:
            start = join
            while (
                start > 1
                and (
                    parts[start - 1][:1].isupper()
                    or (start < join and parts[start - 1].islower() and len(parts[start - 1]) < 4)
                )
                and not (start < join and parts[start - 1].endswith((",", ":")))
            ):
                start -= 1
            span = (start, join)
        else:
            end = join + 1
            while end < len(parts) and (parts[end][:1].isupper() or parts[end][:1] in '"('):
                end += 1
            span = (join + 1, end)
        name = " ".join(parts[span[0] : span[1]]).strip(' ,;:?"')
        return _Item(*span, Entity(name, linked=False)) if name else None

    # What is looked up for each -------------------------------------------------------------------------------

    def _frame(self, folded: Sequence[str], pair: Sequence[_Item]) -> list[str]:
        """The words of the question outside both names."""
        return [w for i, w in enumerate(folded) if w and not any(item.start <= i < item.end for item in pair)]

    def _comparative(self, frame: Sequence[str]) -> str | None:
        """The longest comparing phrase in the frame; its words may be parted by others ("released ... first")."""
        text = " ".join(frame)
        known = sorted(self._terms.lexicon.comparatives, key=lambda k: (-len(k.split()), k))
        for key in known:
            if re.search(rf"\b{re.escape(key)}\b", text):
                return key
        for key in known:
            words = key.split()
            if len(words) > 1 and all(w in frame for w in words):
                return key
        return None

    def _with_roles(
        self, pair: Sequence[_Item], frame: Sequence[str], parts: Sequence[str], shared: SameAs | None = None
    ) -> list[Term]:
        """The two things compared; a role found for only one of them is meant for both."""
        bases = [self._with_role(item, frame, parts, shared) for item in pair]
        roles = [base for base in bases if isinstance(base, Step)]
        if len(roles) == 1 and not any(_described_by(parts, item.start) for item in pair):
            return [base if isinstance(base, Step) else replace(roles[0], base=base) for base in bases]
        return bases

    def _with_role(self, item: _Item, frame: Sequence[str], parts: Sequence[str], shared: SameAs | None = None) -> Term:
        """The item itself, or the director, author ... of it where the question asks about that person."""
        lexicon = self._terms.lexicon
        near = _described_by(parts, item.start)
        of = max((i for i, w in enumerate(near) if w == "of"), default=-1)
        apposed = set(near[of + 1 :])  # "the novelist X": X is one, not somebody's
        cubes = {s.cube for s in self._terms.linker.link(item.entity.name)}
        taken = set(shared.relations) if shared is not None else set()
        for words in (list(reversed(near[: of + 1])), [w for w in frame if w not in apposed]):
            for word in words:
                names = tuple(
                    n for n in lexicon.asks.get(word, ()) if any(r.cube in cubes for r in lexicon.relations[n])
                )
                kinds = {lexicon.relations[n][0].kind for n in names}
                if names and kinds <= {"person", "name"} and not taken & set(names):
                    return Step(item.entity, names, f"Who is the {word} of {{}}?", Want("person"), (word,))
        return item.entity

    def _measure(self, base: Term, names: Sequence[str], frame: Sequence[str] = ()) -> Step:
        """The step that looks a comparable value up."""
        fitting = tuple(n for n in names if n in self._terms.lexicon.relations)
        fitting = tuple(n for n in fitting if n in frame) or fitting  # "larger by population"
        kept = self._terms.fitting(fitting, base)
        template = _MEASURES.get(kept[0] if kept else "", "") or f"What is the {_noun(kept)} of {{}}?"
        kind = self._terms.lexicon.kind_of(kept)
        return Step(base, kept, template, Want(kind), tuple(kept[:1]))

    def _shared_step(self, base: Term, shared: SameAs) -> Step:
        kept = self._terms.fitting(shared.relations, base)
        template = _MEASURES.get(kept[0], f"What is the {_noun(kept)} of {{}}?")
        if shared.level == "country" and "located in" in kept and kept[0] == "located in":
            return Step(base, kept, "In which country is {} located?", Want("place", "country"), ("located",))
        return Step(base, kept, template, Want(self._terms.lexicon.kind_of(kept)), tuple(kept[:1]))


_MEASURES = {
    "born on": "When was {} born?",
    "died on": "When did {} die?",
    "released on": "When was {} released?",
    "founded on": "When was {} founded?",
    "opened on": "When was {} opened?",
    "born in": "Where was {} born?",
    "died in": "Where did {} die?",
    "located in": "Where is {} located?",
    "nationality": "What nationality is {}?",
    "country of origin": "What is the country of origin of {}?",
    "directed by": "Who is the director of {}?",
    "composed by": "Who is the composer of {}?",
    "written by": "Who is the author of {}?",
    "performed by": "Who is the performer of {}?",
    "produced by": "Who is the producer of {}?",
}


def _noun(names: Sequence[str]) -> str:
    return names[0] if names else "value"


def _described_by(parts: Sequence[str], start: int) -> list[str]:
    """The words right before a name, as far back as punctuation or another name."""
    found: list[str] = []
    for part in reversed(parts[max(0, start - 7) : start]):
        if part.endswith((",", ":", ";")) or part[:1].isupper():
            break
        found.insert(0, fold(part))
    return found


def _describes(words: str) -> bool:
    return bool(re.search(r"\b\d{4}\b", words)) or bool(re.search(r"\b[a-z]{3,}$", words))
