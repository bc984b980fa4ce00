// One question of a conversation: the answer with its citations, and the hops as they come or as a kept run holds them.

import { blob } from "./api.js";
import { quoted } from "./blocks.js";
import { $, announce, busy, fault, h, put, spoken } from "./dom.js";
import { HopCard, retrievers } from "./hop.js";
import { at, withSection } from "./router.js";
import { called, count, cutShort, duration, emphasised, engine, moment, sureness, whyNot } from "./text.js";

const UNENDED = ["running", "paused", "failed"];

export class Turn {
  /** `acts`: stop(), fork(run, change), resume(run), look(card, turn), started(id), lit(now, past). */
  constructor(question, acts) {
    this.acts = acts;
    this.run = null;
    this.hops = new Map();
    this.past = [];
    this.heading = h("h2", { class: "question", dir: "auto", tabindex: -1 }, question);
    this.asked = h("p", { class: "asked", hidden: true });
    this.result = h("section", { class: "result", "aria-label": "Answer" });
    this.list = h("ol", { class: "hops", "aria-label": "Steps" });
    this.how = h("details", { class: "how", open: true }, h("summary", {}, "How it was found"), this.list);
    this.foot = h("footer", { class: "run-foot" });
    const moved = () => (this.watching = false);
    this.element = h("article", { class: "turn", on: { wheel: moved, touchmove: moved } }, this.heading, this.asked,
      this.result, this.how, this.foot);
  }

  /** Begin to stream: nothing is known yet. */
  begin() {
    this.words = h("p", { class: "answer writing", dir: "auto" });
    this.progress = busy("Reading the question");
    const stop = h("button", { type: "button", on: { click: () => this.acts.stop() } }, "Stop");
    put(this.result, h("div", { class: "underway" }, this.progress, stop), this.words);
    put(this.foot);
    this.watching = true;
    this.past = [];
    this.acts.lit(["reason"], []);
  }

