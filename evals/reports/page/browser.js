"use strict";
// The browser of questions. Everything that is shown becomes a text node; a question is built when it is opened.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const place = document.getElementById("browser");
  const PAGE = 40;
  const MARKS = { right: "✓", wrong: "✗", abstained: "○", failed: "!", answered: "·" };
  if (!data.runs.length) return;

  function h(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props ?? {})) {
      if (name === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
      else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  const state = { run: 0, system: "", outcome: "", type: "", hops: "", unlike: "", text: "", shown: PAGE };
  const run = () => data.runs[state.run];
  const outcome = (system, at) => data.outcomes[run().answers[system]?.[at]?.[0]] ?? "";
  const unique = (values) => [...new Set(values)].filter((value) => value !== "" && value !== null && value !== undefined);

  const form = h("form", { class: "filters", role: "search", "aria-label": "Choose questions", on: { submit: (event) => event.preventDefault() } });
  const count = h("p", { class: "count", role: "status" });
  const list = h("div", {});
  const more = h("button", { type: "button", on: { click: () => { state.shown += PAGE; draw(false); } } }, "Show more");
  place.replaceChildren(form, count, list, more);

  function choice(key, label, options, any) {
    const pick = h("select", { on: { change: (event) => { state[key] = event.target.value; state.shown = PAGE; if (key === "run") begin(Number(event.target.value)); else draw(); } } });
    if (any) pick.append(h("option", { value: "" }, any));
    for (const [value, said] of options) pick.append(h("option", { value }, said));
    pick.value = String(state[key]);
    return h("label", {}, label, pick);
  }

  function begin(number) {
    const chosen = data.runs[number];
    Object.assign(state, { run: number, system: chosen.systems.includes(chosen.main) ? chosen.main : chosen.systems[0], outcome: "", type: "", hops: "", unlike: "", shown: PAGE });
    const same = (values) => values.map((value) => [String(value), String(value)]);
    const types = unique(chosen.questions.map((each) => each[2])).sort();
    const hops = unique(chosen.questions.map((each) => each[3])).sort((a, b) => a - b);
    const search = h("input", { type: "search", autocomplete: "off", on: { input: (event) => { state.text = event.target.value; state.shown = PAGE; draw(); } } });
    search.value = state.text;
    form.replaceChildren(
      ...[
        data.runs.length > 1 && choice("run", "Data set", data.runs.map((each, at) => [String(at), data.runs.some((other) => other !== each && other.name === each.name) ? `${each.name} (${each.where})` : each.name])),
        choice("system", "System", same(chosen.systems)),
        choice("outcome", "Outcome", same(data.outcomes.filter((each) => each !== "answered" || chosen.questions.some((q) => q[4] === null))), "any"),
        types.length > 1 && choice("type", "Type", same(types), "any"),
        hops.length > 1 && choice("hops", "Hops", same(hops), "any"),
        chosen.systems.length > 1 && choice("unlike", "Outcome unlike that of", same(chosen.systems), "–"),
        h("label", { class: "wide" }, "Words of the question, the gold, the answer or the cause", search),
      ].filter(Boolean),
    );
    draw();
  }

  function matches(at) {
    const [id, question, type, hops, gold] = run().questions[at];
    const answer = run().answers[state.system][at];
    if (!answer) return false;
    if (state.outcome && outcome(state.system, at) !== state.outcome) return false;
    if (state.type && type !== state.type) return false;
    if (state.hops && String(hops) !== state.hops) return false;
    if (state.unlike && outcome(state.unlike, at) === outcome(state.system, at)) return false;
    if (!state.text.trim()) return true;
    const said = [id, question, ...(gold ?? []), answer[1], answer[3] ?? ""].join("\n").toLowerCase();
    return state.text.toLowerCase().trim().split(/\s+/).every((word) => said.includes(word));
  }

  function draw(anew = true) {
    const found = run().questions.map((_, at) => at).filter(matches);
    count.textContent = `${found.length} of ${run().questions.length} questions`;
    if (anew) list.replaceChildren();
    for (const at of found.slice(list.childElementCount, state.shown)) list.append(entry(at));
    more.hidden = found.length <= state.shown;
  }

  const badge = (name) => h("span", { class: `outcome ${name}` }, `${MARKS[name] ?? ""} ${name}`);

  function entry(at) {
    const system = state.system;
    const body = h("div", { class: "opened" });
    const box = h("details", { class: "asked" }, h("summary", {}, badge(outcome(system, at)), h("span", { class: "q" }, run().questions[at][1])), body);
    box.addEventListener("toggle", () => { if (box.open && !body.childElementCount) body.append(...opened(at, system)); });
    return box;
  }

  function pair(term, value, style) {
    return value === undefined || value === null || value === "" || value.length === 0 ? null : h("div", {}, h("dt", {}, term), h("dd", { class: style ?? null }, value));
  }

  function opened(at, system) {
    const [id, , type, hops, gold, supporting] = run().questions[at];
    const answer = run().answers[system][at];
    const facts = h("dl", {},
      pair("gold", gold === null ? "not known" : gold.length ? gold.join(" / ") : "none: the corpus does not hold an answer", "gold"),
      pair("answer", answer[1] || "none"), pair("cause", answer[3]), pair("note", answer[4]), pair("confidence", answer[2].toFixed(2)),
      pair("type", type), pair("gold hops", hops === null ? "" : String(hops)), pair("gold sections", supporting.join(", ")), pair("id", id));
    return [facts, ...traces(at, system, supporting), others(at)];
  }

  function traces(at, system, supporting) {
    const traced = Object.keys(run().traces).filter((name) => name === system || !run().traces[system]);
    if (!traced.length) return [h("p", { class: "note" }, "The traces were left out of this page; --traces all keeps them.")];
    return traced.flatMap((name) => {
      const hops = run().traces[name][at] || [];
      return [h("h3", {}, `Trace of ${name}`), hops.length ? hops.map((hop) => drawn(hop, new Set(supporting))) : h("p", { class: "note" }, "No hop was taken.")];
    }).flat(Infinity);
  }

  function drawn(hop, supporting) {
    const found = (hop.r ?? []).flatMap((id, number) => [number ? ", " : "", supporting.has(id) ? h("span", { class: "gold" }, `${id} (gold)`) : id]);
    return h("div", { class: "hop" }, h("h4", {}, `Hop ${hop.n}: ${hop.q ?? ""}`), h("dl", {},
      pair("cubes", (hop.c ?? []).join(", ")), pair("looked for", (hop.p ?? []).join("; ")), pair("found", found), pair("fallback", hop.f),
      pair("answer", `${hop.a || "none"}${hop.k === undefined ? "" : ` (confidence ${hop.k.toFixed(2)})`}`), pair("sentence", hop.t),
      pair("retrieval", hop.m === undefined ? "" : `${hop.m} ms`)));
  }

  function others(at) {
    const rows = run().systems.filter((name) => run().answers[name][at]).map((name) => {
      const answer = run().answers[name][at];
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, badge(outcome(name, at))), h("td", { class: "answer" }, answer[1] || "–"), h("td", {}, answer[2].toFixed(2)), h("td", {}, answer[3] || "–"));
    });
    const heads = ["system", "outcome", "answer", "confidence", "cause"].map((head) => h("th", { scope: "col" }, head));
    return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "What each system answered" },
      h("table", {}, h("caption", {}, "What each system answered"), h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)));
  }

  begin(0);
})();
