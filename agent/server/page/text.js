// Wording of figures, and the pieces of a text that are to be marked.

import { h } from "./dom.js";

/** Milliseconds for people: "28 ms", "1.4 s". */
export function duration(ms) {
  if (!Number.isFinite(ms)) return "";
  if (ms >= 60_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

export const sure = (confidence) => `${Math.round(confidence * 100)} % sure`;

const LIKELY = [[85, "very likely right"], [65, "likely right"], [40, "may be right"], [20, "unsure"]];

/** The probability that an answer is right, in per cent and in words, as it is told everywhere. */
export function sureness(confidence) {
  const percent = Math.round(confidence * 100);
  const words = LIKELY.find(([least]) => percent >= least)?.[1] ?? "very unsure";
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

/** The children of a sentence in which the first of `values` that it says is set in bold. */
export function emphasised(sentence, values) {
  const text = quoted(sentence);
  const lower = text.toLowerCase();
  for (const value of values) {
    const at = value && lower.length === text.length ? lower.indexOf(value.toLowerCase()) : -1;
    if (at >= 0) return [text.slice(0, at), h("strong", {}, text.slice(at, at + value.length)),
      text.slice(at + value.length)];
  }
  return [text];
}

/**
 * Where a sentence lies in a section's text, as [start, end] of code points (as the server counts), or null.
 * The offsets count where they hold the sentence (or none is known); else it is looked for.
 */
export function located(points, start, end, sentence) {
  const at = points.slice(start, end).join("");
  if (end > start && at && (!sentence || at === sentence)) return [start, end];
  if (!sentence) return null;
  const found = points.join("").indexOf(sentence);
  if (found < 0) return end > start && at ? [start, end] : null;
  const before = Array.from(points.join("").slice(0, found)).length;
  return [before, before + Array.from(sentence).length];
}

const STOPPED = {
  iterations: "The limit of hops was reached.",
  deadline: "The time limit was reached.",
  repeated: "The next subquery had been asked before.",
  exhausted: "There was nothing further to ask.",
  cap: "The cap on spending was reached.",
  error: "An error ended the run.",
};

/** Why a run has no answer, in a sentence. */
export function whyNot(run) {
  if (run.note) return run.note;
  if (run.status === "running") return "The run has not ended; it can be resumed.";
  return STOPPED[run.stopped] ?? "The documents do not say.";
}

/** What cut an answered run short, or nothing. */
export const cutShort = (run) => (["iterations", "deadline", "cap"].includes(run.stopped) ? STOPPED[run.stopped] : "");
