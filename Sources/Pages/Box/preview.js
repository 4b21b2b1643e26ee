// Shows the latest picture, about three times per second while the page is visible, what is muted, and the
// sound's level.

import { picture } from "./api.js";
import { element, setText, show } from "./dom.js";
import { clipsAt, level, levelShare, onAir, quietest, timeOfDay } from "./words.js";

const every = 330;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Preview {
  #isWanted = false;
  #isRunning = false;
  #asking = null;
  #shown = null;
  #isHeld = false;
  #isCovered = false;

  constructor() {
    document.addEventListener("visibilitychange", () => this.#go());
  }

  // Describes the picture, or why there is none.
  describe(status, isConnected) {
    const { state, tracks } = status;
    this.#isHeld = state === "previewing" && (tracks?.video?.source ?? "").startsWith("file:");
    const isSent = state === "live" && onAir(status) !== "none";
    const label = !isConnected ? `Picture of ${timeOfDay(Date.parse(status.at))}`
      : isSent ? "" : state === "live" ? "Not on air" : "Not sent";
    setText(element("not-sent"), label);
    show(element("not-sent"), label !== "" && !(element("preview").hidden && element("live").hidden));
    element("preview").alt = isSent ? "The picture being sent" : "The picture that would be sent";
    element("live").ariaLabel = element("preview").alt;
    for (const track of ["audio", "video"]) show(element(`muted-${track}`), tracks?.[track]?.muted === true);
    if (this.#shown === null || this.#isHeld) this.#sayNothing();
  }

  // The live picture takes the place, or leaves it to the next picture.
  cover(isCovered) {
    if (this.#isCovered === isCovered) return;
    this.#isCovered = isCovered;
    if (!isCovered) return;
    show(element("live"), true);
    for (const other of ["preview", "no-picture"]) show(element(other), false);
  }

  // Starts or stops requesting pictures.
  want(isWanted) {
    if (this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    this.#go();
  }

  get #mayAsk() {
    return this.#isWanted && !document.hidden;
  }

  async #go() {
    if (!this.#mayAsk) this.#asking?.abort();
    if (this.#isRunning || !this.#mayAsk) return;
    this.#isRunning = true;
    let failures = 0;
    while (this.#mayAsk) {
      const began = performance.now();
      try {
        failures = (await this.#showNext()) ? 0 : failures + 1;
      } catch {
        // The event stream detects and reports a lost connection.
        failures += 1;
      }
      if (failures >= 3) this.#showNothing();
      const wait = failures === 0 ? every : Math.min(5000, 500 * 2 ** Math.min(5, failures - 1));
      await pause(Math.max(50, wait - (performance.now() - began)));
    }
    this.#isRunning = false;
  }

  async #showNext() {
    this.#asking = new AbortController();
    const limit = AbortSignal.timeout(8000);
    const blob = await picture(AbortSignal.any([this.#asking.signal, limit]));
    if (blob === null) return false;
    const address = URL.createObjectURL(blob);
    const image = element("preview");
    try {
      // Decoded before it is shown, to avoid flicker.
      const next = new Image();
      next.src = address;
      await next.decode();
      element("frame").style.aspectRatio = `${next.naturalWidth} / ${next.naturalHeight}`;
      image.src = address;
      await image.decode();
    } catch (error) {
      URL.revokeObjectURL(address);
      throw error;
    }
    if (!this.#isCovered) {
      show(image, true);
      for (const other of ["live", "no-picture"]) show(element(other), false);
    }
    if (this.#shown !== null) URL.revokeObjectURL(this.#shown);
    this.#shown = address;
    return true;
  }

  #showNothing() {
    for (const picture of ["live", "preview"]) show(element(picture), false);
    show(element("no-picture"), true);
    this.#sayNothing();
  }

  #sayNothing() {
    const text = this.#isHeld ? "The file starts with the broadcast"
      : this.#shown === null ? "No picture yet" : "No picture now";
    setText(element("no-picture"), text);
  }
}

const clipLightLasts = 2000;
let clipLight = 0;

// Shows a level whenever there is one, whatever the state; an old one would look like a new one.
export function showLevel(audio, isConnected) {
  const isThere = audio != null && audio.source !== "off";
  show(element("sound"), isThere);
  if (!isThere) return;
  const [now, peak] = isConnected && !audio.muted ? [audio.levelDb, audio.peakDb] : [null, null];
  const share = levelShare(now) * 100;
  element("meter-rest").setAttribute("x", `${share}%`);
  element("meter-peak").setAttribute("x", peak == null ? "-10" : `${Math.min(99.5, levelShare(peak) * 100)}%`);
  if (peak != null && peak >= clipsAt) {
    clearTimeout(clipLight);
    element("clip").className = "lit";
    clipLight = setTimeout(() => { element("clip").className = ""; }, clipLightLasts);
  }
  const text = !isConnected ? "–" : audio.muted ? "muted" : level(now);
  element("level-text").className = isConnected && audio.muted ? "wait" : "";
  setText(element("level-text"), text);
  const meter = element("meter");
  meter.setAttribute("aria-valuenow", Math.round(Math.min(0, Math.max(quietest, now ?? quietest))));
  meter.setAttribute("aria-valuetext", element("clip").className ? `${text}, clipping` : text);
}