  /** Bring something into view, unless the reader has moved on since. */
  #follow(element, block = "nearest") {
    if (this.watching) element.scrollIntoView({ block });
  }

  /** Show the hops that a fork takes over from its origin: those before it, and it itself where its answer is given. */
  take(origin, { hop, answer, subquery }) {
    for (const kept of origin.hops.filter((one) => one.number < hop)) this.#card(kept.number).show(kept, true);
    const edited = answer === undefined ? null : origin.hops.find((one) => one.number === hop);
    this.asked.hidden = false;
    put(this.asked, `Step ${hop} was changed: `, h("q", { dir: "auto" }, answer ?? subquery));
    if (edited) this.#card(hop).show({ ...edited, answer, answers: [answer], status: "edited" }, true);
  }

  /** One event of the stream. */
  event(name, told) {
    const handler = { started: this.#started, subquery: this.#subquery, route: this.#route, retrieved: this.#retrieved,
      answered: this.#answered, token: this.#token, final: this.#final }[name];
    handler?.call(this, told);
  }

  #started(told) {
    this.id = told.run;
    if (told.asked && told.asked !== told.question) {
      this.asked.hidden = false;
      put(this.asked, "Understood as: ", h("q", { dir: "auto" }, told.asked));
    }
    this.acts.started(told.run);
  }

  #card(number) {
    if (!this.hops.has(number)) {
      const fork = (change) => this.acts.fork(this.run, change);
      const card = new HopCard(number, { onFork: fork, onLook: (one) => this.run && this.acts.look(one.hop, this) });
      const next = Math.min(...[...this.hops.keys()].filter((known) => known > number)); // none: infinity, no card
      this.list.insertBefore(card.element, this.hops.get(next)?.element ?? null);
      this.hops.set(number, card);
    }
    return this.hops.get(number);
  }

  #update(number, more) {
    const card = this.#card(number);
    card.show({ ...card.hop, ...more, number }, true);
    this.#follow(card.element);
  }

  #say(text) {
    this.progress.lastChild.textContent = text;
  }

  #subquery({ hop, subquery }) {
    this.#update(hop, { subquery });
    this.#say(`Step ${hop}: choosing where to look`);
    announce(`Step ${hop}: ${subquery}`);
    this.#light(["route"], ["reason"]);
  }

  #route({ hop, subquery, cubes, note }) {
    this.#update(hop, { subquery, cubes, route_reason: note });
    this.#say(`Step ${hop}: looking in ${cubes.map(called).join(", ") || called("passages")}`);
    // Which retriever it is where no cube fits is told with the hop.
    this.#light(cubes.length ? cubes.map((id) => `cube_${id}`) : ["route"], ["route"]);
  }

  #retrieved({ hop, sections, note }) {
    this.#update(hop, { titles: sections, fallback: note || null });
    this.#say(`Step ${hop}: reading`);
    this.#light(["answer"], [...(this.#card(hop).hop.cubes ?? []).map((id) => `cube_${id}`), "expand"]);
  }

  #answered({ hop, record }) {
    const card = this.#card(hop);
    card.show(record, true);
    this.#follow(card.element);
    announce(`Step ${hop}: ${record.status === "missing" ? "not found" : record.answer}.`);
    this.#light(["check"], ["answer", ...retrievers(record)]);
  }

  #token({ note }) {
    this.#say("Writing the answer");
    this.words.append(note);
  }

  #final({ run }) {
    this.show(run);
    this.#follow(this.heading, "start");
  }

  #light(now, past) {
    this.past.push(...past);
    this.acts.lit(now, this.past);
  }

  /** Show a whole run, as it ended or as it is kept. */
  show(run) {
    this.run = run;
    this.id = run.id;
    if (run.forked_from) put(this.heading, run.question); // a fork of the whole question has its own
    if ($("q", this.asked)?.textContent === run.question) this.asked.hidden = true;
    for (const [number, card] of this.hops) {
      if (number <= run.hops.length) continue;
      card.element.remove();
      this.hops.delete(number);
    }
    for (const hop of run.hops) this.#card(hop.number).show(hop);
    put(this.result, ...this.#answer(run));
    put(this.foot, ...this.#facts(run));
    this.acts.lit([], UNENDED.includes(run.status) ? this.past : ["finalize", "__end__"]);
    announce(run.answer ? `Answer: ${run.answer}. ${count(run.citations.length, "source")}.`
      : `No answer. ${whyNot(run)}`);
  }

  /** Fold the hops away, or show them. */
  fold(folded) {
    this.how.open = !folded;
  }

  /** Say what went wrong; what has been shown stays. */
  fail(message) {
    put(this.result, fault(message));
    this.acts.lit([], this.past);
  }

  #answer(run) {
    const values = run.hops.flatMap((hop) => [...hop.answers, hop.answer]);
    const unended = UNENDED.includes(run.status);
    const told = [run.answer, run.quote?.text.includes("\n") ? run.quote.text : ""].filter(Boolean).map(plain);
    const resume = unended ? h("button", { type: "button", class: "resume",
        on: { click: () => this.acts.resume(run) } }, "Resume") : null;
    return [
      run.answer
        ? h("div", { class: "outcome" }, answered(run),
          run.confidence ? h("p", { class: "sureness" }, `Confidence: ${sureness(run.confidence)}`) : null)
        : h("p", { class: "no-answer" }, h("b", {}, unended ? "Not finished. " : "No answer. "),
          h("span", { dir: "auto" }, whyNot(run))),
      run.answer ? quotation(run) : closest(run),
      resume,
      run.answer && cutShort(run) ? h("p", { class: "why" }, cutShort(run)) : null,
      run.table ? table(run) : null,
      run.citations.length ? h("ol", { class: "citations", "aria-label": "Sources" },
        run.citations.map((c) => citation(c, values, told))) : null,
    ];
  }

  #facts(run) {
    const facts = [count(run.hops.length, "step"), duration(run.ms), engine(run.engine), moment(run.started_at)];
    const spent = run.usage?.requests ? `${count(run.usage.requests, "request")} to a model` : "";
    return [
      run.forked_from ? h("p", {}, "Changed from ", h("a", { href: at("run", [run.forked_from]) }, "an earlier run"), " · ",
        h("a", { href: at("compare", [run.forked_from, run.id]) }, "side by side")) : null,
      h("p", { class: "facts" }, [...facts, spent, `run ${run.id}`].filter(Boolean).join(" · ")),
      h("p", { class: "row" }, ["json", "mermaid", "html"].map((format) => exportButton(run.id, format))),
      h("details", { class: "settings" }, h("summary", {}, "Settings"),
        h("dl", {}, Object.entries(run.settings).map(([name, value]) => h("div", {}, h("dt", {}, name),
              h("dd", {}, String(value ?? "default")))))),
    ];
  }
}

