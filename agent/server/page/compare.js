// Two runs side by side: hop beside hop, and what differs said so.

import { get } from "./api.js";
import { busy, fault, h, put, spoken } from "./dom.js";
import { answering } from "./hop.js";
import { at, withSection } from "./router.js";
import { called, duration, emphasised, engine, sureness, whyNot } from "./text.js";

export function compareView(place) {
  const body = h("div", {}, busy("Loading two runs"));
  const [one, other] = place.args;
  load(body, one, other);
  return h("div", { class: "wide" }, h("h1", {}, "Side by side"), body);
}

async function load(body, one, other) {
  if (!one || !other) {
    put(body, fault("Two runs are needed.", " ", h("a", { href: "#/runs" }, "Choose them")));
    return;
  }
  try {
    put(body, sideBySide(...(await Promise.all([one, other].map((id) => get(`/runs/${encodeURIComponent(id)}`))))));
  } catch (error) {
    put(body, fault(error.message, " ", h("a", { href: "#/runs" }, "All runs")));
  }
}

function sideBySide(left, right) {
  const rows = Math.max(left.hops.length, right.hops.length);
  const settings = Object.keys(left.settings).filter((name) => String(left.settings[name]) !== String(right.settings[name]));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Two runs" },
    h("table", { class: "compare", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("td", { role: "cell" }),
          [left, right].map((run) => h("th", { scope: "col", role: "columnheader" },
          h("a", { href: at("run", [run.id]) }, run.id), run.forked_from ? h("span", { class: "why" },
        ` changed from ${run.forked_from}`) : null)))),
      h("tbody", { role: "rowgroup" },
        line("Question", left.question, right.question, text),
        line("Answer", outcome(left), outcome(right), text),
        Array.from({ length: rows }, (_, i) => hopRows(i + 1, left.hops[i], right.hops[i])),
        line("Confidence", left.answer ? sureness(left.confidence) : "–", right.answer ? sureness(right.confidence) : "–", text),
        line("Time", duration(left.ms), duration(right.ms), text, false),
        line("How", engine(left.engine), engine(right.engine), text),
        settings.map((name) => line(name, String(left.settings[name]), String(right.settings[name]), text)))));
}

const outcome = (run) => run.answer || `No answer: ${whyNot(run)}`;
const text = (said) => h("span", { dir: "auto" }, said);

// A phone lays the rows out as grids, which would take the table's meaning away; hence the roles.

/** A row; what differs is marked, in colour and in words. */
function line(name, left, right, draw, marks = true, same = (a, b) => a === b) {
  const differs = marks && !same(left, right);
  return h("tr", { class: differs ? "differs" : null, role: "row" },
    h("th", { scope: "row", role: "rowheader" }, name, differs ? spoken(" (differs)") : null),
    [left, right].map((said) => h("td", { role: "cell" }, said === undefined || said === null ? h("span",
          { class: "why" }, "none") : draw(said))));
}

function hopRows(number, left, right) {
  const of = (key) => [left && key(left), right && key(right)];
  return [
    h("tr", { class: "hop-row", role: "row" }, h("th", { scope: "rowgroup", colspan: 3, role: "rowheader" },
        `Step ${number}`)),
    line("Asked", ...of((hop) => hop.subquery), text),
    line("Looked in", ...of((hop) => hop.cubes.map(called).join(", ") || called("passages")), text),
    line("Read in", ...of(answering), (e) => sentence(e, left, right), true,
      (a, b) => a?.section_id === b?.section_id && a?.sentence === b?.sentence),
    line("Found", ...of((hop) => (hop.status === "missing" ? "not found" : hop.answer) + (hop.status === "edited"
          ? " (edited)" : "")), (said) => h("b", { dir: "auto" }, said)),
  ];
}

const sentence = (e, left, right) =>
  h("span", {}, h("a", { class: "opens", dir: "auto", href: withSection(e.section_id,
          { from: e.start, to: e.end, says: e.sentence }) }, e.title || e.record_id), ": ",
    h("span", { class: "said", dir: "auto" }, emphasised(e.sentence || e.text.slice(0, 200),
        [left?.answer, right?.answer])));
