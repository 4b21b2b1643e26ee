// The buttons: who may press them, when, and what they request.

import { element, notice, noticeCount, setText, show } from "./dom.js";
import { heldTracks, mayLeave } from "./membership.js";
import { Refusal, ask } from "./requests.js";
import { capital, clock, errorSentence, muteNote, timeOfDay } from "./words.js";

const before = ["idle", "previewing", "starting"];
const isGateWaiting = (status) => status.gate?.state === "waiting" && status.gate.awaitsReady !== false;

// When each button is available. Users without the right never see it.
const isOffered = {
  start: (status) => before.includes(status.state) && !isGateWaiting(status),
  foreground: ({ state }) => state === "backgrounded",
  resume: ({ state }) => state === "interrupted",
  interrupt: ({ state }) => state === "live",
  ready: isGateWaiting,
  "not-ready": isGateWaiting,
  background: ({ state }) => ["live", "interrupted"].includes(state),
  end: ({ state }) => ["starting", "live", "interrupted", "backgrounded"].includes(state),
  check: ({ state, outputs }) => [...before, "backgrounded"].includes(state) && (outputs ?? []).length > 0,
  "mute-audio": ({ tracks, state }) => hasTrack(tracks?.audio) && state !== "ended",
  "mute-video": ({ tracks, state }) => hasTrack(tracks?.video) && state !== "ended",
  "bitrate-form": ({ tracks, state }) => hasTrack(tracks?.video) && state !== "ended",
  leave: mayLeave,
  unmute: () => true,
  "keep-muted": () => true,
  "send-password": () => true,
  "alert-extend": () => true,
  "extend-form": ({ timer }) => ["waiting", "running", "alert", "paused"].includes(timer?.state),
};

const isPossible = {
  start: ({ state }) => state !== "starting",
  check: ({ state, outputs }) =>
    state !== "starting" && outputs.every((output) => output.check?.state !== "running"),
};

// The actions that a dialog asks about, and their paths.
const confirmed = { background: "background", end: "end", leave: "session/leave" };

const lastCall = 10;

const hasTrack = (track) => track != null && track.source !== "off";

export class Controls {
  #status = null;
  #me = null;
  #isConnected = false;
  #busy = new Set();
  #extension = null;
  #alerted = null;
  #target = null;
  #refresh;
  #expect;

