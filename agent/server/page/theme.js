// Light, dark, or as the system says.

import { $ } from "./dom.js";

const KEY = "multicube-theme";
const THEMES = ["auto", "light", "dark"];

const known = () => (THEMES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : "auto");

export function showTheme() {
  document.documentElement.dataset.theme = known();
  $("#theme").textContent = `Theme: ${known()}`;
}

export function nextTheme() {
  localStorage.setItem(KEY, THEMES[(THEMES.indexOf(known()) + 1) % THEMES.length]);
  showTheme();
}
