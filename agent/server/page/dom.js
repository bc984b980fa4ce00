// Elements are made here and nowhere else: whatever comes from a document, a model or a person becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

/** Make an HTML element. `props`: `class`, `on` (listeners by name), `data`, else attributes (true: without a value). */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Make an SVG element, as `h` does. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "href") element.setAttribute("href", ownAddress(value));
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Links lead to places of this page, to its own API, or to a file made here; no text from elsewhere becomes one. */
function ownAddress(address) {
  if (!/^(#|\/(?!\/)|blob:)/.test(address)) throw new Error("Not an address of this page.");
  return address;
}

/** Replace what an element holds. */
export function put(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const $ = (selector, within = document) => within.querySelector(selector);

/** Text that only a screen reader says. */
export const spoken = (text) => h("span", { class: "spoken" }, text);

let waiting = [];
let timer = 0;

/** Say something to a screen reader, in turn: what comes quickly is gathered into one message. */
export function announce(text) {
  waiting.push(text);
  clearTimeout(timer);
  timer = setTimeout(() => {
    $("#announcer").textContent = waiting.join(" ");
    waiting = [];
  }, 150);
}

/** A line for what went wrong, in one sentence. */
export const fault = (message, ...more) => h("p", { class: "fault", role: "alert" }, message, ...more);

/** A line for work under way. */
export const busy = (text) => h("p", { class: "busy" }, h("span", { class: "pulse", "aria-hidden": "true" }), text);

let counter = 0;

/** An id that no other element has. */
export const freshId = (stem) => `${stem}-${(counter += 1)}`;
