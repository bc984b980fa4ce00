// The view "Cubes": a cube's dimensions, rolled up and drilled into; the sections and facts of the cell that was opened.

import { get, knownCubes } from "./api.js";
import { cellGlyph } from "./cube.js";
import { busy, fault, h, put } from "./dom.js";
import { paged, searchField } from "./pages.js";
import { at, withSection } from "./router.js";
import { count } from "./text.js";

const PAGE = 40;
const TREES = ["date", "place"];
const LEVELS = { date: ["decade", "year", "label"] };

export function cubesView(place, app) {
  const body = h("div", {}, busy("Loading the cubes"));
  knownCubes().then(
    (cubes) => (place.args.length ? one(body, cubes, place, app) : put(body, h("h1", {}, "Cubes"), all(cubes))),
    (error) => put(body, h("h1", {}, "Cubes"), fault(error.message)),
  );
  return h("div", { class: "wide" }, body);
}

function all(cubes) {
  const held = [...cubes].sort((a, b) => b.facts - a.facts);
  return h("ul", { class: "cards" }, held.map((cube) => h("li", { class: cube.facts ? "card" : "card empty" },
    h("h2", {}, h("a", { href: at("cubes", [cube.id]), dir: "auto" }, cube.name)),
    h("p", { class: "why", dir: "auto" }, cube.description),
    h("p", {}, `${count(cube.facts, "fact")} · ${count(cube.dimensions.length, "dimension")}`),
    strip(cube.dimensions))));
}

/** How full each dimension is, as a row of bars. */
function strip(dimensions) {
  const top = Math.max(1, ...dimensions.map((d) => d.labels));
  return h("div", { class: "strip", "aria-hidden": "true" }, dimensions.map((d) => {
    const bar = h("span", {});
    bar.style.height = `${Math.max(2, Math.round((24 * Math.log2(d.labels + 1)) / Math.log2(top + 1)))}px`;
    return bar;
  }));
}

function one(body, cubes, place, app) {
  const cube = cubes.find((known) => known.id === place.args[0]);
  if (!cube) return put(body, h("h1", {}, "Cubes"), fault("There is no such cube.", " ", h("a", { href: "#/cubes" }, "All cubes")));
  app.title(cube.name);
  const state = read(cube, place.params);
  const dimension = cube.dimensions.find((d) => d.id === state.by);
  return put(body,
    h("p", {}, h("a", { href: "#/cubes" }, "All cubes")),
    h("div", { class: "cube-head" }, cellGlyph(state.cell), h("div", {},
      h("h1", { dir: "auto" }, cube.name),
      h("p", { class: "why", dir: "auto" }, `${cube.description} · ${count(cube.facts, "fact")}`),
      crumbs(cube, state))),
    h("div", { class: "browse" },
      h("nav", { class: "dims", "aria-label": "Dimensions" }, h("h2", {}, "Dimensions"), h("ul", {}, cube.dimensions.map((d) => h("li", {},
        h("a", { href: address(cube, { ...state, by: d.id, level: "" }), "aria-current": d.id === state.by ? "true" : null }, h("span", {}, d.name), h("span", { class: "why" }, d.labels.toLocaleString("en"))))))),
      h("section", { class: "labels", "aria-label": `Labels of ${dimension.name}` }, labels(cube, dimension, state)),
      h("section", { class: "cell-view", "aria-label": "The cell" }, cell(cube, state))));
}

/** What the address says: the dimension shown, its level, and the cell as pairs of dimension and label. */
function read(cube, params) {
  const known = new Set(cube.dimensions.map((d) => d.id));
  const by = known.has(params.get("by")) ? params.get("by") : (cube.dimensions.find((d) => d.labels > 0) ?? cube.dimensions[0]).id;
  const cell = [...params].filter(([name]) => name.startsWith("in.") && known.has(name.slice(3))).map(([name, label]) => [name.slice(3), label]);
  return { by, level: params.get("level") ?? "", cell };
}

function address(cube, { by, level, cell }) {
  const params = new URLSearchParams({ by, ...(level ? { level } : {}) });
  for (const [dimension, label] of cell) params.append(`in.${dimension}`, label);
  return at("cubes", [cube.id], params);
}

const within = (state, dimension, label) => ({ ...state, cell: [...state.cell.filter(([d]) => d !== dimension), [dimension, label]] });

function crumbs(cube, state) {
  if (state.cell.length === 0) return h("p", { class: "crumbs why" }, "Choose a label to drill down; choose further ones to make the cell smaller.");
  return h("ul", { class: "crumbs", "aria-label": "The cell's labels" }, state.cell.map(([dimension, label]) => h("li", { class: "cell exact" },
    h("span", { class: "cell-dim" }, dimension), " ", h("b", { dir: "auto" }, label), " ",
    h("a", { href: address(cube, { ...state, cell: state.cell.filter(([d]) => d !== dimension) }), "aria-label": `Roll up ${dimension}`, title: "Roll up" }, "×"))));
}

