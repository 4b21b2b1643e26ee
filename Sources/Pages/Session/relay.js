// Receives the pictures and the sound of the members that are wanted, in one response at a time.

import { spread } from "./attendance.js";
import { FrameReader } from "./frames.js";
import * as hub from "./hub.js";
import { Refusal } from "./requests.js";
import { wait } from "./stream.js";

// Several changes of what is wanted often come together.
const settles = 60;
const calm = 10_000;
const renewsAfter = 500;
const nothing = { pictures: [], sounds: [] };

export class Relay {
  #receive;
  #wanted = nothing;
  #present = [];
  // The response that is shown, and the one that is to take its place.
  #current = null;
  #next = null;
  #timer = 0;
  #failures = 0;

  // `receive` has `head`, `media`, `lost` (each with a frame), and `refused` (with the refusal of a whole response).
  constructor(receive) {
    this.#receive = receive;
  }

  // Members to be seen, to be heard, and all that are there. A response goes on when somebody leaves, who may come
  // back.
  want(pictures, sounds, present) {
    this.#wanted = { pictures, sounds };
    this.#present = present;
    if (!this.#isSatisfied) this.#plan(settles);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#wanted = nothing;
    this.#drop();
  }

  // Asks anew, for a browser that can't go on with what came so far of a member.
  renew() {
    const one = this.#next ?? this.#current;
    if (one !== null) one.isSpent = true;
    this.#plan(spread(renewsAfter));
  }

  // At once, because the hub answers again.
  hurry() {
    if (this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#failures = 0;
    this.#plan(0);
  }

  #drop() {
    for (const one of [this.#current, this.#next]) one?.ending.abort();
    [this.#current, this.#next] = [null, null];
  }

  get #isSatisfied() {
    const one = this.#next ?? this.#current;
    if (one?.isSpent) return false;
    const given = one?.wanted ?? nothing;
    return ["pictures", "sounds"].every((kind) => {
      const [has, wants] = [given[kind], this.#wanted[kind]];
      return wants.every((id) => has.includes(id))
        && has.every((id) => wants.includes(id) || wants.length > 0 && !this.#present.includes(id));
    });
  }

  #plan(ms) {
    if (this.#timer !== 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (!this.#isSatisfied) this.#open();
    }, ms);
  }

  async #open() {
    this.#next?.ending.abort();
    const { pictures, sounds } = this.#wanted;
    if (pictures.length + sounds.length === 0) return this.#drop();
    const one = { wanted: this.#wanted, ending: new AbortController(), held: [], isSpent: false };
    this.#next = one;
    const began = performance.now();
    let retryAfter = 0;
    try {
      await this.#read(one);
    } catch (error) {
      retryAfter = error.retryAfter ?? 0;
      if (error instanceof Refusal && this.#isOpen(one)) this.#receive.refused(error);
    }
    if (!this.#isOpen(one)) return undefined;
    if (this.#next === one) this.#next = null;
    else this.#current = null;
    this.#failures = performance.now() - began > calm ? 0 : this.#failures + 1;
    return this.#plan(Math.max(retryAfter * 1000, spread(wait(this.#failures))));
  }

  #isOpen(one) {
    return this.#next === one || this.#current === one;
  }

  async #read(one) {
    const { pictures, sounds } = one.wanted;
    const reader = await hub.live(pictures, sounds, one.ending.signal);
    const frames = new FrameReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const frame of frames.feed(value)) if (this.#isOpen(one)) this.#take(one, frame);
    }
  }

  // What was received before goes on until the first fragment is there.
  #take(one, frame) {
    if (this.#next === one) {
      one.held.push(frame);
      const isLost = one.held.filter(({ kind }) => kind === "lost").length >= one.wanted.pictures.length;
      if (this.#current !== null && frame.kind !== "media" && !isLost) return;
      const before = this.#current;
      [this.#current, this.#next] = [one, null];
      before?.ending.abort();
      for (const held of one.held) this.#receive[held.kind](held);
      one.held = [];
    } else {
      this.#receive[frame.kind](frame);
    }
  }
}
