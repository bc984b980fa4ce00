// The cube of a hop, drawn: a small solid whose lit layers are the labels that matched, and every dimension in a row.

import { freshId, h, s } from "./dom.js";
import { called } from "./text.js";

const SIDE = 3;
const ROW = 14;
const LIT_ROW = 20;
const TOP = 116;
const HALF = 15; // half the width of a face, in units of the drawing
const RISE = 8.5;
const HIGH = 17;

/** What a hop lit: for each dimension of `cube`, its labels with how they matched, the best evidence first. */
export function litCells(hop, cube) {
  const lit = new Map();
  for (const evidence of hop.evidence ?? []) {
    for (const match of evidence.matches) {
      if (match.cube !== cube) continue;
      const labels = lit.get(match.dimension) ?? new Map();
      const known = labels.get(match.label);
      if (!known || (known.route === "dense" && match.route === "exact")) labels.set(match.label, match);
      lit.set(match.dimension, labels);
    }
  }
  return lit;
}

/** How a label matched, in words. */
export const how = (match) => (match.route === "exact" ? "exact" : `similar, ${match.similarity.toFixed(2)}`);

/** Draw `cube` (as /cubes describes it; null where it is no longer known) with the cells that `hop` lit. */
export function cubeFigure(cube, id, hop) {
  const lit = litCells(hop, id);
  const dimensions = cube?.dimensions.filter((one) => one.labels > 0 || lit.has(one.id))
    ?? [...lit.keys()].map((name) => ({ id: name, labels: 0 }));
  const titled = freshId("cube");
  let y = TOP;
  const rows = dimensions.flatMap((dimension) => {
    const labels = lit.get(dimension.id);
    y += labels ? LIT_ROW : ROW;
    return line(dimension, y - (labels ? LIT_ROW : ROW), labels);
  });
  const drawing = s(
    "svg",
    { viewBox: `0 0 252 ${y}`, role: "img", "aria-labelledby": titled, class: "cube" },
    s("title", { id: titled }, inWords(cube?.name ?? id, dimensions, lit)),
    s("g", { transform: "translate(126 10)" }, solid(lit)),
    rows,
  );
  return h(
    "figure",
    { class: "cube-figure" },
    drawing,
    h("figcaption", {}, h("a", { href: `#/cubes/${encodeURIComponent(id)}` }, cube?.name ?? id),
      !hop.evidence ? "" : lit.size ? ": what matched is in colour" : ": nothing matched"),
  );
}

/** The solid alone, for the cell that a person has opened: `pairs` of dimension and label. */
export function cellGlyph(pairs) {
  const lit = new Map(pairs.map(([dimension, label]) => [dimension, new Map([[label, { label, route: "exact" }]])]));
  return s("svg", { viewBox: "-48 0 96 106", class: "glyph", "aria-hidden": "true" }, solid(lit));
}

function inWords(name, dimensions, lit) {
  const cells = dimensions
    .filter((dimension) => lit.has(dimension.id))
    .map((dimension) => `${called(dimension.id)}: ${[...lit.get(dimension.id).values()].map((m) => `${m.label} (${how(m)})`).join(", ")}`);
  const said = cells.length ? `Matched: ${cells.join("; ")}.` : "Nothing matched.";
  return `Cube ${name}, ${dimensions.length} properties. ${said}`;
}

/** One row: the dimension's name, and its labels as cells, of which those that matched are lit and named. */
function line(dimension, y, labels) {
  const matched = labels ? [...labels.values()] : [];
  const dense = matched.length > 0 && matched.every((match) => match.route === "dense");
  const name = s("text", { x: 108, y: y + (matched.length ? 13 : 10), class: matched.length ? "dim on" : "dim" },
    cut(called(dimension.id), 18));
  const cells = Math.min(8, Math.ceil(Math.log2((dimension.labels || 0) + 1)));
  if (matched.length) {
    const text = matched[0].label + (matched.length > 1 ? ` +${matched.length - 1}` : "");
    const mark = { x: 116, y: y + 4, width: 11, height: 11, class: dense ? "lit dense" : "lit" };
    return [name, s("rect", mark), s("text", { x: 133, y: y + 13, class: "label" }, cut(text, 18))];
  }
  const dots = Array.from({ length: cells }, (_, i) => s("rect",
      { x: 116 + i * 8, y: y + 4, width: 5.5, height: 5.5, class: "unlit" }));
  return [name, ...dots];
}

const cut = (text, size) => (text.length > size ? `${text.slice(0, size - 1)}…` : text);

/** The solid: up to three dimensions are its axes, each matched label is the layer nearest to the eye. */
function solid(lit) {
  const axes = [...lit.values()].slice(0, SIDE).map((labels) => [...labels.values()].some((m) => m.route === "exact"));
  const faces = [];
  const last = SIDE - 1;
  for (let a = 0; a < SIDE; a += 1) {
    for (let b = 0; b < SIDE; b += 1) {
      faces.push(face("top", [a, b, last], axes), face("left", [a, last, b], axes), face("right", [last, a, b], axes));
    }
  }
  return s("g", { "aria-hidden": "true" }, faces);
}

function face(kind, [x, y, z], axes) {
  const at = (i, j, k) => `${(i - j) * HALF},${(i + j) * RISE + (SIDE - k) * HIGH}`;
  const corners = {
    top: [at(x, y, z + 1), at(x + 1, y, z + 1), at(x + 1, y + 1, z + 1), at(x, y + 1, z + 1)],
    left: [at(x, y + 1, z), at(x + 1, y + 1, z), at(x + 1, y + 1, z + 1), at(x, y + 1, z + 1)],
    right: [at(x + 1, y, z), at(x + 1, y + 1, z), at(x + 1, y + 1, z + 1), at(x + 1, y, z + 1)],
  }[kind];
  const within = [x, y, z].map((index, axis) => index === SIDE - 1 && axis < axes.length);
  const layers = within.filter(Boolean).length;
  const cell = layers > 0 && layers === axes.length;
  const dense = cell && !within.every((inside, axis) => !inside || axes[axis]);
  const level = cell ? "cell" : layers ? "layer" : "empty";
  return s("polygon", { points: corners.join(" "), class: `face ${kind} ${level}${dense ? " dense" : ""}` });
}
