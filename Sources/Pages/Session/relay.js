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
// A member that is slow to begin anew holds up the end of the response before for this long.
const longestHandover = 4000;
const nothing = { pictures: [], small: [], sounds: [] };
const kinds = Object.keys(nothing);

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

  // Members to be seen, as they are and small, and to be heard; and all that are there. A response goes on when somebody
  // leaves, who may come back.
  want(wanted, present) {
    this.#wanted = wanted;
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
    clearTimeout(this.#next?.timer);
    [this.#current, this.#next] = [null, null];
  }

  get #isSatisfied() {
    const one = this.#next ?? this.#current;
    if (one?.isSpent) return false;
    const given = one?.wanted ?? nothing;
    return kinds.every((kind) => {
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
    // What has been taken from it does not go back.
    if (this.#next?.taken.size > 0) this.#change(this.#next, true);
    this.#next?.ending.abort();
    clearTimeout(this.#next?.timer);
    if (kinds.every((kind) => this.#wanted[kind].length === 0)) return this.#drop();
    const one = new Reception(this.#wanted);
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
    clearTimeout(one.timer);
    if (one.taken.size > 0) this.#change(one);
    if (this.#next === one) this.#next = null;
    else this.#current = null;
    this.#failures = performance.now() - began > calm ? 0 : this.#failures + 1;
    return this.#plan(Math.max(retryAfter * 1000, spread(wait(this.#failures))));
  }

  #isOpen(one) {
    return this.#next === one || this.#current === one;
  }

  async #read(one) {
    const reader = await hub.live(one.wanted, one.ending.signal);
    const frames = new FrameReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const frame of frames.feed(value)) if (this.#isOpen(one)) this.#take(one, frame);
    }
  }

  // What plays goes on until the new response has the first fragment of it.
  #take(one, frame) {
    const track = trackOf(frame);
    if (this.#current === one) {
      if (!this.#next?.taken.has(track)) this.#give(one, track, [frame]);
      return;
    }
    if (one.timer === 0) one.timer = setTimeout(() => this.#change(one), longestHandover);
    if (frame.kind === "media" || !this.#current?.playing.has(track)) one.taken.add(track);
    if (one.taken.has(track)) this.#give(one, track, one.release(track, frame));
    else one.hold(track, frame);
    if (one.tracks.every((name) => one.taken.has(name) || !this.#current?.playing.has(name))) this.#change(one);
  }

  // The new response alone from now on. Where another one follows, what this one has not begun keeps its last picture.
  #change(one, isFollowed = false) {
    if (this.#next !== one) return;
    clearTimeout(one.timer);
    this.#current?.ending.abort();
    [this.#current, this.#next] = [one, null];
    for (const track of one.tracks) {
      const held = one.release(track);
      if (isFollowed && held[0]?.kind === "lost") one.playing.add(track);
      else this.#give(one, track, held);
    }
  }

  #give(one, track, frames) {
    for (const frame of frames) {
      if (frame.kind === "media") one.playing.add(track);
      else if (frame.kind === "lost") one.playing.delete(track);
      this.#receive[frame.kind](frame);
    }
  }
}

const trackOf = ({ track, member }) => `${track} ${member}`;

// One response, and how far it has taken over from the one before.
class Reception {
  ending = new AbortController();
  // The browser can't go on with it.
  isSpent = false;
  timer = 0;
  // The tracks that come from it alone, and those that play.
  taken = new Set();
  playing = new Set();
  #held = new Map();

  constructor(wanted) {
    this.wanted = wanted;
    const { pictures, small, sounds } = wanted;
    this.tracks = [...[...pictures, ...small].map((member) => trackOf({ track: "video", member })),
      ...sounds.map((member) => trackOf({ track: "audio", member }))];
  }

  // What came before a head, or before a loss, is over.
  hold(track, frame) {
    this.#held.set(track, frame);
  }

  // What was held of a track, and the frame behind it.
  release(track, frame) {
    const held = this.#held.get(track);
    this.#held.delete(track);
    return [held, frame].filter((one) => one !== undefined);
  }
}
