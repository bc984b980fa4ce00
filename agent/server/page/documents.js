// The view "Documents": what the knowledge base holds; adding and removal.

import { forgetCubes, get } from "./api.js";
import { busy, fault, h, put } from "./dom.js";
import { paged, searchField } from "./pages.js";
import { at, here, refine, withSection } from "./router.js";
import { count } from "./text.js";
import { removal } from "./undo.js";
import { uploader } from "./upload.js";

const PAGE = 50;

export function documentsView(place, app) {
  if (place.args.length) return oneDocument(place.args[0], app);
  const list = h("div", {});
  const changed = () => (forgetCubes(), app.refresh());
  const fill = (query) => {
    refine({ query });
    paged(list, {
      label: "Documents",
      empty: query ? "No document fits." : "There are no documents yet.",
      load: async (offset) => {
        const told = await get("/documents", { limit: PAGE, offset, query });
        return { items: told.documents, total: told.total };
      },
      row: (one) => row(one, changed),
    });
  };
  const query = place.params.get("query") ?? "";
  fill(query);
  return h("div", { class: "wide" }, h("h1", {}, "Documents"),
    uploader(() => (changed(), here().view === "documents" && fill(here().params.get("query") ?? ""))),
    h("div", { class: "toolbar" }, searchField("Search documents", query, fill)), list);
}

function row(one, changed) {
  const item = h("li", {});
  const facts = [one.record_id, one.language && one.language !== "en" ? one.language : "",
    count(one.sections ?? 0, "passage")];
  put(item,
    h("div", {}, h("a", { href: at("documents", [one.id]), class: "title", dir: "auto" }, one.title || one.record_id),
      h("p", { class: "why", dir: "auto" }, facts.filter(Boolean).join(" · "))),
    removal({ path: `/documents/${encodeURIComponent(one.id)}`, name: one.title || one.record_id, row: item,
        what: "the document", done: changed }));
  return item;
}

function oneDocument(id, app) {
  const body = h("div", {}, busy("Loading the document"));
  get(`/documents/${encodeURIComponent(id)}`).then(
    (one) => {
      const sections = Array.isArray(one.sections) ? one.sections : [];
      app.title(one.title || one.record_id);
      put(body, h("h1", { dir: "auto" }, one.title || one.record_id),
        h("dl", { class: "pairs" }, pairs(one).map(([name, value]) => h("div", {}, h("dt", {}, name),
              h("dd", { dir: "auto" }, value)))),
        h("h2", {}, count(sections.length, "passage")),
        h("ol", { class: "rows" }, sections.map((s) => h("li", {},
              h("a", { class: "opens", dir: "auto", href: withSection(s.id) },
          (s.path ?? []).slice(-1)[0] || s.title || s.id)))));
    },
    (error) => put(body, h("h1", {}, "Document"), fault(error.message)),
  );
  return h("div", { class: "wide" }, h("p", {}, h("a", { href: "#/documents" }, "All documents")), body);
}

const pairs = (one) =>
  [["Record", one.record_id], ["Source", one.source], ["Type", one.media_type], ["Language", one.language],
    ...Object.entries(one.metadata ?? {})].filter(([,
        value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => [name, String(value)]);
