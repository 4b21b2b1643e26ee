// What is wrong, one entry for each problem. Nothing here touches the page.

import { heldTracks, place, secondsLeft, shownState, silence, unmuting } from "./membership.js";
import {
  capital, causeWord, clock, duration, growing, isConnecting, isFirstAttempt, look, onAir, outputWord, rate, sentence,
  timeLeft, timeOfDay,
} from "./words.js";

const disks = {
  low: { tone: "wait", text: "The disk is low on space.", todo: "Free some space." },
  slow: { tone: "wait", text: "The disk is slow. Data is queued.", todo: "Stop what else uses the disk." },
  full: { tone: "bad", text: "The disk is full. Nothing is recorded; the outputs continue.",
    todo: "Free some space: recording then continues." },
  failed: { tone: "bad", text: "Writing to the disk fails. Nothing is recorded; the outputs continue.",
    todo: "Check the disk." },
};

const devices = {
  video: {
    lost: { text: "The camera is missing. A slate replaces it.",
      todo: "Check its cable; it is used again when it is back." },
    busy: { text: "Another program is using the camera. A slate replaces it.", todo: "Close that program." },
  },
  audio: {
    lost: { text: "The microphone is missing. Silence replaces it.",
      todo: "Check its cable; it is used again when it is back." },
    busy: { text: "Another program is using the microphone. Silence replaces it.", todo: "Close that program." },
  },
};

const todos = {
  nameTaken: "Stop the other publisher of this name.",
  refused: "Check the stream key and the credentials.",
  refusedOrTaken: "Check the stream key, and that nobody else publishes with it.",
  closedBeforeAccepted: "Check the stream key, and that nobody else publishes with it.",
  certificate: "Check the server’s certificate and name.",
  unresolved: "Check the server’s name and the network.",
  unsupported: "Choose a codec that the protocol carries.",
  moved: "Use the server’s new address.",
  gaveUp: "Start a new broadcast to try again.",
  encoderTooSlow: "Lower the size or the bitrate, or stop other programs.",
  diskTooSlow: "Stop what else uses the disk.",
  xrun: "Stop what else uses the machine.",
};

// The output at a session gets its key from the hub.
const keys = ["nameTaken", "refused", "refusedOrTaken", "closedBeforeAccepted"];
const hubKey = "Its address and key come from the session’s hub. Ask who runs the hub if it lasts.";

// Of the membership in a session. The status says why, in some better than `text` does.
const memberships = {
  absent: { text: "it can’t be joined yet",
    todo: "It is tried again by itself. The session’s host can start the session, or let this box in." },
  passwordNeeded: { text: "it needs a password", isPrompt: true },
  refused: { text: "the hub refuses this box",
    todo: "Give the box a valid token for this session: it is read again for each attempt." },
  removed: { text: "this box was removed, and its output there is closed",
    todo: "Ask the session’s host to readmit the box: it then comes back by itself." },
  hubAway: { text: "the hub does not answer",
    todo: "It is tried again by itself. Check the network if it lasts." },
  superseded: { text: "another box has joined with the same key, so this one is out",
    todo: "If that was not intended, give each box its own state directory." },
};

// How little time must be left to say so, in seconds.
const least = { disk: 3600, resumeWindow: 30, session: 60 };

// The worst first. `figure` is what changes all the time, so that only `text` and `todo` need to be announced. A
// problem that `isPrompt` is shown with its question.
export function problems(status) {
  const losses = [...(status.losses ?? [])];
  // Takes the losses that another problem explains, as a figure.
  const lost = (explains) => {
    const taken = losses.filter(explains);
    for (const loss of taken) losses.splice(losses.indexOf(loss), 1);
    const most = Math.max(0, ...taken.map((loss) => loss.lostMs ?? 0));
    return most > 0 ? `Lost ${growing(most)} so far` : "";
  };
  const isRunning = ["live", "interrupted"].includes(status.state);
  const found = [
    ...offAir(status), ...air(status), ...gate(status), ...resumeWindow(status),
    ...(isRunning ? [...disk(status, lost), ...tracks(status, lost)] : []),
    ...(status.state === "live" ? outputs(status, lost) : []),
    ...membership(status, isRunning), ...sessionEnd(status),
    ...checks(status), ...ends(status),
    ...(status.state === "live" ? others(losses) : []),
  ];
  return found.map((problem) => ({ figure: "", todo: "", ...problem }))
    .sort((a, b) => (b.tone === "bad") - (a.tone === "bad"));
}

