"""The abstraction trees (SMART) as lines for a terminal, as JSON, and as a page that draws them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ...cubes.smart.abstractions import Finding, node_id
from ...cubes.smart.trees.encoding_trees import TreeNode
from .text import clean, shorten

if TYPE_CHECKING:
    from ...cubes.knowledge.base import KnowledgeBase
    from ...cubes.smart.abstractions import Abstraction
    from ...cubes.smart.perspectives import Perspectives

__all__ = ["node_json", "node_lines", "outline", "page", "path_json", "path_lines", "trees_json"]

_SHOWN = 40
_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222;background:#fff}
details{margin-left:1.2rem;border-left:2px solid #cfd8e3;padding-left:.7rem}summary{cursor:pointer;padding:.15rem 0}
.bar{display:inline-block;height:.6rem;background:#4878a8;margin-right:.5rem;min-width:2px;border-radius:2px}
.id,.members{color:#667}li{margin:.2rem 0}h2{margin-top:2rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16191d}.id,.members{color:#9aa}}
"""


def outline(known: Perspectives, trees: Sequence[int]) -> Iterator[Text]:
    """Render the trees from the top, a node a line."""
    for tree in trees:
        yield Text(f"tree {tree + 1}", style="bold")
        for node, depth in _walk(known, tree):
            size = len(known.trees[tree].members(node))
            line = Text("  " * (depth + 1)).append(node_id(tree, node), style="cyan").append(f"  {size:,}", style="dim")
            yield line.append(f"  {clean(_title(known, tree, node))}")


def trees_json(known: Perspectives, trees: Sequence[int]) -> list[dict[str, Any]]:
    """Return the trees as records: each node with its parent, size, title and summary."""
    return [
        {
            "tree": tree + 1,
            "nodes": [_node_facts(known, tree, node) for node, _ in _walk(known, tree)],
        }
        for tree in trees
    ]


def node_json(known: Perspectives, one: Abstraction) -> dict[str, Any]:
    """Return a node as a record: report, entities and sections."""
    return {
        **_node_facts(known, one.tree, one.node),
        "children": [node_id(one.tree, child) for child in known.trees[one.tree].children(one.node)],
        "findings": [
            {"id": f.id, "text": f.text, "explanation": f.explanation, "sections": list(f.sections)}
            for f in one.findings
        ],
        "entities": [{"name": e.name, "type": e.type} for e in known.members(one)],
        "sections": list(known.sections(one)),
    }


def node_lines(known: Perspectives, one: Abstraction, kb: KnowledgeBase) -> Iterator[Text]:
    """Render a node: title, summary, findings with the documents they rest on, and its entities."""
    yield Text(f"{one.id}  ", style="cyan").append(clean(one.title), style="bold")
    yield Text(clean(one.summary))
    for finding in one.findings:
        yield Text()
        yield Text(f"{finding.id}  ", style="cyan").append(clean(finding.text))
        yield Text(f"    {clean(finding.explanation)}", style="dim")
        for section in finding.sections[:3]:
            yield Text(f"    {section}  {clean(shorten(' > '.join(kb.section(section).path), 80))}", style="dim")
        if len(finding.sections) > 3:
            yield Text(f"    and {len(finding.sections) - 3} more sections", style="dim")
    members = known.members(one)
    yield Text()
    yield Text(f"entities: {clean(', '.join(e.name for e in members[:_SHOWN]))}").append(
        f" and {len(members) - _SHOWN:,} more" if len(members) > _SHOWN else ""
    )
    yield Text(f"sections: {len(known.sections(one)):,}")


def path_json(known: Perspectives, place: int) -> dict[str, Any]:
    """Return an entity with the nodes above it, tree by tree."""
    entity = known.graph.entities[place]
    ways = [
        {"tree": n + 1, "nodes": [_node_facts(known, n, node) for node in tree.path(place)]}
        for n, tree in enumerate(known.trees)
    ]
    return {"name": entity.name, "type": entity.type, "names": list(entity.names), "paths": ways}


