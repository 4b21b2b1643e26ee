// What a session's state and its events are in words. Nothing here touches the page.

import {
  capital, causeWord, diskWord, errorSentence, look, names, outputWord, rate, roleWord, sentence, stateWord, trackNames,
} from "./phrases.js";

const memberStates = { live: "Live", idle: "Not live", previewing: "Preview, not live" };

const airWords = {
  waiting: "Waiting for a worker", connecting: "Connecting", live: "On air", trouble: "On air, in trouble",
  over: "Off air",
};

const airTones = { waiting: "wait", connecting: "wait", live: "good", trouble: "bad", over: "none" };

const airReasons = {
  nameTaken: "another publisher uses the address",
  workerLost: "the worker that had it is gone",
  workerStopped: "the worker that had it was stopped",
  programmeEnded: "its process has ended, and is started again",
  notAnswering: "its process does not answer",
  interrupted: "its process was interrupted",
  ending: "its process is ending",
  offAir: "the host took it off the air",
};

const lostReasons = {
  connecting: "Connecting…",
  unplayable: "Its codec can’t be shown here",
  unreachable: "The hub does not receive it",
};

const hostReasons = {
  first: "", person: "", transferred: "", proven: "",
  away: ", as the host was away", left: ", as the host left", reclaimed: " again",
};

const departures = { left: "left", expired: "was not heard of any more, and is out", removed: "was removed" };

export function memberState(member) {
  if (member.silent) return { text: "No contact", tone: "bad" };
  if (member.kind === "person") return { text: "Person", tone: "none" };
  const tone = { live: "good", interrupted: "wait", starting: "wait" }[member.state] ?? "none";
  return { text: look(memberStates, member.state) ?? stateWord(member.state), tone };
}

// What is wrong with a member, the worst first: the kind, a word for a tile, and a sentence.
export function troubles(member) {
  const found = [];
  if (member.silent) {
    found.push({ kind: "network", word: "No contact", text: "Nothing is heard of it. Its recording goes on." });
  }
  const { outputs = [], devices = {}, losing = 0, causes = [], disk = null } = member.statistics ?? {};
  const isLive = member.state === "live";
  for (const [track, state] of Object.entries(devices)) {
    if (state !== "lost" && state !== "busy") continue;
    const source = track === "video" ? "Picture" : "Sound";
    found.push({ kind: "device", word: `${source} ${state}`, text: `Its source of ${source.toLowerCase()} is ${state}.` });
  }
  const missing = isLive ? outputs.filter(({ state }) => state !== "publishing") : [];
  if (missing.length > 0) {
    const said = missing.map(({ id, state }) => `${id}: ${outputWord(state).toLowerCase()}`);
    const word = `Output ${outputWord(missing[0].state).toLowerCase()}`;
    found.push({ kind: "network", word, text: `Outputs: ${names(said)}.` });
  }
  if (isLive && losing > 0) {
    const why = causes.length > 0 ? ` Cause: ${names(causes)}.` : "";
    found.push({ kind: "gap", word: "Losing media", text: `Media is being lost now.${why}` });
  }
  if (disk !== null && disk !== "writing") {
    found.push({ kind: "disk", word: `Disk ${diskWord(disk)}`, text: `Its disk is ${diskWord(disk)}.` });
  }
  return found;
}

// Why a tile has no picture.
export function pictureReason(member, lost) {
  if (member.silent) return "No contact";
  if (member.kind === "person") return "";
  if (member.lacks.includes("video")) return "Sound only";
  if (member.muted.includes("video")) return "Picture muted";
  if (member.state === "interrupted") return "Interrupted";
  if (member.state !== "live") return memberState(member).text;
  return lost === null ? "Waiting for the picture" : look(lostReasons, lost) ?? capital(lost);
}

export function figures(member) {
  const { bitrate, outputs, losing, disk } = member.statistics ?? {};
  const list = [];
  if (bitrate != null) list.push(["Bitrate", rate(bitrate)]);
  if (outputs?.length > 0) {
    const there = outputs.filter(({ state }) => state === "publishing").length;
    list.push(["Outputs", `${there} of ${outputs.length}`]);
  }
  if (losing != null && member.state === "live") list.push(["Losses now", losing === 0 ? "none" : String(losing)]);
  if (disk != null) list.push(["Disk", diskWord(disk)]);
  return list;
}

// Anna Berg: AB
export function initials(name) {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.map((word) => word.match(/[\p{L}\p{N}]/u)[0]);
  return (letters.length > 1 ? [letters[0], letters.at(-1)] : letters).join("").toUpperCase() || "?";
}

export function airState(onAir) {
  if (onAir === null) return { text: "Off air", tone: "none" };
  const { state, reason } = onAir;
  // A worker has it, and the server still has the one before.
  const word = state === "waiting" && reason === "nameTaken" ? "Waiting for the address" : look(airWords, state);
  return { text: word ?? capital(state), tone: look(airTones, state) ?? "none" };
}