function offAir({ offAir, state }) {
  if (offAir == null) return [];
  const cause = causeWord(offAir.cause);
  return [{
    id: "offAir", tone: "bad",
    text: `Off air since ${timeOfDay(Date.parse(offAir.since))}${cause ? `: ${cause}` : ""}. `
      + "The broadcaster has been restarted meanwhile.",
    todo: state === "backgrounded" ? "Start a new broadcast to go on air." : "Resume to go on air again.",
  }];
}

function air(status) {
  if (status.state !== "live" || onAir(status) !== "none" || isFirstAttempt(status)) return [];
  const isRecorded = status.recording != null && !["full", "failed"].includes(status.disk);
  return [{
    id: "air", tone: "bad",
    text: `Not on air: no output is publishing. ${isRecorded ? "The recording continues." : "Nothing is recorded."}`,
    todo: "Check the network and the outputs. Each is tried again by itself.",
  }];
}

function gate({ gate, state }) {
  const verdict = { refused: "The gate refused", timedOut: "The gate timed out" }[gate?.state];
  if (!verdict || !["idle", "previewing", "ended"].includes(state)) return [];
  const by = gate.by ? ` (${gate.by})` : "";
  const reason = gate.reason ? ` ${capital(sentence(gate.reason))}` : "";
  return [{ id: "gate", tone: "bad", text: `${verdict}${by}.${reason}`, todo: "Go live to ask again." }];
}

function resumeWindow({ state, resumableMs }) {
  if (state !== "interrupted" || resumableMs == null || resumableMs >= least.resumeWindow * 1000) return [];
  return [{
    id: "window", tone: "bad", text: "The broadcast can’t be resumed for much longer.",
    figure: clock(resumableMs / 1000), todo: "Resume now to continue the same broadcast.",
  }];
}

function disk(status, lost) {
  const known = look(disks, status.disk);
  if (known) {
    const figure = lost((loss) => ["disk", "diskTooSlow"].includes(loss.cause));
    return [{ id: "disk", ...known, figure }];
  }
  const left = status.diskSecondsLeft;
  if (left == null || left >= least.disk) return [];
  return [{
    id: "disk", tone: "wait", text: "The disk will be full within the hour.", figure: `${timeLeft(left)} left`,
    todo: "Free some space.",
  }];
}

function tracks(status, lost) {
  return Object.entries(status.tracks ?? {}).flatMap(([kind, track]) => {
    const known = look(look(devices, kind) ?? {}, track?.device);
    if (!known) return [];
    const isSource = ({ output, member, cause }) =>
      output == null && member == null && ["device", "deviceBusy", "source"].includes(cause);
    const figure = lost(isSource);
    return [{ id: `track ${kind}`, tone: "wait", ...known, figure }];
  });
}

function outputs(status, lost) {
  return (status.outputs ?? []).flatMap((output) => {
    const { id, state, retryInMs } = output;
    const loss = status.losses?.find((loss) => loss.output === id);
    const isPublishing = state === "publishing";
    if (!loss && (isPublishing || isConnecting(output, status))) return [];
    const key = output.cause ?? loss?.cause;
    const why = [isPublishing ? "losing data" : outputWord(state).toLowerCase(), causeWord(key)];
    const next = retryInMs == null ? "" : `Next attempt in ${(retryInMs / 1000).toFixed(1)} s`;
    return [{
      id: `output ${id}`, tone: "wait", text: `Output ${id}: ${why.filter(Boolean).join(", ")}.`,
      figure: [lost((loss) => loss.output === id), next].filter(Boolean).join(". "),
      todo: status.session && id === "session" && keys.includes(key) ? hubKey
        : look(todos, key) ?? (state === "refused" ? todos.refused
        : isPublishing ? "Lower the bitrate if it lasts." : "Tried again by itself. Check the network if it lasts."),
    }];
  });
}

