// The buttons: who may press them, when, and what they request.

import { Refusal, ask } from "./api.js";
import { element, notice, setText, show } from "./dom.js";
import { errorSentence } from "./words.js";

const before = ["idle", "previewing", "starting"];
const isGateWaiting = (status) => status.gate?.state === "waiting" && status.gate.awaitsReady !== false;

// When each button is available. Users without the right never see it.
const isOffered = {
  start: ({ state }) => before.includes(state),
  foreground: ({ state }) => state === "backgrounded",
  resume: ({ state }) => state === "interrupted",
  interrupt: ({ state }) => state === "live",
  ready: isGateWaiting,
  "not-ready": isGateWaiting,
  end: ({ state }) => ["starting", "live", "interrupted", "backgrounded"].includes(state),
  check: ({ state, outputs }) => [...before, "backgrounded"].includes(state) && (outputs ?? []).length > 0,
  "mute-audio": ({ tracks, state }) => hasTrack(tracks?.audio) && state !== "ended",
  "mute-video": ({ tracks, state }) => hasTrack(tracks?.video) && state !== "ended",
  "extend-form": ({ timer }) => ["waiting", "running", "alert", "paused"].includes(timer?.state),
};

const isPossible = {
  start: ({ state }) => state !== "starting",
  check: ({ state, outputs }) =>
    state !== "starting" && outputs.every((output) => output.check?.state !== "running"),
};

const hasTrack = (track) => track != null && track.source !== "off";

export class Controls {
  #status = null;
  #me = null;
  #isConnected = false;
  #busy = new Set();
  #extension = null;
  #refresh;

  // `refresh` shows the state after an action.
  constructor(refresh) {
    this.#refresh = refresh;
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
      this.act(() => this.#extend(), "extend-form");
    });
    element("end").addEventListener("click", () => element("end-dialog").showModal());
    element("end-no").addEventListener("click", () => element("end-dialog").close());
    element("end-yes").addEventListener("click", () => {
      element("end-dialog").close();
      this.act(post("end"), "end");
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
    try {
      await work();
      notice(null);
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
    element("extend").disabled = !this.#isConnected;
    show(element("mutes"), !element("mute-audio").hidden || !element("mute-video").hidden);
    const isStarting = this.#busy.has("start") || this.#status.state === "starting";
    setText(element("start"), isStarting ? "Starting…" : "Go live");
    for (const track of ["audio", "video"]) {
      element(`mute-${track}`).setAttribute("aria-pressed", this.#status.tracks?.[track]?.muted === true);
    }
    if (element("end").hidden && element("end-dialog").open) element("end-dialog").close();
    this.#showWho(rights);
    keepFocus(focused);
  }

  #showWho(rights) {
    const readsOnly = rights.length > 0 && rights.every((right) => right === "view");
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
    return ask("PATCH", `/v1/tracks/${track}`, { muted });
  }

  // Keeps the id until there is a response, so that a repetition after a lost connection has no effect.
  async #extend() {
    const by = Number(element("extend-by").value);
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
  if (isGone && focused.closest("#board")) element("state").focus({ preventScroll: true });
}
