// The page begins here: places, theme, shortcuts, the server's state.

import { attend, get, heldToken, setToken } from "./api.js";
import { compareView } from "./compare.js";
import { Conversation } from "./conversation.js";
import { cubesView } from "./cubes.js";
import { documentsView } from "./documents.js";
import { $, h, put } from "./dom.js";
import { arrived, go, here, rename } from "./router.js";
import { runsView } from "./runs.js";
import { closePanel, panelOpen, syncPanel } from "./section.js";
import { listen } from "./keys.js";
import { count } from "./text.js";
import { nextTheme, showTheme } from "./theme.js";
import { settleRemovals } from "./undo.js";

const VIEWS = { runs: runsView, compare: compareView, cubes: cubesView, documents: documentsView };
const TITLES = { runs: "History", compare: "Side by side", cubes: "Cubes", documents: "Documents" };
const RETRY = 3000;

const app = { title, health, refresh };
let conversation = null;
let retry = 0;

function title(text) {
  document.title = `${text} · MultiCube`;
}

async function health() {
  const told = await get("/health");
  put($("#state"), h("span", { dir: "auto" }, [told.name, told.documents ? count(told.documents, "document")
    : "no documents"].filter(Boolean).join(" · ")));
  return told;
}

function refresh() {
  health().catch(() => {});
}

/** Show the place that the address names. */
async function arrive() {
  const place = here();
  if (!arrived()) await change(place);
  await syncPanel();
}

async function change(place) {
  await settleRemovals();
  for (const link of document.querySelectorAll("nav a")) {
    const current = link.dataset.view === ({ run: "ask", compare: "runs" }[place.view] ?? place.view);
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const first = $("noscript", $("#main")) !== null;
  if (!first) $("#main").focus({ preventScroll: true });
  if (place.view in VIEWS) {
    title(TITLES[place.view]);
    put($("#main"), VIEWS[place.view](place, app));
  } else converse(place);
  if (!first && !panelOpen()) scrollTo(0, 0);
}

/** The conversation outlives visits to other views: a run that streams goes on. */
function converse(place) {
  conversation ??= new Conversation(app);
  put($("#main"), conversation.element);
  if (place.view === "ask" && matchMedia("(pointer: fine)").matches) conversation.focus();
  if (conversation.streaming && place.view === "ask") rename(conversation.address);
  else conversation.open(place);
}

function lost() {
  const line = $("#lost");
  if (!line.hidden) return;
  line.hidden = false;
  line.textContent = "The connection to the server is lost; what is shown may be old. Trying again.";
  retry = setInterval(refresh, RETRY);
}

function back() {
  clearInterval(retry);
  $("#lost").hidden = true;
}

const asks = () => !(here().view in VIEWS);

let asking = null;

/** Ask for the token; once for however many requests wait for it. */
function askToken() {
  asking ??= new Promise((resolve) => {
    const dialog = $("#token-dialog");
    const known = heldToken();
    $("#token-fault").hidden = !known;
    $("#token-fault").textContent = known ? "The server does not take that token." : "";
    dialog.returnValue = "";
    dialog.addEventListener("close", () => {
      const given = dialog.returnValue === "given" && $("#token").value.trim();
      if (given) setToken(given);
      $("#token").value = "";
      asking = null;
      resolve(Boolean(given));
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

attend({ lost, back, token: askToken });
showTheme();
$("#theme").addEventListener("click", nextTheme);
$("#help").addEventListener("click", () => $("#help-dialog").showModal());
$("#skip").addEventListener("click", (event) => (event.preventDefault(), $("#main").focus()));
listen({
  "/": () => (asks() ? conversation.focus() : go("#/ask")),
  n: () => go("#/ask"),
  j: () => conversation?.step(1),
  k: () => conversation?.step(-1),
  e: () => conversation?.edit(),
  t: nextTheme,
  "?": () => $("#help-dialog").showModal(),
  ga: () => go("#/ask"),
  gr: () => go("#/runs"),
  gc: () => go("#/cubes"),
  gd: () => go("#/documents"),
  Escape: () => (panelOpen() ? closePanel() : asks() && conversation?.stop()),
});
addEventListener("hashchange", arrive);
addEventListener("popstate", arrive);
addEventListener("online", refresh);
arrive().then(refresh);
