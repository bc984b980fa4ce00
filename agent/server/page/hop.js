// One step (a hop): its question, where it looked, what matched, the sentence it was read from, its answer; and the form
// that starts anew from it.

import { knownCubes } from "./api.js";
import { quoted } from "./blocks.js";
import { cubeFigure, how, litCells } from "./cube.js";
import { busy, freshId, h, put, spoken } from "./dom.js";
import { withSection } from "./router.js";
import { called, count, duration, emphasised, sureness } from "./text.js";

const [ALSO, GLIMPSE] = [8, 90];

/** The evidence that a hop's answer was read from, else its first. */
export function answering(hop) {
  const wanted = (hop.answer ?? "").toLowerCase();
  const holds = (e) =>
    hop.fact ? e.section_id === hop.fact.section_id : wanted && e.sentence.toLowerCase().includes(wanted);
  return hop.evidence.find(holds) ?? hop.evidence[0] ?? null;
}

/** The nodes of the loop that looked for a hop's evidence. */
export function retrievers(hop) {
  const sent = [...hop.cubes.map((id) => `cube_${id}`), ...hop.tools];
  return sent.length && !hop.fallback ? sent : [...sent, "passages"];
}

/** A hop as a list item. `show(hop)` with what is known of it so far; `onFork(change)` where it may be forked. */
export class HopCard {
  constructor(number, { onFork, onLook }) {
    this.number = number;
    this.onFork = onFork;
    this.main = h("div", {});
    this.cubes = h("details", { class: "hop-cubes", open: matchMedia("(min-width: 48rem)").matches });
    this.element = h("li", {
      class: "hop",
      tabindex: -1,
      data: { hop: number },
      on: { focusin: () => onLook(this), pointerenter: () => onLook(this) },
    }, this.main, this.cubes);
  }

  /** Fill the card; `hop` may be partial while the run streams (`live`). */
  show(hop, live = false) {
    this.hop = hop;
    this.element.classList.toggle("live", live);
    this.element.classList.toggle("missing", !live && hop.status === "missing");
    const steps = h("dl", {}, ...this.#steps(hop, live));
    put(this.main, this.#head(hop), steps, live ? null : this.#actions(hop));
    this.#draw(hop);
  }

  #head(hop) {
    const edited = hop.status === "edited" ? h("span", { class: "tag" }, "edited") : null;
    return h("h3", {}, h("span", { class: "number" }, `Step ${this.number}`), " ",
      h("span", { dir: "auto" }, hop.subquery), edited);
  }

  #steps(hop, live) {
    const shown = hop.evidence ? answering(hop) : null;
    return [
      hop.cubes ? step("Looked in", route(hop)) : null,
      hop.evidence && lit(hop).length ? step("Matched", cells(hop)) : null,
      hop.titles ? step("Found", h("span", { dir: "auto" }, hop.titles.slice(0, 5).join(" · ") || "nothing")) : null,
      hop.fallback ? step("Also", `searched the full text: ${hop.fallback}`) : null,
      shown ? step("Read in", quote(shown, hop), also(hop, shown)) : null,
      hop.statements?.length ? step("Tried", supposed(hop)) : null,
      hop.findings?.length ? step("It says", h("ul", { class: "plain" },
          hop.findings.map((f) => h("li", { dir: "auto" }, f.text)))) : null,
      hop.conflicts?.length ? step("Other answers", conflicts(hop)) : null,
      hop.notes?.length ? step("Note", hop.notes.join(" ")) : null,
      hop.status ? step("Answer", answer(hop)) : null,
      live && !hop.status ? h("div", { class: "step" }, h("dt", {}, spoken("Now")), h("dd", {}, busy(
        hop.titles ? "Reading" : hop.cubes ? "Looking there" : "Choosing where to look"))) : null,
    ];
  }

  #actions(hop) {
    if (!this.onFork) return null;
    const place = h("div", {});
    const toggle = h("button", { type: "button", class: "small fork-open", "aria-expanded": "false", on: {
      click: () => this.#fork(hop, toggle, place),
    } }, `Change step ${this.number}…`);
    return [h("p", { class: "actions" }, toggle), place];
  }

  #fork(hop, toggle, place) {
    const open = toggle.getAttribute("aria-expanded") === "true";
    toggle.setAttribute("aria-expanded", String(!open));
    if (open) return put(place);
    const close = () => {
      put(place);
      toggle.setAttribute("aria-expanded", "false");
      toggle.focus();
    };
    const form = forkForm(hop, this.onFork, close);
    put(place, form);
    form.elements.subquery.focus();
    form.scrollIntoView({ block: "nearest" });
  }

  #draw(hop) {
    const names = hop.cubes ?? [];
    this.cubes.hidden = names.length === 0;
    if (names.length === 0) return put(this.cubes);
    knownCubes().then(
      (cubes) => put(this.cubes, h("summary", {}, "The cube"),
        names.slice(0, 2).map((id) => cubeFigure(cubes.find((c) => c.id === id) ?? null, id, hop))),
      () => put(this.cubes),
    );
  }
}

const step = (name, ...body) => h("div", { class: "step" }, h("dt", {}, name), h("dd", {}, ...body));

const lit = (hop) => hop.cubes.flatMap((cube) => [...litCells(hop,
      cube)].map(([dimension, labels]) => ({ cube, dimension, labels: [...labels.values()] })));

