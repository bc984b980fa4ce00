// The view "Cubes": a cube's properties (dimensions), their values (labels), the passages that share chosen ones (a cell).

import { get, knownCubes } from "./api.js";
import { cellGlyph } from "./cube.js";
import { busy, fault, h, put } from "./dom.js";
import { paged, searchField } from "./pages.js";
import { at, refine, withSection } from "./router.js";
import { called, count } from "./text.js";

const PAGE = 40;
const TREES = ["date", "place"];
const DEEPEST = 8;
const RARE = 0.02;

/** Whether so few passages fill a cube that what it holds is by chance. */
const isRare = (cube) => cube.share < RARE;

export function cubesView(place, app) {
  const body = h("div", {}, busy("Loading the cubes"));
  knownCubes().then(
    (cubes) => (place.args.length ? one(body, cubes, place, app) : put(body, h("h1", {}, "Cubes"), all(cubes))),
    (error) => put(body, h("h1", {}, "Cubes"), fault(error.message)),
  );
  return h("div", { class: "wide" }, body);
}

function all(cubes) {
  const held = cubes.filter((cube) => cube.facts > 0).sort((a, b) => b.facts - a.facts);
  const [telling, rare] = [held.filter((cube) => !isRare(cube)), held.filter(isRare)];
  if (held.length === 0) return h("p", {}, "Nothing is filed yet. ", h("a", { href: "#/documents" }, "Add documents"));
  const empty = cubes.length - held.length;
  return [
    h("p", { class: "about" }, "A cube gathers what the documents say about one kind of thing. Each bar is a property of "
      + "these things: the taller it is, the more different values were found.",
    empty ? ` ${count(empty, "empty cube")} left out.` : ""),
    cards(telling),
    rare.length ? h("details", { class: "rare", open: telling.length === 0 },
      h("summary", {}, `${count(rare.length, "cube")} that your documents hardly speak of`), cards(rare)) : null,
  ];
}

const cards = (cubes) => h("ul", { class: "cards" }, cubes.map((cube) => h("li", { class: "card" },
  h("h2", {}, h("a", { href: at("cubes", [cube.id]), dir: "auto" }, cube.name)),
  h("p", { class: "why", dir: "auto" }, cube.description),
  h("p", {}, count(cube.facts, "fact")),
  strip(cube.dimensions))));

/** How many values each property has, as a row of bars. */
function strip(dimensions) {
  const top = Math.max(1, ...dimensions.map((d) => d.labels));
  return h("div", { class: "strip", "aria-hidden": "true" }, dimensions.filter((d) => d.labels > 0).map((d) => {
    const bar = h("span", { title: `${d.name}: ${count(d.labels, "value")}` });
    bar.style.height = `${Math.round((24 * Math.log2(d.labels + 1)) / Math.log2(top + 1))}px`;
    return bar;
  }));
}

function one(body, cubes, place, app) {
  const cube = cubes.find((known) => known.id === place.args[0]);
  if (!cube) return put(body, h("h1", {}, "Cubes"), fault("There is no such cube.", " ",
      h("a", { href: "#/cubes" }, "All cubes")));
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
      h("nav", { class: "dims", "aria-label": "Properties" }, h("h2", {}, "Properties"),
        h("ul", {}, cube.dimensions.filter((d) => d.labels > 0).map((d) => h("li", {},
        h("a", { href: address(cube, { ...state, by: d.id, level: "" }),
            "aria-current": d.id === state.by ? "true" : null }, h("span", {}, d.name),
          h("span", { class: "why" }, d.labels.toLocaleString("en"))))))),
      h("section", { "aria-label": `Values of ${dimension.name}` }, labels(cube, dimension, state)),
      h("section", { "aria-label": "Passages" }, cell(cube, state))));
}

/** What the address says: the property shown, its level, what is searched for, and the chosen values as pairs. */
function read(cube, params) {
  const known = new Set(cube.dimensions.map((d) => d.id));
  const by = known.has(params.get("by")) ? params.get("by")
    : (cube.dimensions.find((d) => d.labels > 0) ?? cube.dimensions[0]).id;
  const cell = [...params].filter(([name]) => name.startsWith("in.") && known.has(name.slice(3))).map(([name,
        label]) => [name.slice(3), label]);
  return { by, level: /^[1-8]$/.test(params.get("level")) ? params.get("level") : "", cell,
    query: params.get("query") ?? "" };
}

function address(cube, { by, level, cell }) {
  const params = new URLSearchParams({ by, ...(level ? { level } : {}) });
  for (const [dimension, label] of cell) params.append(`in.${dimension}`, label);
  return at("cubes", [cube.id], params);
}

const within = (state, dimension, label) => ({ ...state, cell: [...state.cell.filter(([d]) => d !== dimension),
      [dimension, label]] });

function crumbs(cube, state) {
  if (state.cell.length === 0) return h("p", { class: "crumbs why" },
    "Choose a value to see the passages that have it. A value of another property narrows them down.");
  return h("ul", { class: "crumbs", "aria-label": "Chosen values" },
    state.cell.map(([dimension, label]) => h("li", { class: "cell" },
    h("span", { class: "cell-dim" }, called(dimension)), " ", h("b", { dir: "auto" }, label), " ",
    h("a", { href: address(cube, { ...state, cell: state.cell.filter(([d]) => d !== dimension) }),
        "aria-label": `Remove ${called(dimension)}`, title: "Remove" }, "×"))));
}

