"""What of an HTML page only leads to other places: menus, tables of contents, indexes, and lines of links.

It is told by what an element holds, not by its name: links, and no sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["is_bar", "is_contents", "is_listing", "is_step", "mostly_links", "reads", "text_of", "words"]

_CONTROLS = frozenset({"script", "style", "form", "button", "select", "textarea", "input", "noscript"})
_SHOWN = frozenset({"pre", "table", "img", "svg", "math"})
_LISTS = frozenset({"ul", "ol", "dl"})
_LISTINGS = frozenset({"ul", "ol", "dl", "td", "div", "section", "main", "body", "p"})
_LINES = frozenset({"li", "dt", "dd", "div", "p"})
_BARS = frozenset({"p", "div", "center", "small", "font"})
_ITEMS = frozenset({"li", "dt", "tr"})
_HALF, _ALL = 0.5, 0.8
_MANY = 5  # links of a listing; fewer may be what a passage refers to
_WORDS = 12  # outside links, that read without a full stop
_SENTENCE = re.compile(r"\w+\W+\w+\W+\w+[^.!?:]*[.!?:](?=\s|$)")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_LETTER = re.compile(r"\w")
_BARRED = re.compile(r"[^\w,;(){}\"'=]*[|\u00bb\u2022\u00b7][^\w,;(){}\"'=]*")
_STEP = re.compile(
    r"\W*(?:prev(?:ious)?|next|up|home|top|back|index|(?:table of |(?:return to )?main )?contents|toc"
    r"|(?:back |return )to (?:the )?(?:top|index|contents))(?: (?:page|chapter|section))?\W*$",
    re.IGNORECASE,
)
_STEPS = re.compile(r"[\W_]*(?:(?:prev(?:ious)?|next|up|home|top|back|index|contents)\b[\W_]*)+", re.IGNORECASE)
_INTRODUCED = re.compile(r"(?:\S+\s+){4,}\S+\s*:\s*$")


def words(text: str) -> frozenset[str]:
    """Return the names in a text as a set."""
    return frozenset(text.split())


def text_of(element: Any) -> str:
    """Return all text inside an element."""
    return "".join(element.itertext())


def reads(element: Any) -> bool:
    """Whether an element says something of its own: a sentence, some text, code or a table, and not mostly links."""
    if mostly_links(element):
        return False
    text = " ".join("".join(_outside(element)).split())
    shown = any(each.tag in _SHOWN for each in element.iterdescendants()) and bool(text_of(element).strip())
    return shown or len(text.split()) >= _WORDS or _SENTENCE.search(text) is not None


def mostly_links(element: Any) -> bool:
    """Whether half of an element's text, or more, is links."""
    return _share(element, _links(element)) >= _HALF


def is_listing(element: Any) -> bool:
    """Whether an element is a list of places in the same work, a line each: a menu, a table of contents, an index.

    A list that a sentence introduces is what the sentence says.
    """
    if element.tag not in _LISTINGS:
        return False
    links = _links(element)
    near = sum(map(_is_near, links))
    if len(links) < _MANY or 2 * near < len(links) or _share(element, links) < _ALL:
        return False
    broken = sum(1 for _ in element.iter("br")) >= len(links) - 1
    lines = len(links) if broken else len({line for line in map(_line, links) if line is not None})
    return lines >= _ALL * len(links) and not (element.tag in _LISTS and _is_introduced(element))


def _line(link: Any) -> Any:
    """Return the line that is nothing but a link, save a number or a mark beside it; a table's cell is none."""
    around = next((each for each in link.iterancestors() if each.tag in _LINES or each.tag == "td"), None)
    if around is None or "td" in (around.tag, around.getparent().tag):
        return None
    own = "".join([around.text or "", *(child.tail or "" for child in around)])
    return around if len(_LETTER.findall(own)) <= len(_LETTER.findall(text_of(link))) else None


def is_contents(element: Any) -> bool:
    """Whether what is called a table of contents, or a menu, is one: its items begin with links, or say nothing."""
    items = [each for each in element.iter() if each.tag in _ITEMS]
    led = sum(_begins_with_link(each) for each in items)
    return mostly_links(element) or (led > 0 and led >= _ALL * len(items)) or not reads(element)


def is_bar(element: Any) -> bool:
    """Whether a block is a line of links with nothing between them but bars, or leads to the page before and behind."""
    links = _links(element)
    if element.tag not in (*_BARS, "table") or len(links) < 2:
        return False
    outside = "".join(_outside(element))
    if element.tag in _BARS and all(map(_is_near, links)) and (_BARRED.fullmatch(outside) or _STEPS.fullmatch(outside)):
        return True
    steps = sum(_STEP.match(_said(each)) is not None for each in links)
    return steps > 1 and 2 * steps >= len(links) and not reads(element)


def is_step(link: Any) -> bool:
    """Whether a link leads to a neighbouring page, and stands alone."""
    before = link.getprevious()
    left = (link.getparent().text or "") if before is None else (before.tail or "")
    alone = not _LETTER.search(left) and not _LETTER.search(link.tail or "")
    return alone and link.get("href") is not None and _STEP.match(_said(link)) is not None


def _said(link: Any) -> str:
    """What a link says: its text, or that of the image in its place."""
    return text_of(link).strip() or " ".join(each.get("alt", "") for each in link.iter("img"))


def _outside(element: Any) -> Iterator[str]:
    """Yield an element's text that is neither link nor control."""
    yield element.text or ""
    for child in element:
        link = child.tag == "a" and child.get("href") is not None
        if isinstance(child.tag, str) and not link and child.tag not in _CONTROLS:
            yield from _outside(child)
        yield f" {child.tail or ''}"


def _links(element: Any) -> list[Any]:
    return [each for each in element.iter("a") if each.get("href")]


def _share(element: Any, links: list[Any]) -> float:
    """How much of an element's text is links."""
    text = len("".join(text_of(element).split()))
    return sum(len("".join(text_of(each).split())) for each in links) / text if text else 0.0


def _is_near(link: Any) -> bool:
    return _ELSEWHERE.match(link.get("href", "")) is None


def _is_introduced(element: Any) -> bool:
    """Whether a sentence that ends in a colon stands before a list."""
    before = element.getprevious()
    parent = element.getparent()
    if before is None:
        said = parent.text or "" if parent is not None else ""
    else:
        said = (before.tail or "").strip() or text_of(before)
    return _INTRODUCED.search(said) is not None


def _begins_with_link(item: Any) -> bool:
    """Whether nothing but a number stands before an item's first link."""
    link = next((each for each in item.iter("a") if each.get("href")), None)
    if link is None or not _is_near(link):
        return False
    whole = " ".join(text_of(item).split())
    return re.fullmatch(r"[\W\d]*", whole[: max(whole.find(" ".join(text_of(link).split())), 0)]) is not None
