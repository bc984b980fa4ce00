// The field that a question is written in, and its options.

import { freshId, h } from "./dom.js";

const NUMBERS = ["max_hops", "sections_per_hop", "min_confidence"];
const WIDER = { auto: "when needed", always: "always", never: "never" };

/** The form; `ask(question)` when it is sent, `chosen()` what its options say. */
export function composer(ask) {
  const id = freshId("question");
  const send = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  };
  const input = h("textarea", { id, name: "question", rows: 1, dir: "auto", autocomplete: "off", required: true,
      maxlength: 4000, on: { keydown: send } });
  const submit = (event) => (event.preventDefault(), ask(input.value.trim()));
  const form = h("form", { class: "composer", "aria-label": "Ask", on: { submit } },
    h("div", { class: "line" }, h("label", { for: id, class: "spoken" }, "Question"), input,
      h("button", { type: "submit", class: "strong" }, "Ask")),
    options());
  return { form, input, chosen: () => chosen(form) };
}

const field = (label, input) => h("label", {}, h("span", {}, label), input);

const options = () => h("details", { class: "options" }, h("summary", {}, "Options"), h("div", { class: "fields" },
    field("Steps at most", h("input", { name: "max_hops", type: "number", min: 1, max: 50, placeholder: "6" })),
    field("Passages per step", h("input", { name: "sections_per_hop", type: "number", min: 1, max: 100,
          placeholder: "5" })),
    field("Lowest confidence (0 to 1)", h("input", { name: "min_confidence", type: "number", min: 0, max: 1,
          step: 0.05, placeholder: "0" })),
    field("Search wider", h("select", { name: "expand" }, Object.entries(WIDER).map(([value, label]) =>
          h("option", { value }, label)))),
    field("Only in file or folder", h("input", { name: "source", placeholder: "any" })),
    field("Dated from", h("input", { name: "since", type: "date" })),
    field("Dated until", h("input", { name: "until", type: "date" }))));

/** The settings and filters that a person has set; nothing for those left alone. */
function chosen(form) {
  const said = (name) => form.elements[name].value.trim();
  const settings = Object.fromEntries(NUMBERS.filter(said).map((name) => [name, Number(said(name))]));
  if (said("expand") !== "auto") settings.expand = said("expand");
  const filters = {};
  if (said("source")) filters.sources = [said("source")];
  for (const name of ["since", "until"]) if (said(name)) filters[name] = said(name);
  return { ...(Object.keys(settings).length ? { settings } : {}), ...(Object.keys(filters).length ? { filters } : {}) };
}
