// Follows the session's events, comes back whenever the stream ends, and says while the hub is away.

import { spread } from "./attendance.js";
import { make, setText, show } from "./dom.js";
import { part } from "./gate.js";
import * as hub from "./hub.js";
import { timeOfDay } from "./phrases.js";
import { Refusal } from "./requests.js";
import { wait } from "./stream.js";
import { outSentence } from "./terms.js";

const thanks = 4000;
// One lost connection alone is nothing to tell of.
const quiet = 1500;

export class Stream {
  #on;
  #since = null;
  #ending = null;
  #turn = 0;
  #lostAt = null;
  // What the hub said instead.
  #refusal = null;
  #endPause = () => {};
  #nextAt = 0;
  #ticking = 0;

  isConnected = false;

  // `on` has `event`, `reset` (with a state), `levels`, `failed` (with a refusal), `heard` (the hub answers
  // again), and `woken` (something has come).
  constructor(on) {
    this.#on = on;
    part("try-now").addEventListener("click", () => this.#endPause());
  }

  start() {
    this.stop();
    this.#run(this.#turn);
  }

  stop() {
    this.#turn += 1;
    this.#ending?.abort();
    this.#endPause();
    this.#since = null;
    this.isConnected = false;
    this.#lostAt = null;
    clearInterval(this.#ticking);
    show(part("connection"), false);
    document.body.classList.remove("stale");
  }

  // With another lease.
  restart() {
    this.start();
  }

  // A beat was not carried out. The stream may go on meanwhile.
  away(error) {
    if (error.code !== "storeAway" || !this.isConnected) return;
    part("connection").classList.add("wait");
    show(part("try-now"), false);
    setText(part("connection-text"), outSentence(error));
    show(part("connection"), true);
  }

  // A beat was.
  heard() {
    if (!this.isConnected) this.#endPause();
    else if (part("connection").classList.contains("wait")) this.#tellReturn();
  }

  async #run(turn) {
    for (let attempt = 1; turn === this.#turn; attempt += 1) {
      let pause = 0;
      this.#ending = new AbortController();
      try {
        await hub.events({
          since: this.#since, ending: this.#ending, onID: (id) => { this.#since = id; },
          onOpen: () => this.#connected(turn),
          onEvent: (event) => {
            attempt = 0;
            this.#on.woken();
            if (turn === this.#turn) pause = this.#take(event) ?? pause;
          },
        });
      } catch (error) {
        if (turn !== this.#turn) return;
        if (error instanceof Refusal) this.#fail(error);
        pause = error.retryAfter ?? 0;
      }
      if (turn !== this.#turn) return;
      this.isConnected = false;
      this.#lostAt ??= Date.now();
      await this.#wait(Math.max(pause * 1000, spread(wait(Math.max(1, attempt)))));
    }
  }

  // Returns the seconds to wait before coming back, if the hub has said so.
  #take({ name, id, data }) {
    const value = JSON.parse(data);
    if (name === "reset") this.#on.reset(value);
    else if (name === "levels") this.#on.levels(value);
    else if (name === "bye") return value.retryAfter;
    else if (id !== null) this.#on.event({ event: name, ...value });
    else if (value.error) this.#fail(new Refusal(0, value.error, null));
    return null;
  }

  #fail(refusal) {
    this.#refusal = refusal;
    this.#on.failed(refusal);
  }

  #connected(turn) {
    if (turn !== this.#turn) return;
    this.isConnected = true;
    clearInterval(this.#ticking);
    document.body.classList.remove("stale");
    this.#lostAt = this.#refusal = null;
    this.#on.heard();
    if (!part("connection").hidden) this.#tellReturn();
  }

  #tellReturn() {
    part("connection").classList.remove("wait");
    show(part("try-now"), false);
    setText(part("connection-text"), "Reconnected.");
    setTimeout(() => this.isConnected && show(part("connection"), false), thanks);
  }

  #wait(ms) {
    this.#nextAt = Date.now() + ms;
    clearInterval(this.#ticking);
    this.#ticking = setInterval(() => this.#tell(), 250);
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  get #trouble() {
    const since = timeOfDay(this.#lostAt);
    return this.#refusal === null ? `The hub has not answered since ${since}.`
      : `Nothing new since ${since}. ${outSentence(this.#refusal)}`;
  }

  #tell() {
    if (this.isConnected || this.#lostAt === null || Date.now() - this.#lostAt < quiet) return;
    document.body.classList.add("stale");
    const banner = part("connection");
    if (banner.hidden || !banner.classList.contains("wait")) {
      banner.classList.add("wait");
      const count = make("span");
      // Keeps screen readers from announcing each second.
      count.setAttribute("aria-hidden", "true");
      part("connection-text").replaceChildren(
        `${this.#trouble} Boxes go on recording and publishing. `, count);
      show(part("try-now"), true);
      show(banner, true);
    }
    const left = Math.max(0, this.#nextAt - Date.now());
    const text = left > 0 ? `Next attempt in ${Math.ceil(left / 1000)} s.` : "Trying now.";
    setText(part("connection-text").lastChild, text);
  }
}
