// Words and numbers as people read them, for all pages. Nothing here touches the page.

const stateWords = {
  idle: "Idle",
  previewing: "Preview",
  starting: "Starting",
  live: "Live",
  interrupted: "Interrupted",
  backgrounded: "In the background",
  ending: "Ending",
  ended: "Ended",
};

// The colour of the state of an output, a check or a device: good, waiting, or bad; "none" for any other.
const tones = {
  publishing: "good", fine: "good", open: "good", back: "good",
  connecting: "wait", stalled: "wait", waiting: "wait",
  running: "wait", busy: "wait",
  refused: "bad", failed: "bad", lost: "bad",
};

const outputWords = {
  connecting: "Connecting", publishing: "Publishing", stalled: "Stalled", waiting: "Waiting",
  refused: "Refused", closed: "Closed",
};

const kindWords = { live: "live", interrupted: "interrupted", gap: "missing", backgrounded: "in the background" };

const causeWords = {
  user: "requested by a user",
  system: "the session is locked or inactive",
  device: "a device is missing",
  deviceBusy: "another program is using a device",
  crash: "the broadcaster crashed",
  worker: "no worker composed it",
  source: "the source lost data",
  xrun: "an audio buffer overran",
  encoderTooSlow: "the machine is too slow to encode",
  diskTooSlow: "the disk is too slow",
  disk: "the disk is full",
  diskFailed: "the disk is failing",
  fileGone: "the recording’s file was removed",
  network: "the network or the server did not keep up",
  background: "moved to the background",
  windowClosed: "the interruption lasted too long to resume",
  unresolved: "the server’s name can’t be resolved",
  unreachable: "the server can’t be reached",
  timedOut: "the server does not answer",
  closed: "the server ended the connection",
  noProgress: "the server stopped responding",
  violated: "the server violated the protocol",
  nameTaken: "another publisher is using this name",
  closedBeforeAccepted: "the server closed the connection without giving a reason",
  refusedOrTaken: "the server refuses, or the name is taken",
  refused: "the server rejects the credentials or the name",
  certificate: "the server’s certificate is not trusted",
  unsupported: "the protocol can’t carry this codec",
  moved: "the server redirects to another address",
  gaveUp: "gave up after the configured time",
  headersChanged: "the source sends another format",
  addressChanged: "it goes on at another address",
};

const diskWords = { writing: "OK", low: "low on space", slow: "slow", full: "full", failed: "failed" };

const roleWords = { host: "Host", manager: "Manager", participant: "Participant" };

const trackWords = { audio: "sound", video: "picture" };

export const look = (table, key) => (Object.hasOwn(table, key) ? table[key] : null);

export const stateWord = (state) => look(stateWords, state) ?? String(state);

export const outputWord = (state) => look(outputWords, state) ?? String(state);
export const kindWord = (kind) => look(kindWords, kind) ?? String(kind);
export const tone = (state) => look(tones, state) ?? "none";

// A cause from a later version is shown as is.
export const causeWord = (cause) => (cause == null ? null : look(causeWords, cause) ?? String(cause));

const two = (number) => String(number).padStart(2, "0");

// A length as a clock shows it: 0:07, 12:30, 1:02:03.
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// A length in words: 40 ms, 7 s, 12 min 30 s, 1 h 2 min.
export function duration(ms) {
  if (ms > 0 && ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(Math.max(0, ms) / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return m > 0 ? `${h} h ${m} min` : `${h} h`;
  if (m > 0) return s > 0 ? `${m} min ${s} s` : `${m} min`;
  return `${s} s`;
}

// A length that still grows: 12.3 s, 1 min 5 s.
export const growing = (ms) => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms));

// The time of day here, of milliseconds since 1970.
export function timeOfDay(ms, withSeconds = true) {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}` + (withSeconds ? `:${two(at.getSeconds())}` : "");
}

export function rate(bps) {
  if (bps == null || !Number.isFinite(bps)) return "–";
  return bps >= 1e6 ? `${(bps / 1e6).toFixed(2)} Mbit/s` : `${Math.round(bps / 1000)} kbit/s`;
}

export function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [value, unit] = [Math.max(0, bytes), 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

// a, b and c
export function names(list) {
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
}

// sound and picture
export const trackNames = (kinds) =>
  names(Object.keys(trackWords).filter((kind) => kinds.includes(kind)).map((kind) => trackWords[kind]));

export const theTracks = (kinds) => (kinds.length > 1 ? trackNames(kinds) : `the ${trackNames(kinds)}`);
export const tracksAre = (kinds) => `${capital(theTracks(kinds))} ${kinds.length > 1 ? "are" : "is"}`;

export const roleWord = (role) => look(roleWords, role) ?? String(role);

export const diskWord = (disk) => look(diskWords, disk) ?? String(disk ?? "–");

// The name of a device keeps its spelling.
export const capital = (text) => (/^\S+[:.]\S/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

// The text with a full stop if it has no end.
export const sentence = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

// An error for people: the message and the hint.
export function errorSentence(error) {
  const parts = [error?.message, error?.hint].filter((part) => typeof part === "string" && part !== "");
  return parts.map((part) => capital(sentence(part))).join(" ") || "Something went wrong.";
}
