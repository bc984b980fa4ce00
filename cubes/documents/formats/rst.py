"""reStructuredText files as Markdown: docutils reads them, and what it makes of them is read as a page.

Directives and roles that docutils does not know, as Sphinx has many, cost nothing but themselves: what a role marks is
its text, and what an unknown directive holds is read as if it stood alone.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree
from docutils.utils import SystemMessage

from ..textfiles import MAX_RECORD, TextFileFault, read_any
from .html.convert import page
from .records import ConvertedFile

__all__ = ["convert"]

_SETTINGS = {
    "_disable_config": True,
    "doctitle_xform": True,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "math_output": "LaTeX",
    "output_encoding": "unicode",
    "raw_enabled": False,
    "report_level": 5,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "warning_stream": False,
}
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|]*\| )?(?P<name>[\w:+.-]+)::[ \t]*(?P<argument>.*)")
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")
_ROLE = re.compile(r"^:?[\w:+.-]*:?`(?P<text>.*)`$", re.DOTALL)
_TARGET = re.compile(r"\s*<[^<>]*>$")
_OF_LINKS = frozenset({"toctree", "contents", "include", "literalinclude", "image", "figure"})
_COLON = '<span class="colon">:</span>'  # which the page's reader adds as well
_PAGE_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_DEEPEST = 4


def convert(path: Path) -> ConvertedFile:
    """Return a reStructuredText file as Markdown; no other file is read into it. Raises TextFileFault."""
    text, encoding = read_any(path, MAX_RECORD)
    try:
        tree = _tree(text, 0)
        written = str(publish_from_doctree(tree, writer="html5", settings_overrides=_SETTINGS))
    except (SystemMessage, RecursionError) as error:
        raise TextFileFault("The reStructuredText file is nested too deeply to be read.") from error
    if not tree.get("title"):
        written = _PAGE_TITLE.sub("", written, count=1)  # docutils calls it "<string>"
    return page(written.replace(_COLON, ""), path.parent, encoding)


def _tree(text: str, depth: int) -> Any:
    """Return the tree of a text, without what is said about its faults."""
    tree = publish_doctree(text, settings_overrides=_SETTINGS)
    for node in list(tree.findall(nodes.problematic)):
        node.parent.replace(node, nodes.Text(_marked(node.rawsource or node.astext())))
    for node in list(tree.findall(nodes.system_message)):
        source = node.next_node(nodes.literal_block)
        kept = _held(source.astext(), depth) if source is not None and "Unknown directive" in node.astext() else []
        if node.parent is not None:
            node.parent[node.parent.index(node) : node.parent.index(node) + 1] = kept
    for node in list(tree.findall(nodes.section)):
        if node.get("classes") == ["system-messages"]:
            node.parent.remove(node)
    return tree


def _marked(source: str) -> str:
    """Return what an unknown role marks: "the page" of ":doc:`the page <other>`"."""
    found = _ROLE.match(source)
    text = found["text"] if found else source
    return (_TARGET.sub("", text) or text).lstrip("~!")


def _held(source: str, depth: int) -> list[Any]:
    """Return what an unknown directive holds, read as text of its own; its name and argument are a paragraph."""
    first, *rest = source.splitlines()
    named = _DIRECTIVE.match(first)
    if named is None or named["name"] in _OF_LINKS or depth >= _DEEPEST:
        return []
    while rest and _OPTION.match(rest[0]):
        rest.pop(0)
    body = textwrap.dedent("\n".join(rest)).strip("\n")
    called = f"{named['name'].rpartition(':')[2]} {named['argument']}" if named["argument"] else ""
    tree = _tree(f"{called}\n\n{body}", depth + 1)
    return [child for child in tree.children if not isinstance(child, nodes.docinfo)]
