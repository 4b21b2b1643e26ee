// Sends a session's requests to the hub: each with the token, and with the member's lease once there is one.

import { Refusal, ask, bearer, listen, open, token } from "./requests.js";

const segment = location.pathname.slice(location.pathname.lastIndexOf("/") + 1);
const path = `/v1/sessions/${segment}`;
const patience = 20_000;
const repetitions = 2;

export const sessionName = decodeURIComponent(segment);

// Unlike crypto.randomUUID, works without a secure context.
export function randomID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Whether the hub may not have heard of the request, or could not carry it out now.
export const isAway = (error) => !(error instanceof Refusal) || error.status >= 500;

let lease = null;

export function setLease(text) {
  lease = text;
}

const withLease = () => (lease === null ? {} : { "Holdfast-Lease": lease });

// With the lease of now. A refusal of a former one says nothing about the member.
async function asMember(request) {
  const used = lease;
  try {
    return await request(withLease());
  } catch (error) {
    error.isStale = used !== lease;
    throw error;
  }
}

// Who this page is now, to act as it later.
export const identity = () => ({ ...bearer(token.get()), ...withLease() });

export const join = (body) => ask("POST", `${path}/join`, body);
export const beat = () => asMember((as) => ask("POST", `${path}/beat`, { state: "idle", muted: [] }, as));
export const leave = (as = withLease()) => ask("POST", `${path}/leave`, {}, as);
export const state = () => asMember((as) => ask("GET", path, undefined, as));

// Repeats a command that the hub may not have heard of, under one id, so that it is done once.
export async function command(word, fields = {}, as = null) {
  const body = { command: word, ...fields, requestId: randomID() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await asMember((mine) => ask("POST", `${path}/commands`, body, as ?? mine));
    } catch (error) {
      if (!isAway(error) || attempt === repetitions) throw error;
      await pause((error.retryAfter ?? 0.5) * 1000);
    }
  }
}

export const events = (how) => asMember((more) => listen(`${path}/events`, { patience, more, ...how }));

// The pictures, small pictures and sounds of members, in one response without an end.
export async function live({ pictures, small, sounds }, signal) {
  const query = Object.entries({ members: pictures, small, sound: sounds })
    .filter(([, ids]) => ids.length > 0).map(([key, ids]) => `${key}=${ids.join()}`);
  const answer = await asMember((more) => open(`${path}/live?${query.join("&")}`, { signal, more }));
  return answer.body.getReader();
}

// A member's latest picture, or null if there is none.
export async function preview(id, signal) {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(8000)]);
    return await (await open(`${path}/members/${id}/preview.jpg`, { signal: limit, more: withLease() })).blob();
  } catch (error) {
    if (error instanceof Refusal && error.code === "noPicture") return null;
    throw error;
  }
}
