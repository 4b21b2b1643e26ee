// Sends requests to the broadcaster, and reads its events.

import { EventParser } from "./stream.js";

const tokenKey = "holdfast.token";

// A request refused by the broadcaster.
export class Refusal extends Error {
  constructor(status, error, retryAfter) {
    super(error?.message ?? `the broadcaster responded with status ${status}`);
    this.status = status;
    this.code = error?.code ?? null;
    this.hint = error?.hint ?? null;
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

function headers(more = {}) {
  const text = token.get();
  return text ? { ...more, Authorization: `Bearer ${text}` } : more;
}

async function open(path, { method = "GET", body, signal, more } = {}) {
  const asked = token.get();
  const kind = body === undefined ? {} : { "Content-Type": "application/json" };
  const answer = await fetch(path, {
    method, signal, cache: "no-store", credentials: "omit",
    headers: headers({ ...kind, ...more }),
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
export async function ask(method, path, body) {
  const answer = await open(path, { method, body, signal: AbortSignal.timeout(12_000) });
  return answer.json();
}

// The latest picture, or null if there is none.
export async function picture(signal) {
  try {
    return await (await open("/v1/preview.jpg", { signal })).blob();
  } catch (error) {
    if (error instanceof Refusal && error.code === "noPicture") return null;
    throw error;
  }
}

// The live stream, in a rendition if one is named: its type with the codecs, and a reader of its bytes.
export async function live(signal, rendition) {
  const query = rendition ? `?rendition=${encodeURIComponent(rendition)}` : "";
  const answer = await open(`/v1/live.mp4${query}`, { signal });
  return { type: answer.headers.get("Content-Type") ?? "", reader: answer.body.getReader() };
}

// Passes on each event until the stream ends, and the last id, which may come without an event. Silence of
// `patience` milliseconds, or `ending`, also ends it.
export async function listen({ since, every, patience, ending, onEvent, onID }) {
  let watch = 0;
  const alive = () => {
    clearTimeout(watch);
    watch = setTimeout(() => ending.abort(), patience);
  };
  try {
    alive();
    const answer = await open(`/v1/events?status=${every}`, {
      signal: ending.signal, more: since ? { "Last-Event-ID": since } : {},
    });
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
