// Shows what is encoded, live, with its sound: fragments over HTTP into a video element. What the browser can't play is
// shown as pictures instead.

import { live } from "./api.js";
import { Choice } from "./choice.js";
import { element, setText, show } from "./dom.js";
import { FragmentReader } from "./fragments.js";
import { Playback } from "./playback.js";
import { Refusal } from "./requests.js";
import { duration, errorSentence } from "./words.js";

const noteLasts = 5000;
// Media left out so often in this time is no live picture: there are pictures for a while.
const mostSkips = 4;
const skipsWithin = 10_000;
const tooSlow = "This connection is too slow for the live picture. There are single pictures for 30 s.";
// What is left is another rendition, or another attempt later.
const passing = ["notLive", "tooManyViewers", "noRoom"];
const unavailable = ["noRoom", "noSuchRendition"];

export class Live {
  #video = element("live");
  #changed;
  #isWanted = false;
  #hasPicture = false;
  #isRunning = false;
  #ending = null;
  #hidesNote = 0;
  #skips = [];
  #choice = new Choice(() => this.#change());
  #endPause = () => {};
  // The type that the browser can't play, or the refusal after which asking again is useless.
  #isHopeless = false;
  #run = null;

  // Whether the picture is to be seen.
  isShown = false;

  // `changed` is called when the picture appears or disappears.
  constructor(changed) {
    this.#changed = changed;
    this.#video.muted = true;
    document.addEventListener("visibilitychange", () => this.#go());
    this.#video.addEventListener("resize", () => {
      const { videoWidth, videoHeight } = this.#video;
      if (videoWidth > 0) element("frame").style.aspectRatio = `${videoWidth} / ${videoHeight}`;
    });
    element("listen").addEventListener("click", () => {
      this.#video.muted = !this.#video.muted;
      element("listen").setAttribute("aria-pressed", !this.#video.muted);
      this.#go();
    });
  }

  // Watches while the broadcast is live. Another broadcast is worth another attempt.
  want(status, isConnected) {
    const { video, audio } = status.tracks ?? {};
    const [hasPicture, hasSound] = [video, audio].map((track) => track != null && track.source !== "off");
    this.#isWanted = isConnected && status.state === "live" && typeof MediaSource !== "undefined";
    this.#hasPicture = hasPicture;
    if (!this.#isWanted) this.#isHopeless = false;
    this.#choice.offer(status.live?.renditions ?? [], video, this.#isWanted && hasPicture && !this.#isHopeless);
    show(element("listening"), this.#isWanted && hasSound && !this.#isHopeless);
    this.#go();
  }

  get #mayRun() {
    const isHeard = !this.#video.muted;
    return this.#isWanted && !this.#isHopeless && (isHeard || this.#hasPicture && !document.hidden);
  }

  async #go() {
    if (!this.#mayRun) this.#ending?.abort();
    if (this.#isRunning || !this.#mayRun) return;
    this.#isRunning = true;
    let failures = 0;
    while (this.#mayRun) {
      this.#ending = new AbortController();
      const began = performance.now();
      let wait = 0;
      try {
        await this.#watch();
      } catch (error) {
        const isUnavailable = unavailable.includes(error.code);
        if (error.code === "tooManyViewers" || isUnavailable) this.#say(errorSentence(error));
        if (error.message === tooSlow) this.#say(tooSlow);
        if (!isUnavailable || !this.#choice.giveUp(performance.now())) {
          // Who has no right, or no such broadcaster, learns that from the other requests, too.
          if (error instanceof Refusal && !passing.includes(error.code)) this.#isHopeless = true;
          wait = (error.retryAfter ?? 0) * 1000;
        }
      }
      this.#run = null;
      this.#see(false);
      failures = performance.now() - began > 10_000 ? 0 : failures + 1;
      if (this.#mayRun) await this.#pause(Math.max(wait, Math.min(5000, 100 * 2 ** Math.min(6, failures))));
    }
    this.#isRunning = false;
    for (const part of ["listening", "choosing"]) show(element(part), !element(part).hidden && !this.#isHopeless);
  }

  #pause(ms) {
    return new Promise((done) => {
      this.#endPause = done;
      setTimeout(done, ms);
    });
  }

  // Another rendition is watched from now on.
  #change() {
    this.#skips = [];
    this.#ending?.abort();
    this.#endPause();
    this.#go();
  }

  // Until the stream ends; throws if it can't be played.
  async #watch() {
    const { type, reader } = await live(this.#ending.signal, this.#choice.name);
    if (!MediaSource.isTypeSupported(type)) {
      this.#isHopeless = true;
      this.#ending.abort();
      return;
    }
    const run = new Playback(this.#video, type, this.#ending, () => this.#see(true));
    this.#run = run;
    try {
      await run.open();
      const fragments = new FragmentReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        for (const item of fragments.feed(value)) {
          if (item.kind === "message") this.#tell(item);
          else run.take(item);
        }
      }
    } finally {
      this.#ending.abort();
      run.close();
    }
  }

  #see(isSeen) {
    const isShown = isSeen && this.#hasPicture;
    if (this.isShown === isShown) return;
    this.isShown = isShown;
    this.#changed();
  }

  #tell({ name, data }) {
    if (name === "skipped") {
      const now = performance.now();
      this.#skips = [...this.#skips.filter((at) => now - at < skipsWithin), now];
      if (this.#skips.length >= mostSkips) this.#shrink(now);
      this.#say(`This connection is too slow: ${duration(data.ms)} left out.`);
    } else if (name === "over" && data.code?.startsWith("token")) this.#say(errorSentence(data));
    else if (name === "over" && data.code === "noRoom") throw Object.assign(new Error(data.message), { code: data.code });
  }

  // Ends this stream, for a smaller one if there is one.
  #shrink(now) {
    const smaller = this.#choice.shrink(now);
    this.#skips = [];
    if (smaller === null) throw Object.assign(new Error(tooSlow), { retryAfter: 30 });
    this.#say(`This connection is too slow for the full picture. It is ${smaller} from now on.`);
    throw new Error("another rendition");
  }

  #say(text) {
    clearTimeout(this.#hidesNote);
    setText(element("live-note"), text);
    this.#hidesNote = setTimeout(() => setText(element("live-note"), ""), noteLasts);
  }
}
