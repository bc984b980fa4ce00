"""Retrieval from cubes and from passages: the one face that the loop, the command line and evaluation use.

Nothing is built before it is needed: BM25 at its first use, the dense index (and with it the encoder) only
where exact matching finds no label or dense passages are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from ..core.columns import Arrays
from ..core.errors import UsageError
from ..core.folding import fold_words
from ..core.lexical import Bm25Index, Mask, Scores, common, tokens, weighed
from ..core.records import Component, Filters, Hit, LabelRanking, MetadataValue, Retrieval, Section
from ..model.cells import CubeSet
from ..model.labels import Ordinals
from .document_ranking import DocumentSearch
from .explanation import Explanation, explain
from .filters import FilteredDocument, section_mask
from .fusion import rrf
from .hiqa.augment import NO_DESCRIPTIONS
from .hiqa.keywords import speaks_of_documents
from .hiqa.routes import MultiRoute
from .hiqa.vectors import IndexVectorRoute
from .link_tables import LinkTables, link_columns
from .links import LinkIndex
from .matching import DenseIndex, MatchedComponent, match
from .ranking import ComponentCover, RankedSection, rank

__all__ = ["FUSION_DEPTH", "DenseIndex", "PassageMode", "Retriever"]

PassageMode = Literal["bm25", "dense", "hybrid"]

FUSION_DEPTH = 100
"""How deep the two rankings are that hybrid retrieval fuses."""

_WORDED = 20  # sections that hold all words of a name, looked through for the name itself
_FOLDED = 4_096  # sections whose folded text is remembered
_MASKS_KEPT = 16
_NO_FILTERS = Filters()


Kept = Callable[[str, Callable[[], Arrays]], Arrays]


def _made(_: str, make: Callable[[], Arrays]) -> Arrays:
    return make()


class Retriever:
    """Cube and passage retrieval over one generation of a knowledge base.

    ``sections`` are those the cubes were built from, in the same order. ``metadata`` maps document ids to
    what filters look at. ``columns`` returns the columns of a name where they are kept, or else those made by the
    function given. ``descriptions`` tell of figures, by id. Without a ``dense`` index only exact and lexical routes are
    open.
    """

    def __init__(
        self, cubes: CubeSet, sections: Sequence[Section], dense: DenseIndex | None = None, *,
        metadata: Mapping[str, FilteredDocument] | None = None, columns: Kept | None = None,
        descriptions: Mapping[str, str] = NO_DESCRIPTIONS,
    ) -> None:
        self.cubes = cubes
        self._sections = sections
        if sections is not cubes.texts.sections and tuple(section.id for section in sections) != cubes.texts.ids:
            raise ValueError("A retriever needs the sections of its cubes, in the same order.")
        self._dense = dense
        self._columns = columns or _made
        self._descriptions = descriptions
        self._documents = metadata or {}
        self._masks: dict[object, Mask] = {}
        self._folded = lru_cache(_FOLDED)(self._fold)

    @property
    def dense(self) -> DenseIndex | None:
        """The index that is asked for what is near; None where only exact and lexical routes are open."""
        return self._dense

    def over(self, cubes: CubeSet) -> Retriever:
        """Return retrieval over the same sections and vectors by other cubes of them, such as fewer."""
        return Retriever(
            cubes, self._sections, self._dense, metadata=self._documents, columns=self._columns,
            descriptions=self._descriptions,
        )

    def cube(
        self, cube_id: str, components: Sequence[Component], query: str, *, k: int, tau: float,
        filters: Filters = _NO_FILTERS, top_tier_only: bool = False, exact: bool = True, dense: bool = True,
        ranking: LabelRanking = "auto",
    ) -> Retrieval:
        """Retrieve the ``k`` sections of one cube that cover most components (MultiCube-RAG 3.3).

        Components of another cube and empty ones are left out. ``query`` is the subquery, for lexical ties
        only. A hit's score is the share of components it covers. ``exact`` and ``dense`` leave a route of matching
        out where they are False. ``ranking`` is how a hypercube ranks documents (see `documentwise`); in other
        cubes coverage decides.
        """
        asked = tuple(part for part in components if part.cube == cube_id and part.entity.strip())
        allowed = self._allowed(filters)
        index = self._dense if dense else None
        if cube_id in self.cubes and self.cubes[cube_id].spec.is_hypercube:
            return self._documents_by_label.search(
                asked, k, self._lexical(query), tau=tau, dense=index, allowed=allowed, exact=exact, ranking=ranking
            )
        found = [match(self.cubes, part, dense=index, tau=tau, allowed=allowed, exact=exact) for part in asked]
        covers = self._anchored(found, [each.cover(allowed) for each in found])
        ranked = rank(covers, k, self._lexical(query), top_tier_only=top_tier_only)
        hits = tuple(self._hit(each, position, found) for position, each in enumerate(ranked, start=1))
        return Retrieval(hits, asked)

    @cached_property
    def _documents_by_label(self) -> DocumentSearch:
        """Retrieval of documents from hypercubes."""
        return DocumentSearch(self.cubes, self._sections, self._by_id, self._by_words)

    def passages(
        self, query: str, *, k: int, mode: PassageMode = "hybrid", rrf_k: int = 60,
        filters: Filters = _NO_FILTERS,
    ) -> Retrieval:
        """Retrieve sections by words, by meaning, or by both fused; the score is BM25's, the cosine or RRF's.

        Without a dense index hybrid is BM25, and the hits say so in their source.
        """
        if k < 1:
            return Retrieval(())
        if mode == "hybrid" and self._dense is None:
            mode = "bm25"
        allowed, words = self._allowed(filters), tokens(query) if mode != "dense" else []
        if mode == "bm25":
            ranking = self._by_words(words, k, allowed)
        elif mode == "dense":
            ranking = self._by_meaning(query, k, allowed)
        else:
            depth = max(k, FUSION_DEPTH)
            rankings = (self._by_words(words, depth, allowed), self._by_meaning(query, depth, allowed))
            ranking = rrf([[section_id for section_id, _ in each] for each in rankings], rrf_k)[:k]
        lexical = self._word_scores(words, [section_id for section_id, _ in ranking])
        return Retrieval(tuple(
            Hit(section_id, position, score, 0, 0, source=mode, lexical=lexical.get(section_id, 0.0))
            for position, (section_id, score) in enumerate(ranking, start=1)
        ))

    def many(
        self, queries: Sequence[str], *, k: int, mode: PassageMode = "hybrid", rrf_k: int = 60,
        filters: Filters = _NO_FILTERS, about: Sequence[str] = (),
    ) -> list[Retrieval]:
        """Retrieve the ``k`` sections of each of many queries, in their order, as `passages` does for one.

        It serves MuISQA eq. 9-11: all are embedded in one call and looked up in one. Hybrid fuses lists of the depth
        asked for: what a short statement means is at the top of both. ``about`` are the names that the queries are
        about, "" for none: where one stands in no more than ``k`` sections, hybrid gives these alone, the best by
        words first, and embeds nothing, as exact matching comes before dense in a cube.
        """
        if k < 1 or not queries:
            return [Retrieval(()) for _ in queries]
        use = "bm25" if self._dense is None and mode == "hybrid" else mode
        allowed = self._allowed(filters)
        held = {name: self.naming(name, k=k, filters=filters) for name in {*about}} if use == "hybrid" else {}
        named = {n: held[name] for n, name in enumerate(about) if held.get(name)}
        left = [n for n in range(len(queries)) if n not in named]
        near = self._by_meaning_many([queries[n] for n in left], k, allowed) if use != "bm25" and left else []
        meant = dict(zip(left, near, strict=False))
        return [self._listed(use, rrf_k, k, [
            self._ranked_by_words(query, named[n]) if n in named
            else self._by_words(tokens(query), k, allowed) if use != "dense" else [],
            meant.get(n, []),
        ]) for n, query in enumerate(queries)]

    def _ranked_by_words(self, query: str, ordinals: Sequence[int]) -> list[tuple[str, float]]:
        if len(ordinals) == 1:  # as of most names: nothing to rank
            return [(self.cubes.texts.ids[ordinals[0]], 0.0)]
        scores = self._word_scores(tokens(query), [self.cubes.texts.ids[n] for n in ordinals])
        return sorted(scores.items(), key=lambda pair: -pair[1])

    def naming(self, name: str, *, k: int, filters: Filters = _NO_FILTERS) -> list[int]:
        """Return the ordinals of the sections in which a name stands, ascending, if they are ``k`` at most; else none.
        """
        words, allowed = fold_words(name), self._allowed(filters)
        holding = self._bm25.holding(tokens(name)) if words else ()
        if allowed is None and len(holding) > _WORDED:
            return []
        held = [n for n in map(int, holding) if allowed is None or allowed[n]]
        if not 0 < len(held) <= _WORDED:
            return []
        key = f" {' '.join(words)} "
        found = [n for n in held if key in self._folded(n)]
        return found if len(found) <= k else []

    def _fold(self, ordinal: int) -> str:
        """A section's headings and text as words between single spaces."""
        section = self._sections[ordinal]
        return f" {' '.join(fold_words(' '.join((*section.path, section.text))))} "

    def _listed(self, mode: PassageMode, rrf_k: int, k: int, lists: Sequence[Sequence[tuple[str, float]]]) -> Retrieval:
        held = [each for each in lists if each]
        ranking = rrf([[i for i, _ in each] for each in held], rrf_k)[:k] if mode == "hybrid" else [*(held or [()])[0]]
        return Retrieval(tuple(
            Hit(section_id, position, score, 0, 0, source=mode)
            for position, (section_id, score) in enumerate(ranking, start=1)
        ))

    def linked(
        self, query: str, *, k: int, filters: Filters = _NO_FILTERS, dense: bool = True, follow: bool = True
    ) -> Retrieval:
        """Retrieve sections by words and meaning, and those that the names in the first ones lead to.

        For a subquery that no cell answers, and for a question whose steps are not known: of the sections on a
        path of several hops the later ones share little with the question (see `links`). ``dense`` and
        ``follow`` False leave meaning and links out.
        """
        allowed, ordinals = self._allowed(filters), self.cubes.texts.ordinals
        use_meaning = dense and self._dense is not None
        nearest = self._by_meaning(query, max(k, FUSION_DEPTH), allowed) if use_meaning else []
        near = {ordinals[section_id]: cosine for section_id, cosine in nearest}
        best = self._links.best(query, near, k, follow=follow, allowed=allowed) if k > 0 else []
        return Retrieval(tuple(
            Hit(self.cubes.texts.ids[n], rank, score, 0, 0, source="linked")
            for rank, (n, score) in enumerate(best, start=1)
        ))

    def hiqa(
        self, query: str, *, k: int, alpha: float | None = None, beta: float | None = None,
        filters: Filters = _NO_FILTERS, dense: bool = True, keywords: Sequence[str] = (),
    ) -> Retrieval:
        """Retrieve sections by HiQA's multi-route score (equation 2) over their augmented texts.

        A hit's score is α·s_v + (1 − α)·s_r + β·log(1 + |C|), and its ``parts`` are these three; ``alpha`` and ``beta``
        None are the collection's defaults (see `hiqa.defaults`). ``keywords`` are the lines of an expert list.
        Without a dense index, or with ``dense`` False, α is 0.
        """
        found = self._routes.search(
            query, k, alpha=alpha, beta=beta, allowed=self._allowed(filters), experts=keywords, meaning=dense
        )
        ids = self.cubes.texts.ids
        return Retrieval(tuple(
            Hit(ids[each.ordinal], rank, each.score, 0, 0, source="hiqa", parts=each.parts)
            for rank, each in enumerate(found, start=1)
        ))

    def near_abstractions(self, query: str, k: int) -> Mapping[str, float]:
        """Return the cosines of the ``k`` abstractions (SMART) nearest to a query, by digest; none without an index."""
        return dict(self._dense.abstractions(query, k)) if self._dense is not None else {}

    @property
    def structured(self) -> bool:
        """Whether any document has chapters: its sections stand under headings."""
        return self._routes.structured

    def about_documents(self, query: str) -> bool:
        """Whether a query is about documents that have chapters.

        It names a title or a product code of theirs, or speaks of sections, tables, figures and the like.
        """
        return self.structured and (speaks_of_documents(query) or self._routes.named(query))

    def allows(self, filters: Filters) -> int:
        """Return how many sections the filters leave."""
        allowed = self._allowed(filters)
        return len(self._sections) if allowed is None else int(allowed.sum())

    def allowing(self, filters: Filters) -> Callable[[str], bool]:
        """Return whether the filters leave a section, as a test of its id."""
        allowed, ordinals = self._allowed(filters), self.cubes.texts.ordinals
        return (lambda _: True) if allowed is None else lambda section_id: bool(allowed[ordinals[section_id]])

    def explain(self, retrieval: Retrieval) -> Explanation:
        """Say which cubes, dimensions and labels made the hits; ``str()`` of it is a table."""
        return explain(retrieval, self._by_id, self.cubes.ontology)

    @cached_property
    def _bm25(self) -> Bm25Index:
        """Built at first use, over heading path and text."""
        return Bm25Index(arrays=self._columns("words", self._weighed))

    def _weighed(self) -> Arrays:
        return weighed(tokens(f"{' '.join(section.path)}\n{section.text}") for section in self._sections)

    @cached_property
    def _routes(self) -> MultiRoute:
        """Multi-route retrieval (HiQA), whose parts are built at first use, as BM25 is."""
        dense, texts = self._dense, self.cubes.texts
        near = IndexVectorRoute(dense, texts.ids, texts.ordinals) if dense is not None else None
        return MultiRoute(
            self._sections, near, pages=self._pages, descriptions=self._descriptions, columns=self._columns
        )

    def _pages(self) -> Mapping[str, MetadataValue | None]:
        return {document: info.metadata.get("pages") for document, info in self._documents.items()}

    @cached_property
    def _links(self) -> LinkIndex:
        """Built at first use, as BM25 is, or read from what the writer left.

        The two share nothing, for the baselines are the plain one.
        """
        return LinkIndex(self._sections, LinkTables(self._columns("links", lambda: link_columns(self._sections))))

    @cached_property
    def _by_id(self) -> Mapping[str, Section]:
        return {section.id: section for section in self._sections}

    def _by_words(self, words: Sequence[str], k: int, allowed: Mask | None) -> list[tuple[str, float]]:
        ids = self.cubes.texts.ids
        return [(ids[ordinal], score) for ordinal, score in self._bm25.search(words, k, allowed)]

    def _word_scores(self, words: Sequence[str], section_ids: Sequence[str]) -> Mapping[str, float]:
        """The scores of sections by words; none where there are no words."""
        if not words:
            return {}
        ordinals = np.array(sorted(self.cubes.texts.ordinals[section_id] for section_id in section_ids), dtype=np.int64)
        scores = self._bm25.scores_of(words, ordinals)
        return {self.cubes.texts.ids[n]: score for n, score in zip(ordinals.tolist(), scores.tolist(), strict=True)}

    def _by_meaning(self, query: str, k: int, allowed: Mask | None) -> list[tuple[str, float]]:
        """Ask the dense index, for more while filters leave too few; it knows nothing of filters."""
        if self._dense is None:
            raise UsageError("Dense retrieval needs an encoder, and none is open here; use bm25.")
        ordinals, depth = self.cubes.texts.ordinals, k
        while True:
            nearest = self._dense.passages(query, depth)
            kept = [(section_id, float(cosine)) for section_id, cosine in nearest
                    if section_id in ordinals and (allowed is None or allowed[ordinals[section_id]])]
            if len(kept) >= k or depth >= len(ordinals):
                return kept[:k]
            depth = min(depth * 4, len(ordinals))

    def _by_meaning_many(
        self, queries: Sequence[str], k: int, allowed: Mask | None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Ask the dense index for all queries at once; where filters leave too few, each is asked by itself."""
        if self._dense is None:
            raise UsageError("Dense retrieval needs an encoder, and none is open here; use bm25.")
        if allowed is not None:
            return [self._by_meaning(query, k, allowed) for query in queries]
        ordinals = self.cubes.texts.ordinals
        found = self._dense.passages_of_many(queries, k)
        return [[(i, float(cosine)) for i, cosine in near if i in ordinals] for near in found]

    def _anchored(self, found: Sequence[MatchedComponent], covers: Sequence[ComponentCover]) -> list[ComponentCover]:
        """Keep the sections in which one of the subquery's entities stands.

        A relation phrase ("directed by") tags every section of its kind; alone it says nothing about the subject asked
        for, so where a subquery names entities, sections that share only its relation are no partial cover.
        """
        named = [c for m, c in zip(found, covers, strict=True) if not self._is_phrase(m.component)]
        if not named:
            return list(covers)
        if len(covers) == 1:
            return [cover for cover in covers if len(cover.ordinals)]
        standing = np.unique(np.concatenate([c.ordinals for c in named]))
        kept = [common(standing, c.ordinals)[1] for c in covers]
        return [ComponentCover(c.ordinals[k], c.counts[k]) for c, k in zip(covers, kept, strict=True) if len(k)]

    def _is_phrase(self, component: Component) -> bool:
        axis = self.cubes[component.cube].axis(component.dimension)
        return axis is not None and axis.dimension.role == "relation"

    def _lexical(self, query: str) -> Callable[[Ordinals], Scores]:
        def scores(ordinals: Ordinals) -> Scores:
            return self._links.lexical(query, ordinals)

        return scores

    def _hit(self, ranked: RankedSection, position: int, found: Sequence[MatchedComponent]) -> Hit:
        section_id = self.cubes.texts.ids[ranked.ordinal]
        matches = tuple(reason for each in found if (reason := each.explain(section_id)) is not None)
        share = ranked.covered / len(found)
        return Hit(section_id, position, share, ranked.covered, len(found), matches, ranked.lexical)

    def _allowed(self, filters: Filters) -> Mask | None:
        """Return which sections the filters allow, kept for repeated use; None without filters."""
        if not filters:
            return None
        key = (filters.sources, tuple(sorted(filters.metadata.items())), filters.since, filters.until)
        found = self._masks.get(key)
        if found is None:  # another thread may empty what is kept at any time
            found = section_mask(self._sections, self._documents, filters)
            if len(self._masks) >= _MASKS_KEPT:
                self._masks.clear()
            self._masks[key] = found
        return found
