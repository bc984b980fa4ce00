"""Figures on a page: images, and drawings made of lines, with their captions (HiQA appendix A.3).

What is drawn close together is one figure if a caption stands at it, or if it is plainly a drawing; the words in it
(the labels of a diagram) belong to it. A figure that is one JPEG is taken as it lies in the file, any other is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .items import Box, PictureItem, TableItem, TextLine, around, starts_caption, text_of
from .pages import Page

__all__ = ["figures_in"]

_CELL = 6.0  # points: drawn things within one or two cells of each other belong together
_MOST_CELLS = 64
_MOST_CLUSTERS = 400
_SMALLEST = 28.0
_CAPTION_GAP = 48.0
_LABEL_GAP = 9.0
_LABEL_WORDS = 7
_BESIDE = 60.0
_FRAME = 3.0
_OVERLAP = 16.0
_PLAINLY = 12  # shapes that are neither lines nor boxes


@dataclass(slots=True)
class _Cluster:
    box: Box
    images: list[int] = field(default_factory=list)
    drawn: int = 0
    shapes: int = 0


def figures_in(page: Page, lines: Sequence[TextLine], tables: Sequence[TableItem]) -> list[PictureItem]:
    """Return the figures of a page, without captions; decorations repeated from page to page are among them."""
    clusters = _clusters(page, tables)
    captions = [line for line in lines if starts_caption(line.text) == "figure"]
    figures: list[PictureItem] = []
    for caption in captions:
        near = _at(caption, clusters, lines)
        if near:
            clusters = [each for each in clusters if each not in near]
            box = _with_labels(_beside(around(each.box for each in near), caption.box), caption, lines)
            figures.extend(_figure(page, box, [n for each in near for n in each.images], sum(c.shapes for c in near)))
    for cluster in clusters:
        if _plainly_figure(cluster, lines, page):
            figures.extend(_figure(page, cluster.box, cluster.images, cluster.shapes))
    return figures


def _clusters(page: Page, tables: Sequence[TableItem]) -> list[_Cluster]:
    """Group what is drawn close together."""
    width, height = page.size
    images = [
        (drawing.box, n)
        for n, drawing in enumerate(page.drawings)
        if min(drawing.box.width, drawing.box.height) > 2
        and (drawing.box.width < 0.9 * width or drawing.box.height < 0.9 * height or not page.words)
        and not _in_table(drawing.box, tables)
    ]
    shapes = [shape for shape in page.shapes if not _in_table(shape.box, tables)]
    if not images and len(shapes) < 2:
        return []
    cells: dict[tuple[int, int], int] = {}
    owners = list(range(len(images) + len(shapes)))

    def root(n: int) -> int:
        while owners[n] != n:
            owners[n] = owners[owners[n]]
            n = owners[n]
        return n

    boxes = [box for box, _ in images] + [shape.box for shape in shapes]
    for n, box in enumerate(boxes):
        for cell in _cells(box):
            owner = cells.setdefault(cell, n)
            if owner != n:
                owners[root(n)] = root(owner)
    found: dict[int, _Cluster] = {}
    for n, box in enumerate(boxes):
        cluster = found.setdefault(root(n), _Cluster(box))
        cluster.box = around((cluster.box, box))
        if n < len(images):
            cluster.images.append(images[n][1])
        else:
            cluster.shapes += 1
            cluster.drawn += shapes[n - len(images)].kind == "drawing"
    large = [each for each in found.values() if max(each.box.width, each.box.height) >= _SMALLEST]
    return _nested(large, height) if len(large) <= _MOST_CLUSTERS else large


def _nested(clusters: Sequence[_Cluster], height: float) -> list[_Cluster]:
    """Put what lies within a frame to it, unless the frame is that of most of the page."""
    kept: list[_Cluster] = []
    for cluster in sorted(clusters, key=lambda each: -each.box.width * each.box.height):
        x, y = (cluster.box.x0 + cluster.box.x1) / 2, (cluster.box.y0 + cluster.box.y1) / 2
        outer = next((each for each in kept if each.box.holds(x, y) and each.box.height < 0.6 * height), None)
        if outer is None:
            kept.append(cluster)
        else:
            outer.box = around((outer.box, cluster.box))
            outer.images.extend(cluster.images)
            outer.shapes += cluster.shapes
            outer.drawn += cluster.drawn
    return kept


def _cells(box: Box) -> list[tuple[int, int]]:
    """Return the cells of a coarse grid that a rectangle covers, its rim included; of a large one the rim alone."""
    x0, x1 = int((box.x0 - _CELL) // _CELL), int((box.x1 + _CELL) // _CELL)
    y0, y1 = int((box.y0 - _CELL) // _CELL), int((box.y1 + _CELL) // _CELL)
    if (x1 - x0) * (y1 - y0) <= _MOST_CELLS:
        return [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
    rows = [(x, y) for x in range(x0, x1 + 1) for y in (y0, y1)]
    return rows + [(x, y) for x in (x0, x1) for y in range(y0, y1 + 1)]


def _in_table(box: Box, tables: Sequence[TableItem]) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return any(table.box.holds(x, y, _FRAME) for table in tables)


def _at(caption: TextLine, clusters: Sequence[_Cluster], lines: Sequence[TextLine]) -> list[_Cluster]:
    """Return what a caption names: what is drawn right above it, or else right below it, up to the next text."""
    for above in (True, False):
        reach, found = caption.box, list[_Cluster]()
        left = [
            c
            for c in clusters
            if (c.images or c.shapes >= 2)
            and c.box.height > 8
            and c.box.x0 < caption.column[1] + 5
            and c.box.x1 > caption.column[0] - 5
        ]
        left.sort(key=lambda c: -c.box.y1 if above else c.box.y0)
        for cluster in left:
            gap = reach.y0 - cluster.box.y1 if above else cluster.box.y0 - reach.y1
            beside = found and cluster.box.meets(Box(0, reach.y0, 1e4, reach.y1))
            if (-_OVERLAP <= gap <= _CAPTION_GAP or beside) and not _text_between(caption, cluster.box, lines):
                found.append(cluster)
                reach = around((reach, cluster.box)) if found[1:] else cluster.box
        if found and around(c.box for c in found).height > 15:
            return found
    return []


def _beside(box: Box, caption: Box) -> Box:
    """Cut a figure off at its caption; the points that bend a curve may lie beyond what is drawn."""
    if box.y0 < caption.y0:
        return Box(box.x0, box.y0, box.x1, min(box.y1, caption.y0 - 1))
    return Box(box.x0, max(box.y0, caption.y1 + 1), box.x1, box.y1)


def _text_between(caption: TextLine, box: Box, lines: Sequence[TextLine]) -> bool:
    """Whether running text or another caption lies between a caption and what is drawn."""
    top, bottom = (box.y1, caption.box.y0) if box.y1 <= caption.y else (caption.box.y1, box.y0)
    between = [
        line
        for line in lines
        if top - 1 < line.y - line.size * 0.3 < bottom + 1
        and line.y != caption.y
        and line.x0 < box.x1
        and line.x1 > box.x0
        and not box.holds((line.x0 + line.x1) / 2, line.y)
    ]
    running = [line for line in between if len(line.words) > 7 and line.x1 - line.x0 > 0.6 * box.width]
    return len(running) > (2 if box.y0 > caption.y else 0) or any(
        starts_caption(line.text) == "figure" for line in between
    )


def _with_labels(box: Box, caption: TextLine, lines: Sequence[TextLine]) -> Box:
    """Widen a figure by the short texts beside it and at its rim, such as the names of axes and pins."""
    below = box.y0 > caption.y
    labels = [
        line.box
        for line in lines
        if len(line.words) <= _LABEL_WORDS
        and line is not caption
        and (line.y > caption.y if below else line.y < caption.y - 1)
        and line.x0 < box.x1 + _BESIDE
        and line.x1 > box.x0 - _BESIDE
        and not starts_caption(line.text)
        and not (line.text.endswith(".") and line.x0 < line.column[0] + 2)
    ]
    grown = [box]
    for label in sorted(labels, key=lambda each: abs((each.y0 + each.y1) / 2 - (box.y0 + box.y1) / 2)):
        beside = label.y1 > box.y0 and label.y0 < box.y1
        if beside or label.meets(around(grown), _LABEL_GAP):
            grown.append(label)
    return around(grown)


def _plainly_figure(cluster: _Cluster, lines: Sequence[TextLine], page: Page) -> bool:
    """Whether something without a caption is a figure: an image of some size, or a drawing with little text in it."""
    box = cluster.box
    if min(box.width, box.height) < _SMALLEST:
        return False
    if any(min(page.drawings[n].box.width, page.drawings[n].box.height) >= _SMALLEST for n in cluster.images):
        return True
    inside = [line for line in lines if box.holds((line.x0 + line.x1) / 2, line.y - line.size * 0.3)]
    running = sum(len(line.words) > 6 for line in inside)
    return cluster.drawn >= _PLAINLY and running < 3 and min(box.width, box.height) > 2 * _SMALLEST


def _figure(page: Page, box: Box, images: Sequence[int], shapes: int) -> list[PictureItem]:
    """Take a figure out of the page: as the JPEG that it is, or drawn."""
    held = [word for word in page.words if box.holds(*word.middle)]
    labels = text_of(held)
    key = "+".join(page.drawings[n].key for n in images)
    alone = len(images) == 1 and shapes == 0 and not held
    if alone and (data := page.jpeg(page.drawings[images[0]])):
        return [PictureItem(page.number, box, data, "image/jpeg", key=key)]
    sharpness = max((page.sharpness(page.drawings[n]) for n in images), default=2.0)
    rim = 0.0 if alone else _FRAME
    width, height = page.size
    drawn = Box(max(box.x0 - rim, 0), max(box.y0 - rim, 0), min(box.x1 + rim, width), min(box.y1 + rim, height))
    png = page.picture(drawn, sharpness)
    return [PictureItem(page.number, box, png, "image/png", labels=labels, key=key)] if png else []
