// Sends requests with the token, and reads event streams.

import { EventParser } from "./stream.js";

// The tokens of several sessions may be in one tab.
const tokenKey = location.pathname === "/" ? "holdfast.token" : `holdfast.token ${location.pathname}`;

// A refused request.
export class Refusal extends Error {
  constructor(status, error, retryAfter) {
    super(error?.message ?? `the server responded with status ${status}`);
    this.status = status;
    this.code = error?.code ?? null;
    this.hint = error?.hint ?? null;
    this.why = error?.why ?? null;
    this.retryAfter = retryAfter;
  }
}

// The token sent with every request. It stays in this tab.
export const token = {
  get: () => sessionStorage.getItem(tokenKey),
  set: (text) => sessionStorage.setItem(tokenKey, text),
  forget: () => sessionStorage.removeItem(tokenKey),
};

let refused = () => {};

// Calls `work` whenever a request is refused for its token or for having none: running work would not notice.
export function onRefused(work) {
  refused = work;
}

// Moves the token from the address to storage. Returns whether there was one.
export function takeTokenFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return false;
  if (given !== "") token.set(given.trim());
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

export const bearer = (text) => (text ? { Authorization: `Bearer ${text}` } : {});

// Sends a request and returns the response; throws a refusal.
export async function open(path, { method = "GET", body, signal, more } = {}) {
  const asked = token.get();
  const kind = body === undefined ? {} : { "Content-Type": "application/json" };
  const answer = await fetch(path, {
    method, signal, cache: "no-store", credentials: "omit",
    headers: { ...bearer(asked), ...kind, ...more },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => null);
  const refusal = new Refusal(answer.status, told?.error, Number(answer.headers.get("Retry-After")) || null);
  // Ignores a refusal of a previous token.
  if (refusal.status === 401 && asked === token.get()) refused(refusal);
  throw refusal;
}

// Sends a request and returns the JSON of the response.
// Twelve seconds are enough for a camera that is slow to open.
export async function ask(method, path, body, more) {
  const answer = await open(path, { method, body, more, signal: AbortSignal.timeout(12_000) });
  return answer.json();
}

// Passes on each event until the stream ends, and the last id, which may come without an event. Silence of
// `patience` milliseconds, or `ending`, also ends it.
export async function listen(path, { since, patience, ending, more = {}, onOpen = () => {}, onEvent, onID }) {
  let watch = 0;
  const alive = () => {
    clearTimeout(watch);
    watch = setTimeout(() => ending.abort(), patience);
  };
  try {
    alive();
    const answer = await open(path, {
      signal: ending.signal, more: since ? { ...more, "Last-Event-ID": since } : more,
    });
    onOpen();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      for (const event of parser.feed(value)) onEvent(event);
      if (parser.lastID !== null) onID(parser.lastID);
    }
  } finally {
    clearTimeout(watch);
    ending.abort();
  }
}
