// The server's HTTP API: JSON, server-sent events over fetch (which, unlike EventSource, can post and authorise), upload.

// The page of one knowledge base among many lies under /kb/NAME/, and so does its API; each may have a token of its own.
const BASE = location.pathname.replace(/\/[^/]*$/, "");
const KEY = `multicube-token${BASE}`;

/** A request that failed: `message` is one sentence for people; `lost` where no answer came at all. */
export class Fault extends Error {
  constructor(message, { lost = false } = {}) {
    super(message);
    this.lost = lost;
  }
}

const listeners = { lost: () => {}, back: () => {}, token: async () => false };

/** What to do when the connection is lost or back, and how to ask for a token (resolves to whether one was given). */
export const attend = (given) => Object.assign(listeners, given);

export const heldToken = () => sessionStorage.getItem(KEY);

export const setToken = (token) => sessionStorage.setItem(KEY, token);

/** Hold a token for the page under another path. */
export const setTokenOf = (path, token) => sessionStorage.setItem(`multicube-token${path}`, token);

function headers(more = {}) {
  const token = sessionStorage.getItem(KEY);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

async function request(path, { method = "GET", body, accept = "application/json", signal, keepalive } = {}) {
  for (;;) {
    const used = sessionStorage.getItem(KEY);
    const response = await reach(path, {
      method,
      signal,
      keepalive,
      headers: headers({ Accept: accept, ...(body === undefined ? {} : { "Content-Type": "application/json" }) }),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.ok) return response;
    if (response.status === 401 && (await authorised(used))) continue;
    throw new Fault(await reason(response));
  }
}

/** Whether to try again after a refusal: with the token that was given since, or that a person gives now. */
const authorised = (used) => (used === sessionStorage.getItem(KEY) ? listeners.token() : true);

async function reach(path, options) {
  try {
    const response = await fetch(BASE + path, options);
    listeners.back();
    return response;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    listeners.lost();
    throw new Fault("The server cannot be reached.", { lost: true });
  }
}

async function reason(response) {
  try {
    return worded((await response.json()).error.message);
  } catch {
    return `The server answered with status ${response.status}.`;
  }
}

const worded = (message) => String(message || "Something went wrong.");

/** GET an answer as JSON. `query`: values by name (lists repeat it, empty ones are left out). */
export async function get(path, query = {}, signal = undefined) {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== "" && one !== null && one !== undefined) pairs.append(name, one);
    }
  }
  return (await request(pairs.size ? `${path}?${pairs}` : path, { signal })).json();
}

/** POST without a body; the answer as JSON. */
export const post = async (path) => (await request(path, { method: "POST" })).json();

/** DELETE something; `keepalive` lets it finish after the page is gone. */
export const remove = (path, keepalive = false) => request(path, { method: "DELETE", keepalive });

/** GET something as a blob, with the token that a plain link could not send. */
export const blob = async (path) => (await request(path, { accept: "*/*" })).blob();

/**
 * Follow server-sent events: `on(name, data)` for each, until the stream ends or `signal` aborts it.
 * Posts `body` where there is one. An event `failure` becomes a Fault.
 */
export async function follow(path, { body, signal, on }) {
  const method = body === undefined ? "GET" : "POST";
  const response = await request(path, { method, body, accept: "text/event-stream", signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await chunk(reader);
    rest += value ?? "";
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/);
    rest = done ? "" : blocks.pop();
    for (const block of blocks) handle(block, on);
    if (done) return;
  }
}

async function chunk(reader) {
  try {
    return await reader.read();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    listeners.lost();
    throw new Fault("The connection broke off; what was done so far is kept with the run.", { lost: true });
  }
}

function handle(block, on) {
  let name = "message";
  const data = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  if (data.length === 0) return;
  const told = JSON.parse(data.join("\n"));
  if (name === "failure") throw new Fault(worded(told.message));
  on(name, told);
}

/** Post files as a multipart form; `progress(share)` says how much has been sent. Resolves to the answer. */
export function upload(path, files, progress) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  return new Promise((resolve, reject) => {
    const [sent, used] = [new XMLHttpRequest(), sessionStorage.getItem(KEY)];
    sent.open("POST", BASE + path);
    sent.responseType = "json";
    for (const [name, value] of Object.entries(headers())) sent.setRequestHeader(name, value);
    sent.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    sent.onerror = () => reject(new Fault("The upload broke off; nothing was added.", { lost: true }));
    sent.onload = async () => {
      if (sent.status < 300) resolve(sent.response);
      else if (sent.status === 401 && (await authorised(used))) upload(path, files, progress).then(resolve, reject);
      else reject(new Fault(sent.response?.error?.message ?? `The server answered with status ${sent.status}.`));
    };
    sent.send(form);
  });
}

let cubes = null;

/** The cubes with their dimensions: asked for once, and anew after the documents have changed. */
export function knownCubes() {
  cubes ??= get("/cubes").then((told) => told.cubes);
  cubes.catch(() => (cubes = null));
  return cubes;
}

export const forgetCubes = () => (cubes = null);