const refs = (run) => (run.citations.length && !run.table ? h("span", { class: "refs" },
  run.citations.map((c) => reference(c))) : null);

/** The answer; one that is a quotation keeps its lines, and says what it is. */
function answered(run) {
  if (run.form !== "passage") return h("p", { class: "answer", dir: "auto" }, run.answer, refs(run));
  return h("div", { class: "answer passage" }, h("p", { class: "why" }, "The documents put it like this:", refs(run)),
    h("blockquote", { dir: "auto" }, quoted(run.answer)));
}

/** The text around an answer, unless a citation says as much. */
function quotation(run) {
  if (!run.quote || run.form === "passage") return null;
  const text = plain(run.quote.text);
  if (run.citations.some((c) => !c.sentence.includes("\n") && plain(c.sentence).includes(text))) return null;
  return h("blockquote", { class: "quote", dir: "auto" }, quoted(run.quote.text));
}

const plain = (text) => text.replace(/\s+/g, " ").trim();

/** The passages that come closest to a question without an answer. */
const closest = (run) => (run.closest?.length ? h("section", { class: "closest", "aria-label": "Closest passages" },
  h("p", { class: "why" }, "Closest passages:"),
  h("ul", {}, run.closest.map((one) => h("li", {},
    h("a", { class: "opens", dir: "auto", href: withSection(one.section_id, { from: one.start, to: one.end,
      says: one.text }) }, one.path.join(" › ") || one.title), onPage(one), ": ",
    quoted(one.text))))) : null);

/** The page of a document with pages. */
const onPage = (one) => (one.page ? h("span", { class: "why" }, ` p. ${one.page}`) : null);

const target = (c) => withSection(c.section_id, { from: c.start, to: c.end, says: c.sentence });

/** A source's number, as a link that opens its passage. */
const reference = (c) => h("a", { class: "ref opens", href: target(c) }, spoken("Source "), String(c.number));

/** A citation with its sentence, unless that is what is quoted already (`told`). */
const citation = (c, values, told) =>
  h("li", { value: c.number },
    h("a", { class: "opens", href: target(c) }, h("span", { class: "ref", "aria-hidden": "true" }, String(c.number)),
      spoken(`Source ${c.number}: `), h("span", { class: "cited", dir: "auto" }, c.title || c.record_id)),
    c.path.length > 1 ? h("span", { class: "why", dir: "auto" }, ` ${c.path.slice(1).join(" › ")}`) : null,
    onPage(c),
    told.some((text) => text.includes(plain(c.sentence))) ? null : h("p", { class: "said", dir: "auto" }, emphasised(c.sentence, values)),
    c.figures.map((f) => h("p", { class: "why shows" }, "Shows ",
        h("a", { class: "opens", href: target(c), dir: "auto" },
      f.caption || f.description || "a figure without a caption"))));

function table(run) {
  const cited = new Map(run.citations.map((c) => [c.number, c]));
  const cell = (one, i) => h(i === 0 ? "th" : "td", i === 0 ? { scope: "row", dir: "auto" } : { dir: "auto" },
    one.value || spoken("nothing found"), one.value ? null : h("span", { "aria-hidden": "true" }, "–"),
    cited.has(one.citation) ? reference(cited.get(one.citation)) : null);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Answer table" },
    h("table", {},
      h("thead", {}, h("tr", {}, run.table.columns.map((name) => h("th", { scope: "col", dir: "auto" }, name)))),
      h("tbody", {}, run.table.rows.map((row) => h("tr", {}, row.map(cell))))));
}

const ENDING = { json: "json", mermaid: "mmd", html: "html" };

function exportButton(id, format) {
  const save = async (event) => {
    const button = event.currentTarget;
    try {
      const address = URL.createObjectURL(await blob(`/runs/${encodeURIComponent(id)}/export?format=${format}`));
      h("a", { href: address, download: `run-${id}.${ENDING[format]}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      button.after(fault(error.message));
    }
  };
  return h("button", { type: "button", class: "quiet small", on: { click: save } },
    `Save as ${format === "mermaid" ? "Mermaid" : format.toUpperCase()}`);
}
