// The panel that shows a section with the sentence that was cited marked in it.

import { blob, get } from "./api.js";
import { drawn } from "./blocks.js";
import { $, busy, fault, h, put } from "./dom.js";
import { at, go, ground, here } from "./router.js";
import { located } from "./text.js";

const panel = () => $("#panel");
let origin = null;
let shown = "";

/** Bring the panel in line with the address. */
export async function syncPanel() {
  const { params } = here();
  const id = params.get("section");
  const wanted = id === null ? "" : ["section", "from", "to", "says"].map((name) => params.get(name)).join("\u0000");
  if (wanted === shown) return;
  shown = wanted;
  if (id === null) return hide();
  if (!panel().open) {
    origin = document.activeElement;
    reveal();
  }
  put(panel(), closer(), h("h2", { id: "panel-title", tabindex: -1 }, "Passage"), busy("Loading the passage"));
  $("#panel-title").focus();
  try {
    const section = await get(`/sections/${encodeURIComponent(id)}`);
    if (wanted === shown) fill(section, params);
  } catch (error) {
    if (wanted === shown) put(panel(), closer(), h("h2", { id: "panel-title", tabindex: -1 }, "Passage"),
      fault(error.message));
  }
  return undefined;
}

/** Beside the page where there is room (both stay usable), over it where there is not. */
function reveal() {
  if (matchMedia("(min-width: 64rem)").matches) panel().show();
  else panel().showModal();
  document.body.classList.add("paneled");
  panel().addEventListener("cancel", (event) => (event.preventDefault(), closePanel()), { once: true });
}

function hide() {
  if (!panel().open) return;
  panel().close();
  put(panel());
  document.body.classList.remove("paneled");
  if (origin?.isConnected) origin.focus();
  origin = null;
}

/** Close the panel; the address forgets the section. */
export const closePanel = () => go(ground(here()));
export const panelOpen = () => panel().open;

const closer = () => h("button", { type: "button", class: "quiet close", on: { click: closePanel } }, "Close");

function fill(section, params) {
  const body = h("div", { class: "section-text" }, pieces(section, params));
  const chapters = (section.path ?? []).filter((name) => name !== section.title);
  put(panel(),
    closer(),
    h("h2", { id: "panel-title", tabindex: -1, dir: "auto" }, section.title || section.record_id),
    chapters.length ? h("p", { class: "path", dir: "auto" }, chapters.join(" › ")) : null,
    h("p", { class: "why" }, section.record_id, section.document_id ? [" · ",
        h("a", { href: at("documents", [section.document_id]) }, "open the document")] : null),
    body);
  $("#panel-title").focus();
  $("mark", body)?.scrollIntoView({ block: "center" });
}

/** The text, with the cited sentence marked and each figure where it stands. */
function pieces(section, params) {
  const points = Array.from(section.text);
  const span = located(points, Number(params.get("from") ?? 0), Number(params.get("to") ?? 0), params.get("says"));
  const known = new Map((section.figures ?? []).map((one) => [one.id, one]));
  return drawn(points, span ?? [0, 0], (id, caption) => figure(id, caption, known.get(id)));
}

function figure(id, caption, known) {
  const image = h("img", { alt: known?.description || caption || "Figure" });
  const said = h("figcaption", { dir: "auto" }, caption || known?.caption || "Figure");
  picture(id).then((address) => (image.src = address), (error) => said.after(fault(error.message)));
  return h("figure", { class: "figure" }, image, said);
}

/** An image's bytes as a data: address, for a plain `src` could not send the token. */
async function picture(id) {
  const data = await blob(`/figures/${encodeURIComponent(id)}`);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error("The figure could not be read."));
    reader.readAsDataURL(data);
  });
}
