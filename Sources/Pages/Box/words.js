// What a broadcaster's state is in words. Nothing here touches the page.

import { heldTracks, unmuting } from "./membership.js";
import {
  capital, causeWord, look, names, rate, sentence, stateWord, theTracks, timeOfDay, trackNames, tracksAre
} from "./phrases.js";

export * from "./phrases.js";

const gateWords = {
  waiting: "The broadcast is waiting for approval.",
  asked: "The broadcast is waiting for its gate.",
};

const sessionWords = {
  joining: "Joining…", joined: "In the session", absent: "Waiting for the session", passwordNeeded: "Password needed",
  refused: "Refused by the hub", removed: "Removed from the session", hubAway: "The hub does not answer",
  leaving: "Leaving…", superseded: "Replaced by another box", over: "The session is over", left: "Left the session",
};

const sessionTones = {
  joined: "good", joining: "wait", absent: "wait", passwordNeeded: "wait", hubAway: "wait",
  refused: "bad", removed: "bad", superseded: "bad",
};

const codecWords = { h264: "H.264", hevc: "HEVC", av1: "AV1", aac: "AAC", opus: "Opus" };

// What the tally says, and its look: "on" (a lit lamp), "record", "danger", "pause" or "off".
export function tally(status) {
  if (status.state === "interrupted") return { word: stateWord(status.state), lamp: "pause" };
  if (status.state !== "live") return { word: stateWord(status.state), lamp: "off" };
  switch (onAir(status)) {
  case "none": return { word: "Not on air", lamp: isFirstAttempt(status) ? "off" : "danger" };
  case "off": return { word: "Recording", lamp: "record" };
  }
  return { word: "LIVE", lamp: "on" };
}

// `onAir`, or what the states of the outputs say where it is missing.
export function onAir({ state, onAir, outputs }) {
  if (onAir != null) return onAir;
  if (state !== "live" || !outputs?.length) return "off";
  const count = outputs.filter((output) => output.state === "publishing").length;
  return count === 0 ? "none" : count === outputs.length ? "all" : "some";
}

// Whether an output connects without having lost anything, which is no problem yet.
export const isConnecting = ({ id, state, cause, lostMs }, { losses }) =>
  state === "connecting" && cause == null && !(losses ? losses.some(({ output }) => output === id) : lostMs);

// Whether all outputs do: at a start and a return.
export const isFirstAttempt = (status) =>
  status.outputs?.length > 0 && status.outputs.every((output) => isConnecting(output, status));

export const quietest = -60;
// A peak from here on is taken as clipped, in dBFS.
export const clipsAt = -0.1;

export function level(db) {
  if (db == null) return "no level";
  if (db <= quietest) return "silent";
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
  case "live": return airSentence(status);
  case "interrupted": return cause ? `${capital(cause)}.` : "Paused.";
  case "backgrounded": return `${cause ? `${capital(cause)}. ` : ""}Returning starts a new broadcast.`;
  case "ending": return "Sending and writing the remaining media.";
  case "ended": return "The recording is finished.";
  }
  return "";
}

// The outputs by name.
function airSentence(status) {
  const [there, missing] = [[], []];
  for (const { id, state } of status.outputs ?? []) (state === "publishing" ? there : missing).push(id);
  if (there.length + missing.length === 0) return "Recording only, without outputs.";
  if (missing.length === 0) return `On air at ${names(there)}.`;
  if (isFirstAttempt(status)) return `Connecting to ${names(missing)}.`;
  return there.length === 0 ? `Nothing arrives at ${names(missing)}.`
    : `On air at ${names(there)}, not at ${names(missing)}.`;
}

// What is muted and by whom, or null.
export function mutedSentence(status) {
  const muted = ["audio", "video"].filter((kind) => status.tracks?.[kind]?.muted === true);
  if (muted.length === 0) return null;
  const held = heldTracks(status);
  const [theirs, own] = [muted.filter((kind) => held.includes(kind)), muted.filter((kind) => !held.includes(kind))];
  if (theirs.length > 0 && own.length > 0) {
    return `The ${trackNames(theirs)} is muted by the session, the ${trackNames(own)} here.`;
  }
  return `${tracksAre(muted)} muted${theirs.length > 0 ? " by the session" : ""}.`;
}

