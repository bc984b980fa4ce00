// The view "Ask": questions one after another, each with its run; the picture of the loop unfolds beside them.

import { follow, get, knownCubes } from "./api.js";
import { composer } from "./composer.js";
import { $, announce, busy, fault, h, put } from "./dom.js";
import { retrievers } from "./hop.js";
import { Loop } from "./loop.js";
import { at, rename } from "./router.js";
import { Turn } from "./turn.js";
import { welcome } from "./welcome.js";

const [TRIES, PAUSE] = [20, 250];

export class Conversation {
  constructor(app) {
    this.app = app;
    this.turns = [];
    this.stopping = null;
    this.intro = h("div", { class: "intro" });
    this.log = h("div", { class: "turns" });
    this.composer = composer((question) => this.ask(question));
    this.anew = h("p", { class: "anew" }, h("a", { href: "#/ask" }, "New conversation"));
    this.composer.form.lastChild.before(this.anew);
    this.recent = h("div", { class: "recent" });
    this.beside = h("aside", { class: "beside", "aria-label": "Diagram" });
    this.element = h("div", { class: "ask fresh" }, h("div", { class: "talk" }, h("h1", { class: "spoken" }, "Ask"),
        this.intro, this.log, this.composer.form, this.recent), this.beside);
    this.drawLoop();
  }

  async drawLoop() {
    try {
      const [graph, cubes] = await Promise.all([get("/graph"), knownCubes()]);
      const empty = new Set(cubes.filter((cube) => cube.facts === 0).map((cube) => `cube_${cube.id}`));
      this.loop = new Loop({ ...graph, nodes: graph.nodes.filter((node) => !empty.has(node.id)),
        edges: graph.edges.filter((edge) => !empty.has(edge.source) && !empty.has(edge.target)) });
      put(this.beside, h("details", { class: "loop-fold" }, h("summary", {}, "Diagram"), this.loop.element));
    } catch (error) {
      if (!error.lost) put(this.beside, fault(error.message));
    }
  }

  /** Show the place's runs: none for a new conversation, else one after those of `before`. */
  async open(place) {
    const ids = place.view === "run" ? [...(place.params.get("before") ?? "").split(",").filter(Boolean),
      place.args[0]] : [];
    if (ids.length && ids.join() === this.#ids().join()) return;
    this.stop();
    this.turns = [];
    put(this.log);
    this.#fresh(ids.length === 0);
    if (ids.length === 0) return welcome(this);
    put(this.log, busy("Loading the run"));
    try {
      const runs = await Promise.all(ids.map((id) => get(`/runs/${encodeURIComponent(id)}`)));
      put(this.log);
      for (const run of runs) this.#add(run.question).show(run);
      this.#fold();
      this.app.title(runs.at(-1).question);
      if (runs.length > 1) this.turns.at(-1).heading.scrollIntoView({ block: "start" });
      if (this.loop) this.#look(runs.at(-1).hops.at(-1), runs.at(-1));
    } catch (error) {
      put(this.log, fault(error.message, " ", h("a", { href: "#/runs" }, "All runs")));
    }
  }

  #ids() {
    return this.turns.map((turn) => turn.id).filter(Boolean);
  }

