// A picture of the loop, laid out from the compiled graph as the server tells it, with the nodes of the moment lit.

import { freshId, h, s } from "./dom.js";
import { called } from "./text.js";

const WIDE = 268;
const GAP = 22;
const HIGH = 24;

/** The loop's drawing. `light(names, past)` lights nodes; `past` are those that the run has been through. */
export class Loop {
  constructor(graph) {
    this.nodes = new Map();
    const titled = freshId("loop");
    const { rows, back, skips } = laidOut(graph);
    const places = new Map();
    let y = 8;
    for (const row of rows) y = this.#row(row, y, places) + GAP;
    const drawing = s(
      "svg",
      { viewBox: `0 0 ${WIDE} ${y - GAP + 8}`, role: "img", "aria-labelledby": titled, class: "loop" },
      s("title", { id: titled }, `How questions are answered: ${rows.map((row) => row.map((one) => called(one.id)).join(", ")).join(" → ")}`),
      ...rows.slice(1).map((row, i) => down(places.get(rows[i][0].id), places.get(row[0].id),
          dotted(graph, rows[i], row))),
      ...back.map((edge) => around(places.get(edge.source), places.get(edge.target), WIDE - 10)),
      ...skips.map((edge) => around(places.get(edge.source), places.get(edge.target), 10)),
      ...this.nodes.values(),
    );
    this.caption = h("figcaption", {}, "How questions are answered");
    this.element = h("figure", { class: "loop-figure" }, drawing, this.caption);
  }

  /** Draw a row: one node in the middle, or several side by side within a frame. */
  #row(row, y, places) {
    if (row.length === 1) {
      const end = /^__/.test(row[0].id);
      const wide = end ? 92 : 128;
      const box = { x: (WIDE - wide) / 2, y, wide, high: HIGH };
      this.nodes.set(row[0].id, node(row[0], box, end ? 12 : 4));
      places.set(row[0].id, box);
      return y + HIGH;
    }
    const [left, wide] = [34, (WIDE - 2 * 34 - 6) / 2];
    const frame = { x: left - 6, y, wide: WIDE - 2 * (left - 6), high: Math.ceil(row.length / 2) * 22 + 8 };
    this.nodes.set(`frame ${row[0].id}`, s("rect", { x: frame.x, y: frame.y, width: frame.wide, height: frame.high,
          rx: 6, class: "frame" }));
    row.forEach((one, i) => {
      const box = { x: left + (i % 2) * (wide + 6), y: y + 5 + Math.floor(i / 2) * 22, wide, high: 19 };
      this.nodes.set(one.id, node(one, box, 3));
      places.set(one.id, frame);
    });
    return y + frame.high;
  }

  light(now, past = []) {
    for (const [id, element] of this.nodes) {
      element.classList.toggle("now", now.includes(id));
      element.classList.toggle("past", !now.includes(id) && past.includes(id));
    }
  }

  say(text) {
    this.caption.textContent = text;
  }
}

function node(one, { x, y, wide, high }, round) {
  const size = Math.floor((wide - 6) / 6.4);
  const name = called(one.id);
  const label = name.length > size ? `${name.slice(0, size - 1)}…` : name;
  return s(
    "g",
    { class: "node", data: { node: one.id } },
    s("rect", { x, y, width: wide, height: high, rx: round }),
    s("text", { x: x + wide / 2, y: y + high / 2 + 3.8 }, label),
  );
}

const down = (from, to, loose) =>
  s("path", { d: `M${WIDE / 2} ${from.y + from.high} V${to.y - 1}`, class: loose ? "edge loose" : "edge" });

/** An edge that goes back, or past other rows, runs along a side. */
function around(from, to, side) {
  const right = side > WIDE / 2;
  const edge = (box) => (right ? box.x + box.wide : box.x);
  const [y1, y2] = [from.y + from.high / 2, to.y + to.high / 2];
  const turn = right ? -8 : 8;
  const bend = y2 > y1 ? 8 : -8;
  const d = `M${edge(from)} ${y1} H${side + turn} Q${side} ${y1} ${side} ${y1 + bend} V${y2 - bend} Q${side} ${y2} ${side + turn} ${y2} H${edge(to)}`;
  return s("path", { d, class: "edge loose" });
}

const dotted = (graph, from, to) =>
  graph.edges.some((e) => e.conditional && from.some((n) => n.id === e.source) && to.some((n) => n.id === e.target));

/** Rows from the start down; edges that go up, and edges that skip rows. Nodes of one depth share a row. */
function laidOut(graph) {
  const after = new Map(graph.nodes.map((n) => [n.id, []]));
  for (const edge of graph.edges) after.get(edge.source)?.push(edge.target);
  const entered = new Set(graph.edges.map((e) => e.target));
  const start = (graph.nodes.find((n) => !entered.has(n.id)) ?? graph.nodes[0]).id;
  const upward = backEdges(after, start);
  const isBack = (e) => upward.has(`${e.source} ${e.target}`);
  const depth = new Map(graph.nodes.map((n) => [n.id, 0]));
  for (let pass = 0; pass < graph.nodes.length; pass += 1) {
    for (const e of graph.edges) {
      if (!isBack(e) && depth.has(e.source)) depth.set(e.target,
        Math.max(depth.get(e.target) ?? 0, depth.get(e.source) + 1));
    }
  }
  const rows = [];
  for (const n of graph.nodes) (rows[depth.get(n.id)] ??= []).push(n);
  const skips = graph.edges.filter((e) => !isBack(e) && depth.get(e.target) - depth.get(e.source) > 1);
  return { rows: rows.filter(Boolean), back: graph.edges.filter(isBack), skips };
}

/** The edges that close a circle, found by walking from the start. */
function backEdges(after, start) {
  const found = new Set();
  const [open, closed] = [new Set(), new Set()];
  const walk = (id) => {
    open.add(id);
    for (const next of after.get(id) ?? []) {
      if (open.has(next)) found.add(`${id} ${next}`);
      else if (!closed.has(next)) walk(next);
    }
    open.delete(id);
    closed.add(id);
  };
  walk(start);
  return found;
}
