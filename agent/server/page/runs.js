// The view "History": every run that was kept, searched; two of them are laid side by side.

import { get } from "./api.js";
import { h, put } from "./dom.js";
import { paged, searchField } from "./pages.js";
import { at, go, refine } from "./router.js";
import { count, duration, engine, moment, outcome } from "./text.js";
import { removal } from "./undo.js";

const PAGE = 30;

export function runsView(place) {
  const chosen = [];
  const list = h("div", {});
  const compare = h("button", { type: "button", class: "strong", disabled: true,
      on: { click: () => go(at("compare", chosen)) } }, "Side by side");
  const hint = h("span", { class: "why", role: "status" }, "Choose two runs to lay them side by side.");
  const choose = (run, box) => {
    if (box.checked) chosen.push(run.id);
    else chosen.splice(chosen.indexOf(run.id), 1);
    compare.disabled = chosen.length !== 2;
    hint.textContent = chosen.length === 2 ? "Two are chosen." : chosen.length > 2 ? "Choose two only."
      : `Choose ${chosen.length ? "one more" : "two runs to lay them side by side"}.`;
  };
  const fill = (query) => {
    chosen.length = 0;
    compare.disabled = true;
    refine({ query });
    paged(list, {
      label: "History",
      empty: query ? "Nothing fits." : "Nothing has been asked yet.",
      load: async (offset) => {
        const told = await get("/runs", { limit: PAGE, offset, query });
        return { items: told.runs, total: told.total };
      },
      row: (run) => row(run, choose),
    });
  };
  const query = place.params.get("query") ?? "";
  fill(query);
  return h("div", { class: "wide" }, h("h1", {}, "History"),
    h("div", { class: "toolbar" }, searchField("Search questions and answers", query, fill), compare, hint), list);
}

function row(run, choose) {
  const box = h("input", { type: "checkbox", "aria-label": `Compare: ${run.question}`,
      on: { change: () => choose(run, box) } });
  const item = h("li", { class: "run" });
  const facts = [count(run.hops, "step"), duration(run.ms), engine(run.engine),
    moment(run.started_at)].filter(Boolean).join(" · ");
  put(item, box,
    h("div", {},
      h("a", { href: at("run", [run.id]), class: "title", dir: "auto" }, run.question),
      h("p", { class: run.answer ? "got" : "got none", dir: "auto" },
        outcome(run)),
      h("p", { class: "why" }, facts, run.forked_from ? [" · changed from ",
          h("a", { href: at("run", [run.forked_from]) }, "an earlier run")] : null)),
    removal({ path: `/runs/${encodeURIComponent(run.id)}`, name: run.question, row: item, what: "the run" }));
  return item;
}