  #fresh(fresh) {
    this.element.classList.toggle("fresh", fresh);
    $("label", this.composer.form).textContent = fresh ? "Question" : "Follow-up question";
    this.composer.input.placeholder = fresh ? "Ask about your documents" : "Ask a further question";
    this.composer.form.hidden = false;
    this.anew.hidden = fresh;
    this.ticket = {}; // what was begun before it is of no interest any more
    put(this.intro);
    put(this.recent);
  }

  /** Ask a question, after those of this conversation. */
  ask(question) {
    if (!question || this.stopping) return;
    for (const turn of this.turns.filter((one) => !one.id)) turn.element.remove(); // never began
    this.turns = this.turns.filter((one) => one.id);
    const before = this.#ids();
    const body = { question, ...this.composer.chosen(), ...(before.length ? { conversation: before } : {}) };
    this.composer.input.value = "";
    this.#fresh(false);
    const turn = this.#add(question);
    this.#fold();
    this.#drive(turn, "/ask", body, before);
  }

  /** Fork a run of this conversation: the new run takes its place, and the browser's back returns to it. */
  fork(turn, run, change) {
    if (this.stopping) return;
    const index = this.turns.indexOf(turn);
    for (const later of this.turns.splice(index)) later.element.remove();
    const forked = this.#add(run.question);
    forked.take(run, change);
    this.#drive(forked, `/runs/${encodeURIComponent(run.id)}/fork`, change, this.#ids());
  }

  #add(question) {
    const turn = new Turn(question, {
      stop: () => this.stop(),
      fork: (run, change) => this.fork(turn, run, change),
      resume: (run) => this.#drive(turn, `/runs/${encodeURIComponent(run.id)}/resume`, {},
        this.#ids().slice(0, this.turns.indexOf(turn))),
      look: (hop) => !this.stopping && this.#look(hop, turn.run),
      started: () => {},
      lit: (now, past) => this.loop?.light(now, past),
    });
    this.turns.push(turn);
    this.log.append(turn.element);
    return turn;
  }

  async #drive(turn, path, body, before) {
    const abort = new AbortController();
    this.stopping = abort;
    this.loop?.say("Lit: what is being done now");
    turn.begin();
    turn.acts.started = (id) => rename(at("run", [id], { before: before.join(",") }), true);
    this.app.title(turn.heading.textContent);
    turn.heading.scrollIntoView({ block: "start" });
    turn.heading.focus({ preventScroll: true });
    try {
      await follow(path, { body, signal: abort.signal, on: (name, told) => turn.event(name, told) });
      if (turn.run) this.#look(turn.run.hops.at(-1), turn.run);
      else turn.fail("The server ended the stream without an answer.");
    } catch (error) {
      await this.#broken(turn, error);
    } finally {
      if (this.stopping === abort) this.stopping = null;
    }
  }

  /** A run that was stopped or broke off is shown as it was kept. */
  async #broken(turn, error) {
    const stopped = error.name === "AbortError";
    if (stopped) announce("Stopped.");
    if (!turn.id) {
      this.composer.input.value ||= turn.heading.textContent; // to be asked again, or mended
      return turn.fail(stopped ? "Stopped before it began." : error.message);
    }
    try {
      turn.show(await this.#kept(turn.id));
      if (!stopped) turn.result.prepend(fault(error.message));
    } catch {
      turn.fail(stopped ? "Stopped. What was found is kept in the history." : error.message);
    }
    return undefined;
  }

  /** A run that was left, once the server has let go of it. */
  async #kept(id) {
    for (let tries = 1; ; tries += 1) {
      const run = await get(`/runs/${encodeURIComponent(id)}`);
      if (run.status !== "running" || tries === TRIES) return run;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  stop() {
    this.stopping?.abort();
    this.stopping = null;
  }

  /** Light the nodes that a hop went through. */
  #look(hop, run) {
    if (!hop || !this.loop) return;
    const through = ["reason", "route", ...retrievers(hop), "expand", "answer", "check"];
    const last = hop.number === run.hops.length ? ["finalize", "__end__"] : [];
    this.loop.light([], [...(hop.number === 1 ? ["__start__"] : []), ...through, ...last]);
    this.loop.say(`Lit: what step ${hop.number} went through`);
  }

  /** Earlier questions keep their answers in sight; their hops fold away. */
  #fold() {
    for (const turn of this.turns) turn.fold(turn !== this.turns.at(-1));
  }

  /** Move between steps with the keyboard. */
  step(by) {
    const cards = [...this.element.querySelectorAll("details[open] > .hops > .hop")];
    const now = cards.indexOf(document.activeElement?.closest?.(".hop"));
    const next = cards[Math.min(cards.length - 1, Math.max(0, now + by))];
    next?.focus();
  }

  edit() {
    const card = document.activeElement?.closest?.(".hop") ?? [...this.element.querySelectorAll(".hop")].at(-1);
    $(".fork-open", card ?? this.element)?.click();
  }

  focus() {
    this.composer.input.focus();
  }

  get streaming() {
    return this.stopping !== null;
  }

  /** Where this conversation is: the address of its last run. */
  get address() {
    const ids = this.#ids();
    return ids.length ? at("run", [ids.at(-1)], { before: ids.slice(0, -1).join(",") }) : at("ask");
  }
}
