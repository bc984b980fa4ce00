// How figures, states and names are worded, and which pieces of a text are marked.

import { h } from "./dom.js";

/** Milliseconds for people: "28 ms", "1.4 s". */
export function duration(ms) {
  if (!Number.isFinite(ms)) return "";
  if (ms >= 60_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const LIKELY = [[85, "very likely right"], [65, "likely right"], [40, "may be right"], [20, "uncertain"]];

/** The probability that an answer is right, in per cent and in words, as it is told everywhere. */
export function sureness(confidence) {
  const percent = Math.round(confidence * 100);
  const words = LIKELY.find(([least]) => percent >= least)?.[1] ?? "probably wrong";
  return `${percent > 0 ? `${percent} %` : "below 1 %"} (${words})`;
}

/** A moment, in the reader's own time zone. */
export function moment(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export const bytes = (size) =>
  size >= 1_048_576 ? `${(size / 1_048_576).toFixed(1)} MB` : `${Math.max(1, Math.round(size / 1024))} kB`;

/** A sentence to be quoted; a table's row without its bars. */
const quoted = (text) => (text.startsWith("|")
  ? text.split(/(?<!\\)\|/).map((cell) => cell.trim()).filter(Boolean).join(" · ") : text);

const WORD = /[\p{L}\p{N}_]/u;

/** The children of a sentence in which each of `values`, where it stands as whole words and is a part, is set in bold. */
export function emphasised(sentence, values) {
  const text = quoted(sentence);
  const wanted = [...new Set(values)].filter((value) => value && value !== sentence).sort((a, b) => b.length - a.length)
    .map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (wanted.length === 0) return [text];
  const whole = new RegExp(`(?<!${WORD.source})(${wanted.join("|")})(?!${WORD.source})`, "giu");
  return text.split(whole).map((part, i) => (i % 2 ? h("strong", {}, part) : part));
}

/**
 * Where a sentence lies in a section's text, as [start, end] of code points (as the server counts), or null.
 * The offsets count where they hold the sentence (or none is known); else it is looked for. A word is never cut.
 */
export function located(points, start, end, sentence) {
  const at = points.slice(start, end).join("");
  if (end > start && at && (!sentence || at === sentence)) return whole(points, start, end);
  if (!sentence) return null;
  const found = points.join("").indexOf(sentence);
  if (found < 0) return end > start && at ? whole(points, start, end) : null;
  const before = Array.from(points.join("").slice(0, found)).length;
  return whole(points, before, before + Array.from(sentence).length);
}

function whole(points, start, end) {
  const within = (i) => i > 0 && i < points.length && WORD.test(points[i - 1]) && WORD.test(points[i]);
  while (within(start)) start -= 1;
  while (within(end)) end += 1;
  return [start, end];
}

const STOPPED = {
  iterations: "The most steps allowed were taken.",
  deadline: "The time was up.",
  repeated: "The next question had been asked before.",
  exhausted: "There was nothing further to ask.",
  cap: "The spending limit was reached.",
  interrupted: "It was stopped.",
  error: "An error ended it.",
};

/** Why a run has no answer, in a sentence. */
export function whyNot(run) {
  if (run.note) return run.note;
  if (run.status === "running") return "It was left before its end.";
  return STOPPED[run.stopped] ?? "The documents do not say.";
}

/** What cut an answered run short, or nothing. */
export const cutShort = (run) => (["iterations", "deadline", "cap"].includes(run.stopped) ? STOPPED[run.stopped] : "");

/** What a list says of a question that has no answer. */
export const outcome = (run) => run.answer || (["running", "paused"].includes(run.status) ? "not finished"
  : run.status === "failed" ? "failed" : "no answer");

/** What thought, in words: "embedded/1" is the rules of this package, anything else names a model. */
export const engine = (name) => (name.startsWith("embedded") ? "no language model" : name);

const NAMES = {
  __start__: "question", __end__: "answer", reason: "next question", route: "where to look", passages: "full text",
  hiqa: "chapters", smart: "themes", cells: "whole cubes", expand: "search wider", answer: "read", check: "enough?",
  finalize: "write answer",
};

/** What people call a part of the loop, a cube or a property: "hiqa" is "chapters", "to_person" is "to person". */
export const called = (id) => NAMES[id] ?? id.replace(/^cube_/, "").replaceAll("_", " ");
