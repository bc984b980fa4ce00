"""The graph of entities that a knowledge base's facts make (section 3, Algorithm 2): every fact is an edge already.

A model may read further relations, which the cubes do not foresee; they become edges like facts.

A node is a thing that facts are about or lead to; what counts as the same thing is decided by name, then by class,
then by neighbours:

- a thing called by another name that a cube knows (its full name, an alias) is the same thing under both;
- things of one name but different qualifiers, "(naturalist)" and "(politician)", are different;
- a name that several things have means, at each place, the one of a fitting class that the fact's subject has to do
  with elsewhere; where none has, or several, it stays a node of its own rather than being given to the wrong one;
- a name that was read in several classes is one thing where all that is said of it in one could be said in another,
  but not the other way round: a passage may just not tell what its subject is. So it is with kinds of values.

Every name that was joined is kept with its node, and `entity_graph` leaves apart the names it is told to: merging
can be taken back. Dates and quantities are no entities.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..core.folding import base_key, fold
from ..core.records import Fact, Section
from .trees.network import WeightedGraph

__all__ = ["Entity", "EntityGraph", "Relation", "entity_graph"]

_KINDS = {"person": "person", "place": "location", "organization": "organization", "work": "cultural_product"}
"""The class that a value's kind fits."""
_NO_ENTITIES = frozenset({"date", "quantity"})
_STRONGEST = 10
_GUESSED = 0.4
"""Up to this confidence a fact was read without knowing what its words mean: it tells nothing of what things are."""
_TEXT = 100  # characters of an entity's text that are embedded

Node = tuple[str, str]  # class or kind, key


