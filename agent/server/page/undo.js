// Removal that can be undone: what was removed leaves the list at once, and the server is told when the time has passed.

import { remove } from "./api.js";
import { announce, fault, h, put } from "./dom.js";

const SECONDS = 8;
const waiting = new Set();

/** A button that removes what `path` names: its `row` turns into a line with "Undo" until it is done. */
export function removal({ path, name, row, what, done }) {
  const button = h("button", { type: "button", class: "quiet small danger", "aria-label": `Remove ${what} ${name}` }, "Remove");
  button.addEventListener("click", () => pend({ path, name, row, button, done }));
  return button;
}

function pend({ path, name, row, button, done }) {
  const kept = [...row.childNodes];
  const finish = async (leaving = false) => {
    settle();
    try {
      await remove(path, leaving);
      row.remove();
      done?.();
    } catch (error) {
      put(row, ...kept, fault(error.message));
    }
  };
  const undo = () => {
    settle();
    put(row, ...kept);
    announce(`${name} is kept.`);
    button.focus();
  };
  const settle = () => {
    clearTimeout(timer);
    waiting.delete(finish);
    row.classList.remove("leaving");
  };
  const timer = setTimeout(finish, SECONDS * 1000);
  waiting.add(finish);
  row.classList.add("leaving");
  const told = `${name} will be removed in ${SECONDS} seconds.`;
  const back = h("button", { type: "button", class: "small", on: { click: undo } }, "Undo");
  const now = h("button", { type: "button", class: "quiet small", on: { click: () => finish() } }, "Remove now");
  put(row, h("p", { class: "undo" }, h("span", { dir: "auto" }, told), " ", back, now));
  announce(told);
  back.focus();
}

/** Leaving a view, or the page, ends the time to undo. */
export const settleRemovals = (leaving = false) => Promise.all([...waiting].map((finish) => finish(leaving)));
addEventListener("pagehide", () => settleRemovals(true));
