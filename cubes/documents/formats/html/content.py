"""What of an HTML page is its content: not navigation, page header and footer, controls, scripts, or what is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .links import is_bar, is_contents, is_listing, is_step, mostly_links, reads, text_of, words

__all__ = ["is_shown", "main_content", "text_of", "words"]

_NEVER = words(
    """script style template noscript nav iframe object embed applet audio video canvas map button select
    textarea input datalist dialog menu head link meta basefont"""
)
_ROLES = words("navigation banner contentinfo search menu menubar toolbar")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BOILERPLATE = words(
    """navbar navheader navfooter nav-panel navbox sphinxsidebar breadcrumb breadcrumbs mw-editsection headerlink
    catlinks printfooter skip-link skiplink skip-nav pagination pager cookie-banner cookie-notice"""
)
_CONTENTS = words("toc tableofcontents table-of-contents shortcontents short-toc menu")
_ASIDE = words("sidebar nav navigation noprint")
_PERHAPS = words("header footer contents related bottomlinks toplinks topnav botnav bottomnav links")
_CONTAINERS = words("div dl header footer ol p section table td tr ul")
_MAIN_SHARE = 0.3
_PERMALINKS = frozenset({"\u00b6", "#", "\u00a7", "\U0001f517", "\u2693", "\uf0c1"})


def main_content(root: Any) -> Any:
    """Return the element that holds the page's content, once everything else has been taken out of it.

    None where the page is nothing but a list of links to others: a table of contents, or an index.
    """
    body = root.find(".//body")
    body = root if body is None else body
    whole = max(len(text_of(body)), 1)
    kept = {body, *(part for drawing in body.iter("svg") for part in drawing.iterdescendants())}
    for element in [each for each in body.iter() if each not in kept and not is_shown(each, whole)]:
        _drop(element)
    main = _main(body)
    if is_listing(main):
        return None
    for element in [each for each in main.iterdescendants() if each not in kept and is_listing(each)]:
        _drop(element)
    return main


def _main(body: Any) -> Any:
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
    if not isinstance(tag, str) or tag in _NEVER or _is_hidden(element.attrib):
        return False
    if tag == "a":
        return text_of(element).strip() not in _PERMALINKS and not is_step(element)
    return not (_is_apart(element, tag) or is_bar(element)) or _is_most(element, whole)


def _is_hidden(attributes: Any) -> bool:
    """Whether nobody sees an element; a tab's panel is seen once the tab is chosen."""
    if attributes.get("role") == "tabpanel":
        return False
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return hidden or _HIDDEN.search(attributes.get("style", "")) is not None


def _is_apart(element: Any, tag: str) -> bool:
    """Whether an element is called something that pages have beside their content, and does not read as content.

    A name alone says little: a manual's boxed asides and a site's menu may both be a "sidebar".
    """
    role = element.get("role")
    if role in _ROLES or (tag in ("header", "footer") and _of_page(element)):
        return True
    names = {*element.get("class", "").lower().split(), element.get("id", "").lower()}
    if names & _BOILERPLATE:
        return True
    if names & _CONTENTS:
        return is_contents(element)
    if names & _ASIDE or tag == "aside" or role == "complementary":
        return not reads(element)
    if not names & _PERHAPS or tag not in _CONTAINERS or _is_titled(element):
        return False
    return mostly_links(element) or ("footer" in names and not reads(element))


def _is_titled(element: Any) -> bool:
    """Whether a part of an element has text and no link: a page's title beside a line of links."""
    parts = (each for each in element.iterdescendants("div") if next(each.iter("a"), None) is None)
    return any(text_of(each).strip() for each in parts)


def _of_page(element: Any) -> bool:
    """Whether a header or footer is the page's own, not an article's or a section's; one with a heading is not."""
    inside = any(parent.tag in ("article", "section", "main", "blockquote") for parent in element.iterancestors())
    headed = element.tag == "header" and any(element.find(f".//h{level}") is not None for level in (1, 2, 3))
    return not inside and not headed


def _is_most(element: Any, whole: int) -> bool:
    return len(text_of(element)) > whole / 2


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
