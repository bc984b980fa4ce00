// Where the page is: everything that can be linked and reloaded stands in the address's hash.

const PANEL = ["section", "from", "to", "says"];

/** Read the hash: `#/run/ID?before=A,B&section=S` is {view: "run", args: ["ID"], params}. */
export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { view: parts[0] ?? "ask", args: parts.slice(1), params: new URLSearchParams(query) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Write a hash; `params` is an object (lists repeat a name, empty values are left out) or URLSearchParams. */
export function at(view, args = [], params = {}) {
  const pairs = params instanceof URLSearchParams ? [...params] : Object.entries(params);
  const query = new URLSearchParams();
  for (const [name, value] of pairs) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== "" && one !== null && one !== undefined) query.append(name, one);
    }
  }
  const path = [view, ...args].map(encodeURIComponent).join("/");
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** The place without the open section: what the view itself shows. */
export function ground(place) {
  const params = new URLSearchParams(place.params);
  for (const name of PANEL) params.delete(name);
  return at(place.view, place.args, params);
}

/** The present place with a section open over it; `says` is the sentence to mark, from `from` to `to`. */
export function withSection(section, { from, to, says } = {}, place = here()) {
  const params = new URLSearchParams(place.params);
  for (const name of PANEL) params.delete(name);
  params.set("section", section);
  if (to > from) {
    params.set("from", from);
    params.set("to", to);
  }
  if (says && says.length <= 400) params.set("says", says);
  return at(place.view, place.args, params);
}

export const go = (hash) => {
  if (location.hash !== hash) location.hash = hash;
};

let shown = "";

/** Whether the view of the present place is on the page already (only the open section differs); notes that it is. */
export function arrived() {
  const same = ground(here()) === shown;
  shown = ground(here());
  return same;
}

/** Change the address of what is on the page without going anywhere; `push` lets the browser's back undo it. */
export function rename(hash, push = false) {
  if (location.hash !== hash) history[push ? "pushState" : "replaceState"](null, "", hash);
  shown = ground(here());
}

/** Change some of the address's parameters, such as what is searched for; an empty value leaves. */
export function refine(changes) {
  const { view, args, params } = here();
  for (const [name, value] of Object.entries(changes)) params.set(name, value);
  rename(at(view, args, params));
}