function labels(cube, dimension, state) {
  const place = h("div", {});
  const levels = LEVELS[dimension.kind] ?? [];
  const tools = h("div", { class: "toolbar" });
  const rolled = TREES.includes(dimension.kind) || state.cell.length > 0;
  if (rolled) rollUp(place, cube, dimension, state);
  else listed(place, cube, dimension, state, "");
  if (levels.length) tools.append(h("ul", { class: "levels", "aria-label": "Level" }, levels.map((level) => h("li", {}, h("a", { href: address(cube, { ...state, level }), "aria-current": level === (state.level || levels[0]) ? "true" : null }, level === "label" ? "as written" : `by ${level}`)))));
  if (!rolled) tools.append(searchField(`Search ${dimension.name}`, "", (query) => listed(place, cube, dimension, state, query)));
  return [h("h2", {}, dimension.name), tools, place];
}

function listed(place, cube, dimension, state, query) {
  paged(place, {
    label: dimension.name,
    class: "bars",
    empty: "No label here.",
    load: async (offset) => {
      const told = await get(`/cubes/${encodeURIComponent(cube.id)}/dimensions/${encodeURIComponent(dimension.id)}`, { query, limit: PAGE, offset });
      return { items: told.labels, total: told.total };
    },
    row: (row) => h("li", {}, bar(cube, dimension, state, row, 12)),
  });
}

async function rollUp(place, cube, dimension, state) {
  put(place, busy("Rolling up"));
  const level = state.level || (LEVELS[dimension.kind] ?? [""])[0];
  try {
    const { rows } = await get(`/cubes/${encodeURIComponent(cube.id)}/rollup`, { by: dimension.id, level, ...Object.fromEntries(state.cell) });
    const top = Math.max(1, ...rows.map((row) => row.sections));
    put(place, rows.length ? h("ul", { class: "bars tree" }, rows.map((row) => branch(cube, dimension, state, row, top))) : h("p", { class: "why" }, "No label here."));
  } catch (error) {
    put(place, fault(error.message));
  }
}

/** A row of the roll-up; what it holds is drilled into by opening it. */
function branch(cube, dimension, state, row, top) {
  const line = bar(cube, dimension, state, row, top);
  if (!row.children?.length) return h("li", {}, line);
  return h("li", {}, h("details", {}, h("summary", { "aria-label": `${row.label}: ${count(row.children.length, "part")}` }), h("ul", { class: "bars tree" }, row.children.map((child) => branch(cube, dimension, state, child, top)))), line);
}

function bar(cube, dimension, state, row, top) {
  const meter = h("span", { class: "meter", "aria-hidden": "true" });
  meter.style.width = `${Math.min(100, Math.max(2, (100 * row.sections) / top))}%`;
  return h("div", { class: "bar-row" },
    h("a", { href: address(cube, within(state, dimension.id, row.label)), dir: "auto" }, row.label),
    h("span", { class: "why" }, row.sections.toLocaleString("en"), h("span", { class: "spoken" }, " sections")), meter);
}

function cell(cube, state) {
  if (state.cell.length === 0) return h("p", { class: "why" }, "The sections of the cell that you open are shown here.");
  const place = h("div", {}, busy("Opening the cell"));
  const heading = h("h2", {}, "In this cell");
  get(`/cubes/${encodeURIComponent(cube.id)}/cells`, Object.fromEntries(state.cell)).then(
    (told) => put(place, sections(told), facts(told)),
    (error) => put(place, fault(error.message)),
  );
  return [heading, place];
}

const sections = (told) => [
  h("p", { class: "why", role: "status" }, count(told.total ?? told.sections.length, "section")),
  h("ol", { class: "rows" }, told.sections.map((one) => h("li", {}, h("div", {},
    h("a", { class: "title opens", dir: "auto", href: withSection(one.id, { says: one.sentence }) }, one.title || one.id),
    one.sentence ? h("p", { class: "said", dir: "auto" }, one.sentence) : null)))),
];

function facts(told) {
  if (!told.facts?.length) return null;
  return [h("h3", {}, count(told.facts.length, "fact")), h("ul", { class: "plain facts-list" }, told.facts.slice(0, 60).map((f) => h("li", {},
    h("span", { dir: "auto" }, f.subject), " ", h("span", { class: "why", dir: "auto" }, f.relation || f.dimension), " ", h("b", { dir: "auto" }, f.value))))];
}
