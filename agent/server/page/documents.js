// The view "Documents": what the knowledge base holds; adding by upload, with progress; removal.

import { Fault, follow, forgetCubes, get, upload } from "./api.js";
import { announce, busy, fault, freshId, h, put } from "./dom.js";
import { paged, searchField } from "./pages.js";
import { at, here, refine, withSection } from "./router.js";
import { bytes, count } from "./text.js";
import { removal } from "./undo.js";

const PAGE = 50;
const KINDS = ".pdf,.docx,.html,.htm,.md,.txt,.csv,.json,.jsonl";

export function documentsView(place, app) {
  if (place.args.length) return oneDocument(place.args[0], app);
  const list = h("div", {});
  const changed = () => (forgetCubes(), app.refresh());
  const fill = (query) => {
    refine({ query });
    paged(list, {
      label: "Documents",
      empty: query ? "No document fits." : "There are no documents yet. Add the first above.",
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
    uploader(() => (changed(), fill(here().params.get("query") ?? ""))),
    h("div", { class: "toolbar" }, searchField("Search documents", query, fill)), list);
}

function row(one, changed) {
  const item = h("li", {});
  const facts = [one.record_id, one.media_type, one.language && one.language !== "en" ? one.language : "", count(one.sections ?? 0, "section")];
  put(item,
    h("div", {}, h("a", { href: at("documents", [one.id]), class: "title", dir: "auto" }, one.title || one.record_id), h("p", { class: "why", dir: "auto" }, facts.filter(Boolean).join(" · "))),
    removal({ path: `/documents/${encodeURIComponent(one.id)}`, name: one.title || one.record_id, row: item, what: "the document", done: changed }));
  return item;
}

function oneDocument(id, app) {
  const body = h("div", {}, busy("Loading the document"));
  get(`/documents/${encodeURIComponent(id)}`).then(
    (one) => {
      const sections = Array.isArray(one.sections) ? one.sections : [];
      app.title(one.title || one.record_id);
      put(body, h("h1", { dir: "auto" }, one.title || one.record_id),
        h("dl", { class: "pairs" }, pairs(one).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { dir: "auto" }, value)))),
        h("h2", {}, count(sections.length, "section")),
        h("ol", { class: "rows" }, sections.map((s) => h("li", {}, h("a", { class: "opens", dir: "auto", href: withSection(s.id) }, (s.path ?? []).slice(-1)[0] || s.title || s.id)))));
    },
    (error) => put(body, h("h1", {}, "Document"), fault(error.message)),
  );
  return h("div", { class: "wide" }, h("p", {}, h("a", { href: "#/documents" }, "All documents")), body);
}

const pairs = (one) =>
  [["Record", one.record_id], ["Source", one.source], ["Type", one.media_type], ["Language", one.language],
    ...Object.entries(one.metadata ?? {})].filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => [name, String(value)]);

/** The form that adds files: chosen or dropped. */
function uploader(done) {
  const id = freshId("files");
  const report = h("div", { class: "report" });
  const input = h("input", { id, type: "file", multiple: true, accept: KINDS, on: { change: () => send([...input.files]) } });
  const send = async (files) => {
    if (files.length === 0 || form.classList.contains("sending")) return;
    form.classList.add("sending");
    input.disabled = true;
    await ingest(files, report, done);
    form.classList.remove("sending");
    input.disabled = false;
    input.value = "";
  };
  const drop = (event) => {
    event.preventDefault();
    form.classList.remove("over");
    send([...event.dataTransfer.files]);
  };
  const form = h("form", { class: "upload", "aria-label": "Upload", on: {
    submit: (event) => event.preventDefault(),
    dragover: (event) => (event.preventDefault(), form.classList.add("over")),
    dragleave: () => form.classList.remove("over"),
    drop,
  } },
  h("label", { for: id }, h("b", {}, "Add documents"), h("span", { class: "why" }, "PDF, DOCX, HTML, Markdown, text, CSV, JSON or JSONL; choose files or drop them here")),
  input, report);
  return form;
}

async function ingest(files, report, done) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const stage = h("p", { role: "status" }, `Sending ${count(files.length, "file")} (${bytes(size)})`);
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of adding documents" });
  put(report, stage, bar);
  try {
    const { job } = await upload("/documents", files, (share) => (bar.value = share));
    bar.removeAttribute("value");
    put(report, stage, bar);
    const ended = await followed(job, (told) => {
      stage.textContent = [told.stage || told.state, told.total ? `${told.done} of ${told.total}` : ""].filter(Boolean).join(": ");
      if (told.total) bar.value = told.done / told.total;
    });
    if (ended.state === "failed") throw new Fault(ended.problems?.[0]?.message ?? ended.message ?? "The documents could not be read.");
    put(report, finished(ended));
    announce("The documents were added.");
    done();
  } catch (error) {
    put(report, fault(error.message));
  }
}

async function followed(job, tell) {
  let last = null;
  await follow(`/jobs/${encodeURIComponent(job)}`, { on: (name, told) => {
    last = { ...last, ...told };
    if (name === "progress") tell(last);
  } });
  return last ?? get(`/jobs/${encodeURIComponent(job)}`);
}

const COUNTS = { added: "added", updated: "changed", unchanged: "unchanged", removed: "removed" };

function finished(job) {
  const counts = Object.entries(COUNTS).filter(([name]) => job.report?.[name] > 0).map(([name, word]) => `${job.report[name].toLocaleString("en")} ${word}`);
  const problems = job.problems ?? [];
  return [
    h("p", { role: "status" }, h("b", {}, "Done. "), counts.length ? `${counts.join(", ")}.` : "Nothing was new."),
    problems.length
      ? h("details", { open: true }, h("summary", {}, `${count(problems.length, "problem")}: set aside, the rest was added`),
        h("ul", { class: "plain" }, problems.slice(0, 50).map((p) => h("li", { dir: "auto" }, said(p)))))
      : null,
  ];
}

const said = (problem) => (typeof problem === "string" ? problem : [problem.source, problem.line ? `line ${problem.line}` : "", problem.message].filter(Boolean).join(": "));
