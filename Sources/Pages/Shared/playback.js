// Plays fragments of a live stream in a media element, close behind the newest.

import { join } from "./fragments.js";
import { Pace } from "./pace.js";

const mostPending = 32 << 20;
// Seconds that stay in the browser's memory behind the current picture.
const kept = 5;
const slowestJump = 5000;

// One stream in a media element.
export class Playback {
  #media;
  #type;
  #ending;
  #started;
  #address;
  #source = new MediaSource();
  #buffer = null;
  #pending = [];
  #pendingBytes = 0;
  #pace = new Pace();
  #hasStarted = false;
  #jumped = 0;
  // The start of the newest fragment of each track, and of the groups of pictures in the buffer, in seconds.
  #newest = new Map();
  #groups = [];
  #stops = new AbortController();

  constructor(media, type, ending, started) {
    [this.#media, this.#type, this.#ending, this.#started] = [media, type, ending, started];
  }

  async open() {
    const { signal } = this.#stops;
    this.#address = URL.createObjectURL(this.#source);
    this.#media.addEventListener("error", () => this.#ending.abort(), { signal });
    this.#media.addEventListener("waiting", () => this.#pace.stalled(performance.now()), { signal });
    this.#media.addEventListener("playing", () => this.#started(), { signal });
    this.#media.src = this.#address;
    await new Promise((done, failed) => {
      this.#source.addEventListener("sourceopen", done, { once: true });
      this.#ending.signal.addEventListener("abort", () => failed(new Error("ended")), { once: true });
    });
    this.#buffer = this.#source.addSourceBuffer(this.#type);
    this.#buffer.addEventListener("updateend", () => this.#advance());
    this.#buffer.addEventListener("error", () => this.#ending.abort());
  }

  close() {
    this.#stops.abort();
    this.#media.removeAttribute("src");
    this.#media.load();
    URL.revokeObjectURL(this.#address);
  }

  // The head, or a fragment.
  take(item) {
    if (item.kind === "head") {
      for (const track of item.tracks) this.#newest.set(track, null);
    } else {
      this.#newest.set(item.track, item.time);
      if (item.isKeyframe && (item.track === "video" || !this.#newest.has("video"))) this.#groups.push(item.time);
    }
    this.#pending.push(item.bytes);
    this.#pendingBytes += item.bytes.length;
    if (this.#pendingBytes > mostPending) throw new Error("the browser does not take the live stream");
    this.#append();
  }

  #append() {
    if (this.#buffer.updating || this.#pending.length === 0 || this.#source.readyState !== "open") return;
    const bytes = join(this.#pending);
    [this.#pending, this.#pendingBytes] = [[], 0];
    try {
      this.#buffer.appendBuffer(bytes);
    } catch {
      this.#ending.abort();
    }
  }

  #advance() {
    // The next one may have begun before this was told.
    if (this.#buffer.updating || this.#source.readyState !== "open" || this.#ending.signal.aborted) return;
    this.#follow();
    if (!this.#forget()) this.#append();
  }

  // Plays close behind the newest media that all tracks have.
  #follow() {
    const times = [...this.#newest.values()];
    const { buffered } = this.#media;
    if (times.includes(null) || buffered.length === 0) return;
    const edge = Math.min(...times);
    const now = performance.now();
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#jump(edge);
      // A page that may not play yet shows pictures.
      this.#media.play().catch(() => {});
      return;
    }
    const isOutside = this.#media.currentTime < buffered.start(buffered.length - 1);
    // A jump takes a moment, and for ever where what it needs was left out.
    if (this.#media.seeking && !isOutside && now - this.#jumped < slowestJump) return;
    const { jumps, rate } = this.#pace.step(edge - this.#media.currentTime, now);
    if (jumps) this.#jump(edge);
    if (this.#media.playbackRate !== rate) this.#media.playbackRate = rate;
  }

  #jump(edge) {
    const { buffered } = this.#media;
    this.#jumped = performance.now();
    this.#media.currentTime = Math.max(buffered.start(buffered.length - 1), edge - this.#pace.target);
  }

  // Removes whole groups of pictures from the buffer. Returns whether that takes a moment.
  #forget() {
    const limit = this.#media.currentTime - kept;
    const groups = this.#groups;
    let old = 0;
    while (old + 1 < groups.length && groups[old + 1] <= limit) old += 1;
    if (old === 0) return false;
    this.#groups = groups.slice(old);
    this.#buffer.remove(0, this.#groups[0]);
    return true;
  }
}