def path_lines(known: Perspectives, place: int) -> Iterator[Text]:
    """Render an entity's way up each tree."""
    entity = known.graph.entities[place]
    yield Text(clean(entity.name), style="bold").append(f" ({clean(entity.type)})", style="dim")
    for n, tree in enumerate(known.trees):
        yield Text(f"  tree {n + 1}")
        for node in tree.path(place):
            line = Text("    " + "  " * (node.level - 1)).append(node_id(n, node), style="cyan")
            line.append(f"  {len(tree.members(node)):,}", style="dim")
            yield line.append(f"  {clean(_title(known, n, node))}")


def page(known: Perspectives, trees: Sequence[int], kb: KnowledgeBase) -> str:
    """Return a page that draws the trees: self-contained, and whatever documents say is text in it, never markup."""
    parts = [_drawn(known, tree, kb) for tree in trees]
    count = f"{len(known.graph.entities):,} entities, {len(known.graph.relations):,} relations"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Abstraction trees</title>'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">'
        f"<style>{_STYLE}</style></head>\n<body><h1>Abstraction trees</h1><p>{count}</p>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _drawn(known: Perspectives, tree: int, kb: KnowledgeBase) -> str:
    top = len(known.trees[tree].levels)
    roots = sorted((n for n in known.trees[tree].internals() if n.level == top), key=lambda n: n.number)
    inside = "".join(_branch(known, tree, node, kb) for node in roots)
    return f"<h2>Tree {tree + 1}</h2>\n{inside}"


def _branch(known: Perspectives, tree: int, node: TreeNode, kb: KnowledgeBase) -> str:
    """A node with what it says, and the nodes below it, folded."""
    of, one = known.trees[tree], known.by_node.get((tree, node))
    members = of.members(node)
    width = max(1, round(240 * len(members) / max(of.leaves, 1)))
    head = (
        f'<summary><span class="bar" style="width:{width}px"></span><span class="id">{node_id(tree, node)}, '
        f"{len(members):,}</span> {_safe(_title(known, tree, node))}</summary>"
    )
    told = "" if one is None else f"<p>{_safe(one.summary)}</p><ul>{''.join(_told(f, kb) for f in one.findings)}</ul>"
    below = "".join(_branch(known, tree, child, kb) for child in of.children(node))
    names = ", ".join(known.graph.entities[int(m)].name for m in members[:_SHOWN])
    more = f" and {len(members) - _SHOWN:,} more" if len(members) > _SHOWN else ""
    leaves = "" if below else f'<p class="members">{_safe(names)}{more}</p>'
    return f"<details>{head}{told}{leaves}{below}</details>\n"


def _told(finding: Finding, kb: KnowledgeBase) -> str:
    titles = dict.fromkeys(kb.section(section).title for section in finding.sections[:5])
    return f'<li>{_safe(finding.text)} <span class="members">{_safe("; ".join(titles))}</span></li>'


def _node_facts(known: Perspectives, tree: int, node: TreeNode) -> dict[str, Any]:
    one, above = known.by_node.get((tree, node)), known.trees[tree].parent(node)
    return {
        "id": node_id(tree, node),
        "parent": None if above is None else node_id(tree, above),
        "size": len(known.trees[tree].members(node)),
        "title": _title(known, tree, node),
        "summary": "" if one is None else one.summary,
    }


def _title(known: Perspectives, tree: int, node: TreeNode) -> str:
    """A node's title; a node of one entity has that one's name."""
    one = known.by_node.get((tree, node))
    return one.title if one is not None else known.graph.entities[int(known.trees[tree].members(node)[0])].name


def _walk(known: Perspectives, tree: int) -> Iterator[tuple[TreeNode, int]]:
    """Yield the nodes of a tree from the top, each before those below it, with its depth."""
    of = known.trees[tree]
    waiting = [(n, 0) for n in of.internals() if n.level == len(of.levels)][::-1]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(of.children(node))]


def _safe(text: str) -> str:
    return html.escape(clean(text))