function labels(cube, dimension, state) {
  const place = h("div", {});
  const tree = TREES.includes(dimension.kind);
  const show = (query) => {
    if (query || !(tree || state.cell.length)) listed(place, cube, dimension, state, query);
    else rollUp(place, cube, dimension, state);
  };
  const query = state.cell.length ? "" : state.query;
  show(query);
  return [
    h("h2", {}, dimension.name),
    h("div", { class: "toolbar" }, tree ? levels(cube, state) : null,
      state.cell.length ? null : searchField(`Search ${dimension.name}`, query,
        (typed) => (refine({ query: typed }), show(typed)))),
    place,
  ];
}

/** One level up, one level down: dates by decade, year, month and day, places by what holds them. */
function levels(cube, state) {
  const step = (label, level) => level < 0 || level > DEEPEST
    ? h("span", { class: "off" }, label)
    : h("a", { href: address(cube, { ...state, level: level ? String(level) : "" }) }, label);
  return h("p", { class: "levels" }, step("Coarser", state.level - 1), step("Finer", Number(state.level) + 1),
    Number(state.level) ? h("span", { class: "why" }, `${count(Number(state.level), "level")} finer`) : null);
}

function listed(place, cube, dimension, state, query) {
  paged(place, {
    label: dimension.name,
    class: "bars",
    empty: "No value here.",
    load: async (offset) => {
      const told = await get(`/cubes/${encodeURIComponent(cube.id)}/dimensions/${encodeURIComponent(dimension.id)}`,
        { query, limit: PAGE, offset });
      return { items: told.labels, total: told.total };
    },
    row: (row) => h("li", {}, bar(cube, dimension, state, row, 12)),
  });
}

function rollUp(place, cube, dimension, state) {
  const shown = { cube, dimension, state, top: 1 };
  paged(place, {
    label: dimension.name,
    class: "bars tree",
    empty: "No value here.",
    load: (offset) => below(shown, [], offset),
    row: (row) => branch(shown, row, []),
  });
}

/** The rows under the labels of `path`, from `offset`. */
async function below(shown, path, offset) {
  const { cube, dimension, state } = shown;
  const level = path.length ? 0 : state.level;
  const told = await get(`/cubes/${encodeURIComponent(cube.id)}/rollup`,
    { by: dimension.id, level, within: path, limit: PAGE, offset, ...Object.fromEntries(state.cell) });
  shown.top = Math.max(shown.top, ...told.rows.map((row) => row.sections));
  return { items: told.rows, total: told.total };
}

/** A row of the roll-up; what it holds is drilled into by opening it. */
function branch(shown, row, path) {
  const line = bar(shown.cube, shown.dimension, shown.state, row, shown.top);
  if (!row.children?.length) return h("li", {}, line);
  const [inner, list] = [[...path, row.label], h("ul", { class: "bars tree" })];
  list.append(...row.children.map((child) => branch(shown, child, inner)));
  return h("li", {}, h("details", {}, h("summary", { "aria-label": `${row.label}: ${count(row.below, "part")}` }),
      list, rest(shown, row, inner, list)), line);
}

/** What lies below a row beyond its first children; where the top is cut off, only how much. */
function rest(shown, row, path, list) {
  const left = () => row.below - list.childElementCount;
  if (left() <= 0) return null;
  if (shown.state.level > 0) return h("p", { class: "why" }, `and ${count(left(), "more value")}`);
  const more = h("button", { type: "button", class: "small", on: { click: async () => {
    try {
      const page = await below(shown, path, list.childElementCount);
      list.append(...page.items.map((child) => branch(shown, child, path)));
    } catch (error) {
      more.after(fault(error.message));
    }
    more.hidden = left() <= 0;
  } } }, "Show more");
  return more;
}

function bar(cube, dimension, state, row, top) {
  const meter = h("span", { class: "meter", "aria-hidden": "true" });
  meter.style.width = `${Math.min(100, Math.max(2, (100 * row.sections) / top))}%`;
  return h("div", { class: "bar-row" },
    row.cell === null
      ? h("span", { dir: "auto" }, row.label)
      : h("a", { href: address(cube, within(state, dimension.id, row.label)), dir: "auto" }, row.label),
    h("span", { class: "why" }, row.sections.toLocaleString("en"), h("span", { class: "spoken" }, " passages")), meter);
}

function cell(cube, state) {
  if (state.cell.length === 0) return h("p", { class: "why" },
    "The passages are shown here.");
  const place = h("div", {}, busy("Looking up the passages"));
  const heading = h("h2", {}, "Passages");
  get(`/cubes/${encodeURIComponent(cube.id)}/cells`, Object.fromEntries(state.cell)).then(
    (told) => put(place, sections(told), facts(told)),
    (error) => put(place, fault(error.message)),
  );
  return [heading, place];
}

const sections = (told) => [
  h("p", { class: "why", role: "status" }, count(told.total, "passage")),
  h("ol", { class: "rows" }, told.sections.map((one) => h("li", {}, h("div", {},
    h("a", { class: "title opens", dir: "auto", href: withSection(one.id,
          { from: one.start, to: one.end, says: one.sentence }) }, one.title || one.id),
    one.sentence ? h("p", { class: "said", dir: "auto" }, one.sentence) : null)))),
];

function facts(told) {
  if (!told.facts?.length) return null;
  return [h("h3", {}, count(told.facts.length, "fact")), h("ul", { class: "plain facts-list" },
      told.facts.slice(0, 60).map((f) => h("li", {},
    h("span", { dir: "auto" }, f.subject), " ", h("span", { class: "why", dir: "auto" }, f.relation || f.dimension),
      " ", h("b", { dir: "auto" }, f.value))))];
}