const airReasonWord = (reason) => look(airReasons, reason) ?? causeWord(reason);

export const airReason = (onAir) => (onAir?.reason ? capital(sentence(airReasonWord(onAir.reason))) : "");

const tracksOf = ({ tracks }) => trackNames(tracks);

// One line for each event that people want to read of; `name` gives a member's name.
const lines = {
  joined: ({ returned }, name) => `${name} ${returned ? "is back" : "joined"}`,
  left: ({ why }, name) => (why === "removed" ? null : `${name} ${look(departures, why) ?? "left"}`),
  renamed: (event, name) => `${name} is now called ${event.name}`,
  hostChanged: ({ member, why }, name) => (member === null ? "There is no host now"
    : `${name} is host${look(hostReasons, why) ?? ""}`),
  managerMade: (_, name) => `${name} is manager`,
  managerRevoked: (_, name) => `${name} is no longer manager`,
  removed: (_, name) => `${name} was removed`,
  readmitted: () => "A removed member may come in again",
  muted: (event, name) => `${name}: ${tracksOf(event)} muted${event.by === "self" ? " by itself" : ""}`,
  unmuted: (event, name) => `${name}: ${tracksOf(event)} not muted any more`,
  unmuteAsked: (event, name) => `${name} was asked to unmute the ${tracksOf(event)}`,
  unmuteDeclined: (_, name) => `${name} stays muted`,
  locked: () => "The session is locked",
  unlocked: () => "The session is open again",
  screensLocked: () => "Sharing screens is locked",
  screensUnlocked: () => "Screens may be shared again",
  passwordChanged: ({ isSet }) => (isSet ? "The password was changed" : "The password was lifted"),
  ready: (_, name) => `${name} is ready`,
  event: ({ name: mark }, name) => `${mark}${name === "" ? "" : ` (${name})`}`,
  reported: ({ state, silent, sharesScreen }, name) => {
    if (silent !== undefined) return silent ? `${name}: nothing heard for 13 s` : `${name}: heard again`;
    if (sharesScreen !== undefined) return `${name} ${sharesScreen ? "shares" : "stopped sharing"} its screen`;
    return state === undefined ? null : `${name}: ${stateWord(state).toLowerCase()}`;
  },
  timer: ({ state }) => look({
    running: "The session’s time runs", limited: "The time limit was changed", extended: "The session was extended",
    alert: "The session ends in a minute", over: "The session’s time is over",
  }, state),
  onAir: ({ state, reason }) => `${airState({ state, reason }).text}${reason ? `: ${airReasonWord(reason)}` : ""}`,
};

export function eventLine(event, name) {
  return Object.hasOwn(lines, event.event) ? lines[event.event](event, name) : null;
}

// What keeps somebody out, and what to do about it.
const outReasons = {
  passwordNeeded: "The session has a password. Ask the host for it.",
  passwordWrong: "That password is wrong. Ask the host for the right one.",
  locked: "The session is locked. Ask the host to unlock it, then join again.",
  removed: "You were removed from the session. Only the host can readmit you.",
  noSuchSession: "The session has not begun yet. Its host begins it by joining.",
  full: "The session is full. Wait until somebody leaves, then join again.",
  tokenFull: "Too many members came by this token. Ask the host for another one.",
  storeAway: "The hub’s store is away. Nothing can be changed now; broadcasts go on.",
  superseded: "This session was opened in another tab or window, which has taken this one’s place.",
  tooManyFailures: "Too many wrong passwords.",
};

const endReasons = {
  ended: "The host has ended the session for all.",
  time: "The session’s time is over.",
  empty: "The session is over, because nobody was there.",
};

export function outSentence(error) {
  if (error.code === "sessionOver") return look(endReasons, error.why) ?? errorSentence(error);
  if (error.code === "tooManyFailures" && error.retryAfter) {
    return `${outReasons.tooManyFailures} Try again in ${Math.ceil(error.retryAfter)} s.`;
  }
  return look(outReasons, error.code) ?? errorSentence(error);
}

// An error of a request, also one without an answer.
export function failureSentence(error) {
  if (error.code === "storeAway") return outReasons.storeAway;
  if (error.code === "leaseOver") return "Your place was lost for a moment, and is taken again. Repeat it then.";
  if (error.status !== undefined) return errorSentence(error);
  if (error.name === "TimeoutError") return "The hub did not respond in time. The request may have succeeded.";
  return "The hub can’t be reached. The request may or may not have succeeded.";
}

export const askedSentence = (tracks) => `You are asked to unmute your ${trackNames(tracks)}.`;

export const meSentence = (name, role) => `${name}, ${roleWord(role).toLowerCase()}`;
