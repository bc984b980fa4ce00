// A section's text as headings, tables, code, figures and paragraphs, with one span of it marked. Offsets count code points.

import { h } from "./dom.js";

const FIGURE = /^!\[([^\]]*)\]\(figure:([0-9a-f]+)\)\s*$/;
const HEADING = /^(#{1,6}\s+)\S/;
const FENCE = /^\s*(```|~~~)/;
const GAP = "…";
const RULE = /^\|[\s:|-]+\|?\s*$/;

/** Draw a text (as code points) with the span from `from` to `to` marked; `figure(id, caption)` draws an image. */
export function drawn(points, [from, to], figure) {
  const piece = (start, end) => marked(points, start, end, from, to);
  return gathered(lines(points)).map((block) => {
    const first = block[0];
    if (first.kind === "figure") return figure(first.match[2], first.match[1]);
    if (first.kind === "heading") return h("h3", { dir: "auto" },
      piece(first.start + Array.from(first.match[1]).length, first.end));
    if (first.kind === "table") return table(points, block, piece);
    if (first.kind === "code") return code(piece(first.start, block.at(-1).end));
    return h("p", { dir: "auto" }, piece(first.start, block.at(-1).end));
  });
}

function lines(points) {
  const found = [];
  let [start, fence] = [0, null];
  for (let i = 0; i <= points.length; i += 1) {
    if (i < points.length && points[i] !== "\n") continue;
    const text = points.slice(start, i).join("");
    const mark = text.match(FENCE)?.[1];
    const edge = mark && (!fence || mark === fence);
    found.push({ start, end: i, ...(edge ? { kind: "blank" } : fence ? { kind: "code" } : kind(text)) });
    if (edge) fence = fence ? null : mark;
    start = i + 1;
  }
  return found;
}

function kind(text) {
  const [figure, heading] = [text.match(FIGURE), text.match(HEADING)];
  if (figure) return { kind: "figure", match: figure };
  if (heading) return { kind: "heading", match: heading };
  if (text.trim() === GAP) return { kind: "gap" };
  if (text.startsWith("|")) return { kind: "table", rule: RULE.test(text) };
  return { kind: text.trim() ? "text" : "blank" };
}

/** A quotation: its tables as tables, its other lines as they are (a "#" may begin a comment of code). */
export function quoted(text) {
  const points = Array.from(text);
  const piece = (start, end) => [points.slice(start, end).join("")];
  const plain = lines(points).map((line) => (line.kind === "heading" ? { ...line, kind: "text" } : line));
  return gathered(plain).map((block) => {
    const { kind, match, start } = block[0];
    if (kind === "table") return table(points, block, piece);
    if (kind === "code") return code(piece(start, block.at(-1).end));
    return h("p", { dir: "auto" }, kind === "figure" ? match[1] || "Figure" : piece(start, block.at(-1).end));
  });
}

const code = (pieces) => h("pre", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Code" }, pieces);

/** Lines that belong together: a table's, a paragraph's, those between two fences. What is left out between a table's rows is said in it. */
function gathered(all) {
  const blocks = [];
  let before = null;
  for (const [n, line] of all.entries()) {
    if (line.kind === "gap" && before?.kind === "table" && all[n + 1]?.kind === "table") Object.assign(line, { kind: "table", gap: true });
    const joins = before?.kind === line.kind && ["table", "text", "code"].includes(line.kind);
    if (joins) blocks.at(-1).push(line);
    else if (line.kind !== "blank") blocks.push([line]);
    before = line;
  }
  return blocks;
}

function marked(points, start, end, from, to) {
  const [a, b] = [Math.max(start, from), Math.min(end, to)];
  const text = (i, j) => points.slice(i, j).join("");
  if (a >= b) return [text(start, end)];
  return [text(start, a), h("mark", {}, text(a, b)), text(b, end)];
}

function table(points, block, piece) {
  const headed = block[1]?.rule;
  const rows = block.filter((line) => !line.rule).map((line, i) => line.gap ? h("tr", {}, h("td", {}, GAP)) :
    h("tr", {}, cells(points, line).map(([start, end]) => h(headed && i === 0 ? "th" : "td",
          headed && i === 0 ? { scope: "col", dir: "auto" } : { dir: "auto" }, piece(start, end)))));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" },
    h("table", {}, h("tbody", {}, rows)));
}

/** The cells of a table's line, as spans without the spaces around them; a bar after a backslash is text. */
function cells(points, line) {
  const bars = [];
  for (let i = line.start; i < line.end; i += 1) if (points[i] === "|" && points[i - 1] !== "\\") bars.push(i);
  if (bars.at(-1) !== line.end - 1) bars.push(line.end);
  return bars.slice(1).map((bar, i) => trimmed(points, bars[i] + 1, bar));
}

function trimmed(points, start, end) {
  let [a, b] = [start, end];
  while (a < b && points[a] === " ") a += 1;
  while (b > a && points[b - 1] === " ") b -= 1;
  return [a, b];
}
