// The list of the knowledge bases behind one server that whoever asks may read, each with a page of its own.

import { attend, get, heldToken, setToken, setTokenOf } from "./api.js";

const $ = (selector) => document.querySelector(selector);

function item({ name, right }) {
  const link = Object.assign(document.createElement("a"), { href: `kb/${encodeURIComponent(name)}/`, textContent: name });
  const entry = document.createElement("li");
  entry.append(link, ` (${right})`);
  if (heldToken()) setTokenOf(`/kb/${name}`, heldToken());
  return entry;
}

async function list() {
  try {
    const { kbs } = await get("/kb");
    $("#kbs").replaceChildren(...kbs.map(item));
    $("#said").textContent = kbs.length ? "" : "There is none here that you may read.";
    $("#token-form").hidden = true;
  } catch (fault) {
    $("#said").textContent = fault.message;
  }
}

attend({
  token: async () => {
    $("#token-form").hidden = false;
    $("#token").focus();
    return false;
  },
});
$("#token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  setToken($("#token").value.trim());
  list();
});
list();