function membership(status, isRunning) {
  const state = status.session && shownState(status);
  const known = look(memberships, state);
  if (!known) return [];
  const { url, why } = status.session;
  const isAway = state === "hubAway";
  const what = why && (isAway || state === "absent") ? why
    : why && state === "refused" ? `${known.text}: ${why}` : known.text;
  const kept = status.recording == null ? "" : "Recording and ";
  const goesOn = isRunning ? ` ${capital(`${kept}${isAway ? "outputs" : "other outputs"} continue.`)}` : "";
  const unmute = isAway && heldTracks(status).length > 0 && unmuting(status) === "alone"
    ? " What the session has muted may be unmuted here." : "";
  return [{
    id: `session ${state}`, tone: "wait", ...known,
    text: `Session ${place(url).name}: ${sentence(what)}${goesOn}`,
    figure: isAway ? `No answer for ${duration(silence(status))}` : "",
    todo: `${known.todo ?? ""}${unmute}`,
  }];
}

function sessionEnd(status) {
  const left = secondsLeft(status);
  if (left == null || left <= 0 || left > least.session) return [];
  return [{
    id: "session end", tone: "wait",
    text: `The session ends at ${timeOfDay(Date.parse(status.session.endsAt))}.`, figure: clock(left),
    todo: "Its host can extend it. The broadcast may end with it.",
  }];
}

function checks({ state, outputs }) {
  if (!["idle", "previewing", "backgrounded"].includes(state)) return [];
  return (outputs ?? []).flatMap(({ id, check }) => {
    const problem = { id: `check ${id}`, tone: "wait" };
    if (check?.state === "failed") {
      const what = check.what ? ` ${capital(sentence(check.what))}` : "";
      return [{ ...problem, text: `Output ${id}: the check failed.${what}`, todo: "Check again before going live." }];
    }
    if (check?.uploadBps == null || check.uploadBps >= check.requiredBps) return [];
    return [{
      ...problem, text: `Output ${id}: the upload is too slow.`,
      figure: `${rate(check.uploadBps)} of ${rate(check.requiredBps)}`,
      todo: "Lower the bitrate, or use another network.",
    }];
  });
}

function ends({ timer }) {
  if (timer?.state !== "alert") return [];
  const at = timer.endsAt ? ` at ${timeOfDay(Date.parse(timer.endsAt))}` : " soon";
  return [{
    id: "end", tone: "wait", text: `The broadcast ends${at}.`,
    figure: timer.secondsLeft == null ? "" : clock(timer.secondsLeft),
    todo: "Extend it to continue.",
  }];
}

// Losses that nothing else explains; a tile's picture and sound are one.
function others(losses) {
  const isFirst = ({ member }, index) => member == null || losses.findIndex((loss) => loss.member === member) === index;
  return losses.filter(isFirst).map(({ id, cause, output, member, lostMs }) => member ? {
    id: `tile ${member}`, tone: "wait", text: `Tile ${member} is away. The broadcast goes on without it.`,
    figure: `Away for ${growing(lostMs ?? 0)}`, todo: "Check the tile's source.",
  } : {
    id: `loss ${id}`, tone: "wait",
    text: `${output ? `Output ${output}` : "The broadcast"} is losing data${cause ? `: ${causeWord(cause)}` : ""}.`,
    figure: `Lost ${growing(lostMs ?? 0)} so far`, todo: look(todos, cause) ?? "",
  });
}
