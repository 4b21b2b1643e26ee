// One picture or one sound: what plays now, and what is about to take its place.

import { FragmentReader } from "./fragments.js";
import { Playback } from "./playback.js";

// A head, and what follows it, in a media element of its own.
class Source {
  #reader = new FragmentReader();
  #playback;
  #ending = new AbortController();
  // What came before the browser was ready.
  #waiting = [];

  constructor(media, type, head, { started, ended }) {
    this.media = media;
    this.#playback = new Playback(media, type, this.#ending, started);
    this.#ending.signal.addEventListener("abort", ended);
    this.#waiting.push(...this.#reader.feed(head));
    this.#playback.open().then(() => {
      const waiting = this.#waiting;
      this.#waiting = null;
      for (const item of waiting) this.#playback.take(item);
    }).catch(() => this.#ending.abort());
  }

  // Returns the messages in between.
  take(bytes) {
    const messages = [];
    try {
      for (const item of this.#reader.feed(bytes)) {
        if (item.kind === "message") messages.push(item);
        else if (this.#waiting !== null) this.#waiting.push(item);
        else this.#playback.take(item);
      }
    } catch {
      this.#ending.abort();
    }
    return messages;
  }

  close(ended) {
    this.#ending.signal.removeEventListener("abort", ended);
    this.#ending.abort();
    this.#playback.close();
  }
}

// Of one member: a new head takes the place of what was before once it plays.
export class Track {
  #make;
  #changed;
  #failed;
  #playing = null;
  #next = null;
  #head = null;
  #ended = () => this.#fail();

  // `make` gives a media element; `changed` is called with the element that plays now, or null; `failed` when the
  // browser can't go on.
  constructor(make, changed, failed) {
    [this.#make, this.#changed, this.#failed] = [make, changed, failed];
  }

  // Returns whether the browser can play the type. Nothing changes until the first fragment is there.
  begin(type, bytes) {
    if (!canPlay(type)) {
      this.stop();
      return false;
    }
    this.#head = { type, bytes };
    return true;
  }

  take(bytes) {
    if (this.#head !== null) this.#open();
    return (this.#next ?? this.#playing)?.take(bytes) ?? [];
  }

  #open() {
    const { type, bytes } = this.#head;
    this.#head = null;
    this.#next?.close(this.#ended);
    const source = new Source(this.#make(), type, bytes, {
      started: () => this.#swap(source), ended: this.#ended,
    });
    this.#next = source;
  }

  #swap(source) {
    if (this.#next !== source) return;
    const before = this.#playing;
    [this.#playing, this.#next] = [source, null];
    this.#changed(source.media);
    before?.close(this.#ended);
  }

  #fail() {
    this.stop();
    this.#failed();
  }

  stop() {
    const open = [this.#playing, this.#next].filter((source) => source !== null);
    [this.#playing, this.#next, this.#head] = [null, null, null];
    for (const source of open) source.close(this.#ended);
    if (open.length > 0) this.#changed(null);
  }
}

export const canPlay = (type) => typeof MediaSource !== "undefined" && MediaSource.isTypeSupported(type);
