// Words and numbers as people read them. Nothing here touches the page.

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

// The colour of each state: good, waiting, or bad; "none" for any other.
const tones = {
  live: "good", publishing: "good", fine: "good", open: "good", back: "good",
  starting: "wait", interrupted: "wait", connecting: "wait", stalled: "wait", waiting: "wait",
  running: "wait", busy: "wait",
  refused: "bad", failed: "bad", lost: "bad",
};

const causeWords = {
  user: "requested by a user",
  system: "the session is locked or inactive",
  device: "a device is missing",
  deviceBusy: "another program is using a device",
  crash: "the broadcaster crashed",
  source: "the source lost data",
  xrun: "an audio buffer overran",
  encoderTooSlow: "the machine is too slow to encode",
  diskTooSlow: "the disk is too slow",
  disk: "the disk is full or failing",
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
};

const outputWords = {
  connecting: "Connecting", publishing: "Publishing", stalled: "Stalled", waiting: "Waiting",
  refused: "Refused", closed: "Closed",
};

const kindWords = { live: "live", interrupted: "interrupted", gap: "missing", backgrounded: "in the background" };

const diskWords = { writing: "OK", low: "low on space", slow: "slow", full: "full", failed: "failed" };

const diskTroubles = {
  low: { tone: "wait", text: "The disk is low on space." },
  slow: { tone: "wait", text: "The disk is slow. Data is queued." },
  full: { tone: "bad", text: "The disk is full. Recording waits for space; the outputs continue." },
  failed: { tone: "bad", text: "Writing to the disk is failing. Recording waits; the outputs continue." },
};

const deviceTroubles = {
  video: {
    lost: "The camera is missing. A slate replaces it until it is back.",
    busy: "Another program is using the camera. A slate replaces it.",
  },
  audio: {
    lost: "The microphone is missing. Silence replaces it until it is back.",
    busy: "Another program is using the microphone. Silence replaces it.",
  },
};

const gateWords = {
  waiting: "The broadcast is waiting for approval.",
  asked: "The broadcast is waiting for its gate.",
  refused: "The gate refused.",
  timedOut: "The gate timed out.",
};

const look = (table, key) => (Object.hasOwn(table, key) ? table[key] : null);

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

export const quietest = -60;

export function level(db) {
  if (db == null || db <= quietest) return "silent";
  return `${db < -0.5 ? "−" : ""}${Math.abs(Math.round(db))} dB`;
}

// A level as a share of the meter's width.
export function levelShare(db) {
  if (db == null) return 0;
  return Math.min(1, Math.max(0, (db - quietest) / -quietest));
}

// One sentence on what the state means now.
export function stateSentence(status) {
  const cause = causeWord(status.cause);
  switch (status.state) {
  case "idle": return "No broadcast is running.";
  case "previewing": return "Preview only. Nothing is sent or recorded.";
  case "starting":
    if (status.gate?.state !== "waiting") return "Connecting. Nothing has been sent yet.";
    return status.gate.awaitsReady === false ? gateWords.asked : gateWords.waiting;
  case "live": return outputsSentence(status.outputs ?? []);
  case "interrupted": return cause ? `${capital(cause)}.` : "Paused.";
  case "backgrounded": return `${cause ? `${capital(cause)}. ` : ""}Returning starts a new broadcast.`;
  case "ending": return "Sending and writing the remaining media.";
  case "ended": return "The recording is finished.";
  }
  return "";
}

function outputsSentence(outputs) {
  const good = outputs.filter((output) => output.state === "publishing").length;
  if (outputs.length === 0) return "Recording.";
  if (good === outputs.length && good === 1) return "The output is publishing.";
  if (good === outputs.length) return `All ${good} outputs are publishing.`;
  return `${good} of ${outputs.length} outputs ${good === 1 ? "is" : "are"} publishing.`;
}

// Problems to show, the worst first.
export function troubles(status) {
  const found = [];
  const isOnAir = ["live", "interrupted"].includes(status.state);
  const disk = isOnAir ? look(diskTroubles, status.disk) : null;
  if (disk) found.push(disk);
  for (const [kind, track] of Object.entries(status.tracks ?? {})) {
    const text = isOnAir && look(look(deviceTroubles, kind) ?? {}, track?.device);
    if (text) found.push({ tone: "wait", text });
  }
  const isRefused = ["refused", "timedOut"].includes(status.gate?.state);
  if (isRefused && ["idle", "previewing", "ended"].includes(status.state)) {
    const reason = status.gate.reason;
    const words = gateWords[status.gate.state];
    found.push({ tone: "bad", text: reason ? `${words} ${capital(sentence(reason))}` : words });
  }
  return found.sort((a, b) => (b.tone === "bad") - (a.tone === "bad"));
}

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