export const sessionWord = (state) => look(sessionWords, state) ?? String(state);
export const sessionTone = (state) => look(sessionTones, state) ?? "none";

// Why the box is not in the session as it should be, and what follows.
export function sessionWhy({ session }, state) {
  const why = ["joined", "removed"].includes(state) || !session.why ? "" : capital(sentence(session.why));
  const isOut = ["removed", "superseded", "over", "left"].includes(state);
  const muted = isOut && session.muted.length > 0
    ? `${tracksAre(session.muted)} still muted, and may be unmuted here.` : "";
  return [why, muted].filter(Boolean).join(" ");
}

// When the session ends: 18:30, on another day 28 Nov, 18:30.
export function endTime({ session, at }) {
  const [end, now] = [new Date(session.endsAt), new Date(at)];
  const date = end.toDateString() === now.toDateString() ? ""
    : `${end.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, `;
  return `${date}${timeOfDay(end.getTime(), false)}`;
}

export const askedSentence = (kinds, mayAnswer) => (mayAnswer
  ? `The session asks you to unmute ${theTracks(kinds)}.`
  : `The session asks to unmute ${theTracks(kinds)}. Anyone who may mute here can answer.`);

// Who can unmute what the session has muted, or null where that needs no words.
export function muteNote(status) {
  const held = heldTracks(status);
  if (held.length === 0) return null;
  const [it, beginning] = [held.length > 1 ? "them" : "it", `The session has muted ${theTracks(held)}.`];
  switch (unmuting(status)) {
  case "role": return null;
  case "alone": return `${beginning} Its hub does not answer, so you may unmute ${it} here.`;
  default: return `${beginning} While it has a host or a manager, only they can unmute ${it}.`;
  }
}

export const passwordSentence = ({ why }) => capital(sentence(why ?? "the session has a password"));
export const passwordSent = "Sent. Waiting for the hub’s answer…";
export const passwordTodo = (mayEnter) =>
  (mayEnter ? "Ask the session’s host for it." : "Anyone who may end the broadcast can enter it here.");

// What the session has refused after the box had accepted it.
export function refusedOrder({ code, why }) {
  if (code === "mutedByOthers") return "The session’s host or a manager has muted this box. Ask them to unmute it.";
  return `The session refuses. ${capital(sentence(why ?? code ?? "no reason given"))}`;
}

// An output's measured upload beside what the broadcast needs, with its tone; null where it was not measured.
export function uploadWords(check) {
  if (check?.uploadBps == null || check.requiredBps == null) return null;
  const share = check.uploadBps / check.requiredBps;
  const figures = `Upload ${rate(check.uploadBps)}, required ${rate(check.requiredBps)}`;
  if (share < 1) return { tone: "bad", text: `${figures}: too slow` };
  if (share < 1.5) return { tone: "wait", text: `${figures}: hardly enough` };
  return { tone: "good", text: `${figures}: enough` };
}

// What a tile of a programme lacks, and how it is shown to those who can't change that.
export function tileSentence({ device }, isLarge, isMuted) {
  const told = { lost: "Away. Shown again when it is back.", busy: "Another program is using it." };
  return [told[device], isLarge && "Large.", isMuted && "Muted."].filter(Boolean).join(" ");
}

// 30, 29.97
export const number = (value) => String(Math.round(value * 100) / 100);

export const codecWord = (codec) => look(codecWords, codec) ?? String(codec);

// A sound's format: AAC, 48 kHz, stereo.
export function soundFormat({ codec, sampleRate, channels }) {
  const kind = { 1: "mono", 2: "stereo" }[channels] ?? (channels && `${channels} channels`);
  return [codec && codecWord(codec), sampleRate && `${sampleRate / 1000} kHz`, kind].filter(Boolean).join(", ");
}

// Free disk, as time: 10 hours, 45 min.
export const timeLeft = (seconds) =>
  (seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} hours`);
