// Adding documents: files that are chosen or dropped, or the sample that comes with the package; with progress.

import { Fault, follow, get, post, upload } from "./api.js";
import { announce, fault, freshId, h, put } from "./dom.js";
import { bytes, count } from "./text.js";

/** The form that adds files; `done([], report)` once they can be asked about, with what is told of them. */
export function uploader(done) {
  const id = freshId("files");
  const report = h("div", { class: "report" });
  const input = h("input", { id, type: "file", multiple: true, on: { change: () => send([...input.files]) } });
  const send = async (files) => {
    if (files.length === 0 || input.disabled) return;
    input.disabled = true;
    const size = bytes(files.reduce((sum, file) => sum + file.size, 0));
    await added(report, `Sending ${count(files.length, "file")} (${size})`, () => done([], report),
      (progress) => upload("/documents", files, progress));
    input.disabled = false;
    input.value = "";
  };
  const form = h("form", { class: "upload", "aria-label": "Upload", on: {
    submit: (event) => event.preventDefault(),
    dragover: (event) => (event.preventDefault(), form.classList.add("over")),
    dragleave: () => form.classList.remove("over"),
    drop: (event) => (event.preventDefault(), form.classList.remove("over"), send([...event.dataTransfer.files])),
  } },
  h("label", { for: id }, h("b", {}, "Add documents"), h("span", { class: "why" },
      "PDF, Word, HTML, Markdown, text, CSV or JSON; choose files or drop them here")),
  input, report);
  return form;
}

/** A button that adds the sample; `done(questions, report)` with some that it answers. */
export function sampler(done) {
  const report = h("div", { class: "report" });
  const add = async () => {
    let told = null;
    button.disabled = true;
    await added(report, "Adding the sample", () => done(told.questions, report),
      async () => (told = await post("/documents/sample")));
    button.disabled = false;
  };
  const button = h("button", { type: "button", on: { click: add } }, "Try it with the sample");
  return h("div", { class: "sample" }, h("p", {}, button, " ", h("span", { class: "why" },
        "64 short invented articles about films, people and places")), report);
}

/** Start a job by `start(progress)`, tell in `report` how far it is, and at its end what came of it. */
async function added(report, first, done, start) {
  const stage = h("p", { role: "status" }, first);
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of adding documents" });
  put(report, stage, bar);
  try {
    const { job } = await start((share) => (bar.value = share));
    bar.removeAttribute("value");
    const ended = await followed(job, (told) => {
      stage.textContent = [STAGES[told.stage] ?? "Waiting", told.total ? `${told.done} of ${told.total}` : ""]
        .filter(Boolean).join(": ");
      if (told.total) bar.value = told.done / told.total;
    });
    put(report, finished(ended));
    announce("The documents were added.");
    done();
  } catch (error) {
    put(report, fault(error.message));
  }
}

const STAGES = { convert: "Opening the files", format: "Finding the chapters", read: "Reading", extract: "Reading",
  embed: "Making it searchable" };

async function followed(job, tell) {
  let last = null;
  await follow(`/jobs/${encodeURIComponent(job)}`, { on: (name, told) => {
    last = { ...last, ...told };
    if (name === "progress") tell(last);
  } });
  last ??= await get(`/jobs/${encodeURIComponent(job)}`);
  if (last.state === "failed") throw new Fault(last.message || "The documents could not be read.");
  return last;
}

const COUNTS = { added: "added", updated: "changed", unchanged: "unchanged", removed: "removed" };

function finished(job) {
  const counts = Object.entries(COUNTS).filter(([name]) => job.report?.[name] > 0)
    .map(([name, word]) => `${job.report[name].toLocaleString("en")} ${word}`);
  return [
    h("p", { role: "status" }, h("b", {}, "Done. "), counts.length ? `${counts.join(", ")}.` : "Nothing was new."),
    job.problems.length
      ? h("details", { open: true },
        h("summary", {}, `${count(job.problems.length, "problem")}: set aside, the rest was added`),
        h("ul", { class: "plain" }, job.problems.slice(0, 50).map((p) => h("li", { dir: "auto" }, said(p)))))
      : null,
  ];
}

const said = (problem) => [problem.source, problem.line ? `line ${problem.line}` : "", problem.message]
  .filter(Boolean).join(": ");
