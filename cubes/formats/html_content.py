"""What of an HTML page is its content: not navigation, page header and footer, controls, scripts, or what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["is_shown", "main_content", "text_of", "words"]


def words(text: str) -> frozenset[str]:
    """Return the names in a text as a set."""
    return frozenset(text.split())



_NEVER = words(
    """script style template noscript nav aside iframe object embed applet audio video canvas map button select
    textarea input datalist dialog menu head link meta basefont"""
)
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar"})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BOILERPLATE = words(
    """nav navbar navigation navheader navfooter nav-panel navbox menu sidebar sphinxsidebar breadcrumb breadcrumbs
    toc tableofcontents table-of-contents shortcontents short-toc mw-editsection headerlink catlinks printfooter
    noprint skip-link skiplink skip-nav pagination pager cookie-banner cookie-notice"""
)
_PERHAPS = words("header footer contents related bottomlinks toplinks topnav botnav bottomnav links")
_CONTAINERS = words("div dl header footer ol p section table td tr ul")
_MOSTLY_LINKS = 0.5
_CONTENTS_LINKS = 5
_CONTENTS_SHARE = 0.8
_MAIN_SHARE = 0.3
_PERMALINKS = frozenset({"\u00b6", "#", "\u00a7", "\U0001f517", "\u2693", "\uf0c1"})
_LISTS = frozenset({"ul", "ol", "dl"})


def text_of(element: Any) -> str:
    """Return all text inside an element."""
    return "".join(element.itertext())


def main_content(root: Any) -> Any:
    """Return the element that holds the page's content, once everything else has been taken out of it."""
    body = root.find(".//body")
    body = root if body is None else body
    whole = max(len(text_of(body)), 1)
    kept = {body, *(part for drawing in body.iter("svg") for part in drawing.iterdescendants())}
    for element in [each for each in body.iter() if each not in kept and not is_shown(each, whole)]:
        _drop(element)
    for candidates in _candidates(body):
        if len(candidates) == 1 and len(text_of(candidates[0]).strip()) >= _MAIN_SHARE * len(text_of(body).strip()):
            return candidates[0]
    return body


def _candidates(body: Any) -> Iterator[list[Any]]:
    """Yield what may be the main element, the surest first."""
    yield body.findall(".//main")
    yield [each for each in body.iter() if isinstance(each.tag, str) and each.get("role") == "main"]
    yield body.findall(".//article")


def is_shown(element: Any, whole: int) -> bool:
    """Whether an element is content; ``whole`` is the length of the page's text, most of which is never dropped."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _NEVER:
        return False
    attributes = element.attrib
    if "hidden" in attributes or attributes.get("aria-hidden") == "true" or _HIDDEN.search(attributes.get("style", "")):
        return False
    if attributes.get("role") in _ROLES or (tag in ("header", "footer") and _of_page(element)):
        return _is_most(element, whole)
    if tag == "a" and text_of(element).strip() in _PERMALINKS:
        return False
    names = {*attributes.get("class", "").lower().split(), attributes.get("id", "").lower()}
    if names & _BOILERPLATE:
        return _is_most(element, whole)
    if (names & _PERHAPS and tag in _CONTAINERS) or tag in _LISTS:
        return not _is_navigation(element, tag) or _is_most(element, whole)
    return True


def _of_page(element: Any) -> bool:
    """Whether a header or footer is the page's own, not an article's or a section's; one with a heading is not."""
    inside = any(parent.tag in ("article", "section", "main", "blockquote") for parent in element.iterancestors())
    headed = element.tag == "header" and any(element.find(f".//h{level}") is not None for level in (1, 2, 3))
    return not inside and not headed


def _is_most(element: Any, whole: int) -> bool:
    return len(text_of(element)) > whole / 2


def _is_navigation(element: Any, tag: str) -> bool:
    """Whether an element is made of links: of a list, many, and all to places on this page (a table of contents)."""
    links = [each for each in element.iter("a") if each.get("href")]
    text = len("".join(text_of(element).split()))
    share = sum(len("".join(text_of(each).split())) for each in links) / text if text else 0.0
    if tag in _LISTS:
        here = sum("#" in each.get("href") for each in links)
        return len(links) >= _CONTENTS_LINKS and here == len(links) and share >= _CONTENTS_SHARE
    return share >= _MOSTLY_LINKS


def _drop(element: Any) -> None:
    """Take an element out; the text behind it stays."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    tail = element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)
