// Long lists: a search that waits for the typing to end, and a button for more.

import { busy, fault, freshId, h, put } from "./dom.js";

const PAUSE = 200;

/** A search field; `search(text)` is called when the typing pauses. */
export function searchField(label, value, search) {
  const id = freshId("search");
  let timer = 0;
  const input = h("input", { id, type: "search", value, autocomplete: "off", placeholder: label, on: {
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => search(input.value.trim()), PAUSE);
    },
  } });
  return h("div", { class: "search", role: "search" }, h("label", { for: id, class: "spoken" }, label), input);
}

/** Fill `place` with a list of what `load(offset)` gives ({items, total}), `row(item)` each, a page at a time. */
export async function paged(place, { load, row, empty, label, class: name = "rows" }) {
  const list = h("ul", { class: name, "aria-label": label });
  const total = h("p", { class: "why", role: "status" });
  const more = h("p", {});
  let held = 0;
  const ticket = (place.ticket = {});
  const next = async () => {
    put(more, busy("Loading"));
    try {
      const page = await load(held);
      if (place.ticket !== ticket) return;
      held += page.items.length;
      list.append(...page.items.map(row));
      total.textContent = page.total === 0 ? empty : page.total > held
        ? `${held.toLocaleString("en")} of ${page.total.toLocaleString("en")}`
        : `${page.total.toLocaleString("en")} in all`;
      put(more, page.items.length && page.total > held ? h("button", { type: "button", on: { click: next } },
          "Show more") : null);
    } catch (error) {
      if (place.ticket === ticket) put(more, fault(error.message));
    }
  };
  put(place, total, list, more);
  await next();
}
