// Keyboard shortcuts: single keys outside of fields (which can be switched off), and Esc everywhere.

import { $ } from "./dom.js";

const KEY = "multicube-keys";
const CHORD = 1200;

/** Call `shortcuts[key]`; two keys make a chord ("gr": g, then r). */
export function listen(shortcuts) {
  const box = $("#keys-on");
  box.checked = localStorage.getItem(KEY) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEY, box.checked ? "on" : "off"));
  let first = "";
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const modal = document.querySelector("dialog:modal");
    if (event.key === "Escape") return modal ? undefined : shortcuts.Escape();
    if (modal || !box.checked || typing(event.target)) return;
    const call = shortcuts[first + event.key] ?? (first ? undefined : shortcuts[event.key]);
    const starts = !first && Object.keys(shortcuts).some((keys) => keys.length === 2 && keys[0] === event.key);
    first = starts ? event.key : "";
    if (starts) setTimeout(() => (first = ""), CHORD);
    if (!call) return;
    event.preventDefault();
    call();
  });
}

const typing = (target) => target.matches?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