@dataclass(frozen=True, slots=True)
class Entity:
    """A node: ``type`` is a class (a cube's id) or, of what no cube has facts about, the kind of value.

    ``names`` are all spellings met, the chosen one first; ``description`` is the sentence that says what it is;
    ``sections`` (ids) are f_sour: where it is spoken of. ``id`` stays the same as long as type and name do.
    """

    id: str
    name: str
    type: str
    description: str
    names: tuple[str, ...]
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge: facts that say ``relation`` of two nodes, by their places; ``strength`` from 1 to 10 (Table 6)."""

    subject: int
    value: int
    relation: str
    strength: int
    sections: tuple[str, ...]


@dataclass(frozen=True)
class EntityGraph:
    """Entities and relations of one generation of a knowledge base, in an order that depends on the content alone."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    generation: int = 0

    @cached_property
    def network(self) -> WeightedGraph:
        """The graph by numbers: relations between two entities add their strengths, a tenth each."""
        pairs = [(r.subject, r.value) for r in self.relations]
        return WeightedGraph.of(len(self.entities), pairs, [r.strength / _STRONGEST for r in self.relations])

    @cached_property
    def by_section(self) -> Mapping[str, tuple[int, ...]]:
        """f_extr: the entities that each section (by its id) speaks of."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, entity in enumerate(self.entities):
            for section in entity.sections:
                found[section].append(place)
        return {section: tuple(places) for section, places in found.items()}

    def texts(self) -> list[str]:
        """Return what is embedded of each entity: its name and the beginning of what it is.

        The beginning says what kind of thing it is; encoding takes as long as the text is.
        """
        return [f"{entity.name}. {entity.description}"[:_TEXT].rstrip() for entity in self.entities]

    def without_lonely(self) -> EntityGraph:
        """Return the graph without entities that no relation ties to another: no tree can say anything of them."""
        held = sorted({end for r in self.relations if r.subject != r.value for end in (r.subject, r.value)})
        places = {old: new for new, old in enumerate(held)}
        relations = [
            Relation(places[r.subject], places[r.value], r.relation, r.strength, r.sections)
            for r in self.relations
            if r.subject in places and r.value in places
        ]
        return EntityGraph(tuple(self.entities[old] for old in held), tuple(relations), self.generation)


def entity_graph(
    facts: Iterable[Fact],
    sections: Mapping[str, Section],
    naming: Mapping[str, str],
    *,
    apart: Collection[str] = (),
    generation: int = 0,
) -> EntityGraph:
    """Make a graph of facts.

    ``sections`` are those the facts stand in, by id; ``naming`` names each cube's dimension whose values are names of
    the subject itself. ``apart`` are names that are never joined to another one: what was merged wrongly is taken
    apart again.
    """
    held = [fact for fact in facts if fold(fact.subject) and fold(fact.value)]
    resolver = _Resolver(held, naming, frozenset(fold(name) for name in apart))
    builder = _Builder(sections)
    for fact in held:
        subject = resolver.subject(fact)
        builder.meet(subject, fact.subject, fact, about=True)
        if fact.dimension == naming.get(fact.cube):
            if resolver.names(fact):
                builder.meet(subject, fact.value, fact, about=True)
        elif fact.kind not in _NO_ENTITIES:
            value = resolver.value(fact)
            builder.meet(value, fact.value, fact, about=False)
            builder.tie(subject, value, fact)
    return builder.graph(generation)


class _Resolver:
    """Which node a name means at a place."""

    def __init__(self, facts: list[Fact], naming: Mapping[str, str], apart: frozenset[str]) -> None:
        self._naming = naming
        self._apart = apart
        self._bearers: dict[str, set[Node]] = defaultdict(set)  # key of a name -> subjects that have it
        self._near: dict[Node, set[str]] = defaultdict(set)  # subject -> keys of what its own facts speak of
        self._classes = _told_classes((fact for fact in facts if fact.dimension != naming.get(fact.cube)), apart)
        self._kinds = _met_kinds(fact for fact in facts if fact.dimension != naming.get(fact.cube))
        for fact in facts:
            subject = self.subject(fact)
            for key in {subject[1], base_key(fact.subject)}:
                if key == subject[1] or key not in apart:
                    self._bearers[key].add(subject)
            if self.names(fact):
                self._bearers[fold(fact.value)].add(subject)
            else:
                self._near[subject].add(base_key(fact.value))

    def subject(self, fact: Fact) -> Node:
        """The node that a fact is about: every class keeps its subjects by their whole name."""
        key = fold(fact.subject)
        return self._classes.get((fact.cube, key), fact.cube), key

    def names(self, fact: Fact) -> bool:
        """Whether a fact only says what its subject is called."""
        return fact.dimension == self._naming.get(fact.cube) and fold(fact.value) not in self._apart

    def value(self, fact: Fact) -> Node:
        """The node that a fact leads to."""
        key = fold(fact.value)
        if key in self._apart:
            return _kind(fact), key
        kind = _likeliest(_kind(fact), self._kinds[key])
        alone = (kind, key)
        subject = self.subject(fact)
        bearers = [node for node in self._bearers.get(key, ()) if node != subject and self._fits(node, kind)]
        if len(bearers) > 1:
            about = base_key(fact.subject)
            bearers = [node for node in bearers if about in self._near[node]] or bearers
        return bearers[0] if len(bearers) == 1 else alone

    @staticmethod
    def _fits(node: Node, kind: str) -> bool:
        """Whether a subject may be what a value of this kind means: of its class, or of one no kind of value names."""
        return node[0] == kind or kind == "name" or node[0] not in _KINDS.values()


class _Builder:
    """Gathers what is said of each node and pair, and numbers them."""

    def __init__(self, sections: Mapping[str, Section]) -> None:
        self._sections = sections
        self._names: dict[Node, Counter[str]] = defaultdict(Counter)
        self._called: dict[Node, str] = {}
        self._spoken: dict[Node, dict[str, None]] = defaultdict(dict)
        self._saying: dict[Node, tuple[tuple[bool, bool, float], str]] = {}
        self._ties: dict[tuple[Node, Node, str], list[Fact]] = defaultdict(list)

    def meet(self, node: Node, name: str, fact: Fact, *, about: bool) -> None:
        """Note that a fact calls a node by a name; a subject keeps the name that its facts have."""
        self._names[node][name] += 1
        if about and fold(name) == node[1]:
            self._called.setdefault(node, name)
        self._spoken[node][fact.section_id] = None
        section = self._sections.get(fact.section_id)
        if section is not None:
            own = about and fold(section.title) == node[1]
            rank = (own, about, -float(fact.sentence.start))
            if node not in self._saying or rank > self._saying[node][0]:
                self._saying[node] = rank, section.text[fact.sentence.start : fact.sentence.end].strip()

    def tie(self, subject: Node, value: Node, fact: Fact) -> None:
        """Note a fact between two nodes."""
        if subject != value:
            self._ties[subject, value, fact.relation].append(fact)

    def graph(self, generation: int) -> EntityGraph:
        """Return what was gathered, in the order of classes and keys."""
        nodes = sorted(self._names)
        places = {node: place for place, node in enumerate(nodes)}
        return EntityGraph(
            tuple(self._entity(node) for node in nodes),
            tuple(
                Relation(places[subject], places[value], relation, _strength(facts), _distinct(facts))
                for (subject, value, relation), facts in sorted(self._ties.items(), key=lambda item: item[0])
            ),
            generation,
        )

    def _entity(self, node: Node) -> Entity:
        spellings = sorted(self._names[node], key=lambda name: (-self._names[node][name], name))
        name = self._called.get(node, spellings[0])
        digest = hashlib.blake2b("\0".join(node).encode(), digest_size=8).hexdigest()
        _, saying = self._saying.get(node, (None, ""))
        names = tuple(dict.fromkeys([name, *spellings]))
        return Entity(digest, name, node[0], saying, names, tuple(self._spoken[node]))


def _kind(fact: Fact) -> str:
    """What kind of node a value is: a class, or the kind itself."""
    return _KINDS.get(fact.kind, fact.kind)


def _told_classes(facts: Iterable[Fact], apart: frozenset[str]) -> dict[Node, str]:
    """Return the class that a subject is of, where it was read in another one that its facts do not tell of."""
    sayable: dict[str, set[str]] = defaultdict(set)  # class -> relations that are said of such things
    said: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for fact in facts:
        relations = said[fold(fact.subject)][fact.cube]
        if fact.confidence > _GUESSED:
            sayable[fact.cube].add(fact.relation)
            relations[fact.relation] += 1
    found: dict[Node, str] = {}
    for key, classes in said.items():
        if len(classes) < 2 or key in apart:
            continue
        best = min(classes, key=lambda cube: (-classes[cube].total(), cube))
        for cube, relations in classes.items():
            if cube != best and relations.keys() <= sayable[best] and not classes[best].keys() <= sayable[cube]:
                found[cube, key] = best
    return found


def _met_kinds(facts: Iterable[Fact]) -> dict[str, dict[str, tuple[float, int]]]:
    """Return of every value's key the kinds it was read as: how surely at best, and how often."""
    found: dict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    for fact in facts:
        kinds, kind = found[fold(fact.value)], _kind(fact)
        sure, often = kinds.get(kind, (0.0, 0))
        kinds[kind] = max(sure, fact.confidence), often + 1
    return found


def _likeliest(kind: str, kinds: Mapping[str, tuple[float, int]]) -> str:
    """Return the kind that is meant where a value was read as ``kind``: the only one that something tells."""
    if kind == "text" or len(kinds) < 2:
        return kind
    sure = [each for each, (confidence, _) in kinds.items() if confidence > _GUESSED and each != "text"]
    telling = [each for each in sure if each != "name"] or sure
    if kind in telling or len(telling) > 1:
        return kind
    return telling[0] if telling else min(kinds, key=lambda each: (-kinds[each][1], each))


def _strength(facts: list[Fact]) -> int:
    """How strongly facts tie two things: as likely as it is that one of them holds, from 1 to 10."""
    doubt = 1.0
    for fact in facts:
        doubt *= 1.0 - min(max(fact.confidence, 0.0), 1.0)
    return max(1, round(_STRONGEST * (1.0 - doubt)))


def _distinct(facts: list[Fact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.section_id for fact in facts))
