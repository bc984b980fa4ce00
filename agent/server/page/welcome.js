// What stands on the view "Ask" before the first question: an offer to add documents, or what could be asked.

import { forgetCubes, get } from "./api.js";
import { fault, h, put } from "./dom.js";
import { at } from "./router.js";
import { count, outcome } from "./text.js";
import { sampler, uploader } from "./upload.js";

/** Fill a fresh conversation; `examples` are questions to offer, `report` says what was added. */
export async function welcome(talk, examples = [], report = null) {
  talk.app.title("Ask");
  const { ticket } = talk;
  const left = () => talk.ticket !== ticket;
  try {
    const { documents } = await talk.app.health();
    if (left()) return;
    talk.composer.form.hidden = documents === 0;
    put(talk.intro, h("h2", {}, documents ? "Ask your documents" : "Add documents, then ask"),
      h("p", {}, documents ? `${count(documents, "document")}. ` : "",
      "Every answer shows its sources, and how it was found."), report, documents ? null : adding(talk, left));
    if (documents === 0) return;
    const [first, { runs }] = await Promise.all([get("/documents", { limit: 2 }), get("/runs", { limit: 6 })]);
    if (left()) return;
    talk.composer.input.placeholder = `Ask about ${first.documents.map((one) => one.title || one.record_id).join(", ")} …`;
    put(talk.recent, listed("Try one of these", examples.map((question) =>
      h("button", { type: "button", on: { click: () => talk.ask(question) } }, question))),
    listed("Asked before", runs.map((run) => [h("a", { href: at("run", [run.id]), dir: "auto" }, run.question), " ",
        h("span", { class: "why", dir: "auto" }, outcome(run))])));
  } catch (error) {
    if (!error.lost && !left()) put(talk.intro, fault(error.message));
  }
}

function adding(talk, left) {
  const done = (examples, report) => {
    forgetCubes();
    talk.drawLoop();
    if (!left()) welcome(talk, examples, report);
  };
  return [uploader(done), sampler(done)];
}

const listed = (title, items) => (items.length ? [h("h2", {}, title), h("ul", { class: "plain" },
    items.map((item) => h("li", {}, item)))] : null);