  // `refresh` shows the state after an action; `expect` is called with the order to a session before it is sent.
  constructor(refresh, expect) {
    [this.#refresh, this.#expect] = [refresh, expect];
    const post = (path, body) => () => ask("POST", `/v1/${path}`, body);
    this.#on("start", post("start"));
    this.#on("foreground", () => this.#begin());
    this.#on("resume", post("resume"));
    this.#on("interrupt", post("interrupt"));
    this.#on("ready", post("ready", { ready: true }));
    this.#on("not-ready", () =>
      ask("POST", "/v1/ready", { ready: false, reason: `refused by ${this.#me.name}` }));
    this.#on("check", post("check"));
    for (const track of ["audio", "video"]) this.#on(`mute-${track}`, () => this.#mute(track));
    element("extend-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.act(() => this.#extend(Number(element("extend-by").value)), "extend-form");
    });
    element("bitrate-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.act(() => ask("PATCH", "/v1/bitrate", { bps: `${element("bitrate").value}k` }), "bitrate-form");
    });
    for (const [word, path] of Object.entries(confirmed)) {
      const dialog = element(`${word}-dialog`);
      element(word).addEventListener("click", () => dialog.showModal());
      element(`${word}-no`).addEventListener("click", () => dialog.close());
      element(`${word}-yes`).addEventListener("click", () => {
        dialog.close();
        this.act(post(path), word);
      });
    }
    element("alert-dismiss").addEventListener("click", () => element("alert-dialog").close());
    element("alert-extend").addEventListener("click", () => {
      element("alert-dialog").close();
      this.act(() => this.#extend(600), "extend-form");
    });
    element("dismiss").addEventListener("click", () => notice(null));
  }

  // Whether the user has the right, connected or not.
  hasRight(capability) {
    return (this.#me?.may ?? []).includes(capability);
  }

  // Runs an action. A repeated request for a running action is ignored.
  async act(work, id = null) {
    if (this.#busy.has(id)) return;
    if (id !== null) this.#busy.add(id);
    this.#show();
    const count = noticeCount();
    try {
      await work();
      if (noticeCount() === count) notice(null);
      await this.#refresh();
    } catch (error) {
      notice(told(error));
    } finally {
      this.#busy.delete(id);
      this.#show();
    }
  }

  show(status, me, isConnected) {
    [this.#status, this.#me, this.#isConnected] = [status, me, isConnected];
    this.#show();
  }

  #show() {
    if (this.#status === null) return;
    const focused = document.activeElement;
    const rights = this.#me?.may ?? [];
    for (const [id, offered] of Object.entries(isOffered)) {
      const node = element(id);
      show(node, rights.includes(node.dataset.needs) && offered(this.#status));
      if (node instanceof HTMLButtonElement) {
        node.disabled = !this.#isConnected || !(isPossible[id]?.(this.#status) ?? true);
        // A disabled button would lose the focus; pressing a busy one does nothing.
        node.setAttribute("aria-busy", this.#busy.has(id));
      }
    }
    for (const id of ["extend", "set-bitrate"]) element(id).disabled = !this.#isConnected;
    this.#showBitrate(this.#status.tracks?.video?.targetBps);
    show(element("mutes"), !element("mute-audio").hidden || !element("mute-video").hidden);
    const isStarting = this.#busy.has("start") || this.#status.state === "starting";
    setText(element("start"), isStarting ? "Starting…" : "Go live");
    this.#showMutes();
    for (const word of Object.keys(confirmed)) if (element(word).hidden) element(`${word}-dialog`).close();
    this.#warn(this.#status.timer);
    this.#showWho(rights);
    keepFocus(focused);
  }

  #showMutes() {
    const held = heldTracks(this.#status);
    for (const track of ["audio", "video"]) {
      const [isMuted, noun] = [this.#status.tracks?.[track]?.muted === true, track === "audio" ? "sound" : "picture"];
      const isHeld = isMuted && held.includes(track);
      const button = element(`mute-${track}`);
      button.setAttribute("aria-pressed", isMuted);
      setText(button, isMuted ? `${capital(noun)} muted${isHeld ? " by the session" : ""}` : `Mute ${noun}`);
      if (isHeld) button.setAttribute("aria-describedby", "mute-note");
      else button.removeAttribute("aria-describedby");
    }
    const note = muteNote(this.#status);
    setText(element("mute-note"), note ?? "");
    show(element("mute-note"), note !== null && !element("mutes").hidden);
  }

  closeDialogs() {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  }

  // Opens once when the alert begins, and for the last ten seconds once more. An alert that is over, or that
  // can't be answered, closes it.
  #warn(timer) {
    const dialog = element("alert-dialog");
    const left = timer?.state === "alert" && this.#isConnected ? timer.secondsLeft : null;
    if (left == null) {
      if (this.#isConnected || dialog.open) this.#alerted = null;
      dialog.close();
      return;
    }
    setText(element("alert-left"), clock(left));
    setText(element("alert-text"), timer.endsAt
      ? `It ends at ${timeOfDay(Date.parse(timer.endsAt))}: the outputs are closed, the recording is finished.` : "");
    const stage = left <= lastCall ? "last call" : "first";
    if (this.#alerted === stage) return;
    this.#alerted = stage;
    if (!dialog.open) dialog.showModal();
  }

  // Follows the rate in force until somebody writes another one.
  #showBitrate(target) {
    const field = element("bitrate");
    if (target == null || target === this.#target || document.activeElement === field) return;
    this.#target = target;
    field.value = Math.round(target / 1000);
  }

  #showWho(rights) {
    const readsOnly = rights.length > 0 && rights.every((right) => ["view", "ready"].includes(right));
    show(element("read-only"), readsOnly);
    if (readsOnly) setText(element("read-only"), "View only. Making changes requires another role.");
  }

  #on(id, work) {
    element(id).addEventListener("click", () => this.act(work, id));
  }

  // Returning from the background starts a new broadcast; after an interruption that was too long, only a
  // start does. The start has no effect if the return was enough.
  async #begin() {
    await ask("POST", "/v1/foreground");
    try {
      await ask("POST", "/v1/start");
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
    }
  }

  #mute(track) {
    const muted = this.#status.tracks[track].muted !== true;
    this.#expect(muted ? "mute" : "unmute");
    return ask("PATCH", `/v1/tracks/${track}`, { muted });
  }

  // Keeps the id until there is a response, so that a repetition after a lost connection has no effect.
  async #extend(by) {
    if (this.#extension?.by !== by) this.#extension = { by, id: randomID() };
    try {
      await ask("POST", "/v1/extend", this.#extension);
      this.#extension = null;
    } catch (error) {
      if (error instanceof Refusal) this.#extension = null;
      throw error;
    }
  }
}

// Unlike crypto.randomUUID, works without a secure context.
function randomID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function told(error) {
  if (error instanceof Refusal) return errorSentence(error);
  if (error.name === "TimeoutError") {
    return "The broadcaster did not respond in time. The request may have succeeded.";
  }
  return "The broadcaster can’t be reached. The request may or may not have succeeded.";
}

// A pressed button may disappear. The focus then moves to the state.
function keepFocus(focused) {
  const isGone = focused !== document.body && focused instanceof HTMLElement
    && (focused.closest("[hidden]") !== null || focused.disabled === true);
  if (isGone && focused.closest("#now, #board")) element("state").focus({ preventScroll: true });
}