function route(hop) {
  const to = [...(hop.cubes ?? []).map((id) => h("a", { class: "chip", href: `#/cubes/${encodeURIComponent(id)}` },
        called(id))),
    ...(hop.tools ?? []).map((name) => h("span", { class: "chip" }, called(name)))];
  if (to.length === 0) to.push(h("span", { class: "chip" }, called("passages")));
  return [to, hop.route_reason ? h("span", { class: "why", dir: "auto" }, hop.route_reason) : null];
}

function cells(hop) {
  const asked = (match) => match.entity.toLowerCase() !== match.label.toLowerCase();
  return h("ul", { class: "cells" }, lit(hop).flatMap(({ dimension, labels }) => labels.slice(0, 3).map((match) =>
    h("li", { class: `cell ${match.route}` },
      h("span", { class: "cell-dim" }, called(dimension)), " ",
      asked(match) ? [h("span", { dir: "auto" }, match.entity), " → "] : null,
      h("b", { dir: "auto" }, match.label), " ",
      h("span", { class: "cell-how" }, how(match))))));
}

/** Where a passage stands: the headings down to it, which tell the passages of one document apart. */
const placed = (e) => e.path?.join(" › ") || e.title || e.record_id;

const beginning = (said) => (said.length > GLIMPSE ? `${said.slice(0, GLIMPSE).trimEnd()} …` : said);

const opened = (e) => withSection(e.section_id, { from: e.start, to: e.end, says: e.sentence });

function quote(evidence, hop) {
  const said = evidence.sentence || evidence.text.slice(0, 240);
  return h("blockquote", { class: "said" },
    said.includes("\n") ? quoted(said) : h("p", { dir: "auto" }, emphasised(said, [...(hop.answers ?? []), hop.answer])),
    h("footer", {}, h("a", { href: opened(evidence), class: "opens", dir: "auto" },
        placed(evidence))));
}

function also(hop, shown) {
  const others = hop.evidence.filter((e) => e !== shown);
  if (others.length === 0) return null;
  return h("details", { class: "also" },
    h("summary", {}, `${count(others.length, "more passage")} found`),
    h("ol", { class: "plain" }, others.slice(0, ALSO).map((e) => h("li", {},
      h("a", { href: opened(e), class: "opens", dir: "auto" }, placed(e)), " ",
      e.sentence ? h("span", { class: "why", dir: "auto" }, beginning(e.sentence), " ") : null,
      e.asked ? h("span", { class: "why" }, `matches ${e.covered} of ${e.asked}`) : null))));
}

const supposed = (hop) => h("details", { class: "also" },
  h("summary", {}, `${count(hop.statements.length, "possible answer")} searched for${hop.expanded ? `: ${hop.expanded}` : ""}`),
  h("ul", { class: "plain" }, hop.statements.map((one) => h("li", { dir: "auto" }, one.text, " ",
        h("span", { class: "why" }, `${one.taken.length} of ${count(one.found.length, "passage")} used`)))));

const conflicts = (hop) => h("ul", { class: "plain" }, hop.conflicts.map((fact) => h("li", {},
  h("b", { dir: "auto" }, fact.value), " ", h("a", { href: withSection(fact.section_id, { says: fact.sentence }),
      class: "opens", dir: "auto" }, fact.sentence || "passage"))));

function answer(hop) {
  const words = hop.status === "missing" ? "not found" : hop.form === "passage" && hop.status === "answered"
    ? "the passage above" : (hop.answers.length > 1 ? hop.answers.join(" · ")
    : hop.answer);
  const facts = hop.status === "edited" ? "as edited" : [hop.status === "answered" ? sureness(hop.confidence) : "",
    duration(hop.ms)].filter(Boolean).join(" · ");
  return [h("span", { class: "sub-answer", dir: "auto" }, words), " ", h("span", { class: "why" }, facts)];
}

/** The form that starts a new run from a hop, with its subquery or its answer changed. */
function forkForm(hop, onFork, close) {
  const [subquery, given] = [freshId("subquery"), freshId("answer")];
  const problem = h("p", { class: "fault", role: "alert", hidden: true });
  const refuse = (message) => {
    problem.textContent = message;
    problem.hidden = false;
  };
  const submit = (event) => {
    event.preventDefault();
    const changed = { subquery: form.elements.subquery.value.trim(), answer: form.elements.answer.value.trim() };
    const edited = Object.keys(changed).filter((name) => changed[name] && changed[name] !== hop[name]);
    if (edited.length === 0) return refuse("Change the question or the answer first.");
    if (edited.length > 1) return refuse("Change only one of the two.");
    return onFork({ hop: hop.number, [edited[0]]: changed[edited[0]] });
  };
  const form = h("form",
    { class: "fork", on: { submit, keydown: (event) => event.key === "Escape" && (event.stopPropagation(), close()) },
    "aria-label": `Change step ${hop.number}` },
    h("p", { class: "why" }, "A new run starts from this step; this one is kept. Change one:"),
    h("label", { for: subquery }, "The question of this step"), h("input",
      { id: subquery, name: "subquery", dir: "auto", value: hop.subquery, autocomplete: "off" }),
    h("label", { for: given }, "or its answer, taken as true"),
      h("input", { id: given, name: "answer", dir: "auto", value: hop.answer, autocomplete: "off" }),
    problem,
    h("p", { class: "row" }, h("button", { type: "submit", class: "strong" }, "Run from here"),
      h("button", { type: "button", on: { click: close } }, "Cancel")));
  return form;
}
