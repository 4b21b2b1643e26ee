// Joins the session and stays in it: one member for as long as this tab is open, also after a reload.

import * as hub from "./hub.js";
import { Refusal, token } from "./requests.js";
import { wait } from "./stream.js";

const storageKey = `holdfast.member ${location.pathname}`;
// After these the member is out, whatever it tries.
const finals = ["superseded", "removed", "sessionOver"];
// The place is lost, and is asked for again by the same key.
const losses = ["leaseOver", "noSuchSession", "leaseForged"];

const memory = {
  read: () => JSON.parse(sessionStorage.getItem(storageKey)) ?? {},
  write: (fields) => sessionStorage.setItem(storageKey, JSON.stringify({ ...memory.read(), ...fields })),
};

// Refused until somebody does something about it.
const isLasting = (error) =>
  error instanceof Refusal && error.status < 500 && error.status !== 429 && !losses.includes(error.code);

// Times of many pages that lost their hub at once differ by a fifth.
export const spread = (ms) => ms * (0.8 + 0.4 * Math.random());

export class Attendance {
  #on;
  #password = null;
  #beating = 0;
  #due = Infinity;
  #turn = 0;
  #failures = 0;
  #joining = null;
  // The place is gone, and not yet had again.
  #isLost = false;

  // The id of the member while it is in.
  me = null;
  role = null;

  // `on` has `place` (called with each answer that gives a place), `away` (the hub does not answer), `out` (with the
  // refusal after which the member is out) and `refused` (nothing else helps than another token or password).
  constructor(on) {
    this.#on = on;
  }

  // Whether this tab was in when it was last loaded.
  get wasIn() {
    return memory.read().isIn === true;
  }

  get name() {
    return memory.read().name ?? null;
  }

  // As it is called in the session, for the next join.
  set name(name) {
    if (name !== this.name) memory.write({ name });
  }

  // Throws the refusal. One join is on its way at a time.
  join(name, password = null) {
    this.#joining ??= this.#join(name, password).catch((error) => {
      // A new session of the name is joined by another key.
      if (error.code === "sessionOver") this.forgetKey();
      throw error;
    }).finally(() => { this.#joining = null; });
    return this.#joining;
  }

  async #join(name, password) {
    const { key = hub.randomID(), proof } = memory.read();
    memory.write({ key, name });
    clearTimeout(this.#beating);
    this.#turn += 1;
    hub.setLease(null);
    const answer = await hub.join({
      key, name, kind: "person", wants: [], requestId: hub.randomID(),
      ...(password === null ? {} : { password }), ...(proof ? { proof } : {}),
    });
    this.#password = password;
    this.me = answer.member;
    this.#take(answer);
    memory.write({ isIn: true });
    this.#schedule(answer.beatEvery);
    return answer;
  }

  // In again after the place was lost.
  async rejoin() {
    clearTimeout(this.#beating);
    try {
      const answer = await this.join(this.name, this.#password);
      this.#on.rejoined(answer);
    } catch (error) {
      if (this.me !== null) this.#fail(error);
    }
  }

  // As another member, because the same key with another token is not the same. The former one hands its role over as
  // host, and leaves. Throws the refusal if it is not let in; then all is as before.
  async changeToken(text) {
    const [before, former, { proof }] = [hub.identity(), token.get(), memory.read()];
    const { role } = this;
    token.set(text);
    memory.write({ proof: null });
    try {
      const answer = await this.join(this.name, this.#password);
      this.#on.rejoined(answer);
    } catch (error) {
      token.set(former);
      memory.write({ proof });
      hub.setLease(before["Holdfast-Lease"] ?? null);
      this.#schedule(0);
      throw error;
    }
    try {
      if (role === "host") await hub.command("host", { target: this.me }, before);
      await hub.leave(before);
    } catch {
      // It may be out by now, or goes when nothing is heard of it.
    }
  }

  // Something else than a beat was refused, or an event says the same, which may mean that the place is lost. That does
  // not put off a join that is due already.
  judge(error) {
    if (this.me === null || error.isStale) return;
    if (finals.includes(error.code) || losses.includes(error.code) && !this.#isLost) this.#fail(error);
  }

  async leave() {
    const as = hub.identity();
    this.drop();
    await hub.leave(as);
  }

  // Out, without a word to the hub.
  drop() {
    this.#end({ isIn: false, proof: null });
  }

  // For the next join to be that of another member.
  forgetKey() {
    memory.write({ key: hub.randomID(), proof: null });
  }

  #take({ lease, proof, role }) {
    hub.setLease(lease);
    memory.write({ proof });
    this.role = role;
    [this.#failures, this.#isLost] = [0, false];
    this.#on.place();
  }

  #schedule(seconds) {
    clearTimeout(this.#beating);
    this.#turn += 1;
    const ms = spread(seconds * 1000);
    this.#due = Date.now() + ms;
    this.#beating = setTimeout(() => this.#go(), ms);
  }

  #go() {
    this.#due = Infinity;
    if (this.#isLost) this.rejoin();
    else this.#beat(this.#turn);
  }

  // Browsers wake a hidden page's timers once a minute; what arrives wakes it, too.
  wake() {
    if (this.me === null || Date.now() < this.#due) return;
    clearTimeout(this.#beating);
    this.#go();
  }

  // At once, because something else was answered again.
  hurry() {
    if (this.me !== null && this.#failures > 0) this.#schedule(0);
  }

  async #beat(turn) {
    try {
      const answer = await hub.beat();
      if (turn !== this.#turn) return;
      this.#take(answer);
      this.#schedule(answer.beatEvery);
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  #fail(error) {
    if (finals.includes(error.code)) {
      this.#end({ isIn: false });
      this.#on.out(error);
      return;
    }
    this.#failures += 1;
    if (losses.includes(error.code)) this.#isLost = true;
    if (losses.includes(error.code) && this.#failures === 1) {
      this.#schedule(0.2);
    } else if (isLasting(error)) {
      this.#schedule(30);
      this.#on.refused(error);
    } else {
      this.#schedule(Math.max(error.retryAfter ?? 0, wait(this.#failures) / 1000));
      this.#on.away(error);
    }
  }

  #end(fields) {
    clearTimeout(this.#beating);
    this.#due = Infinity;
    this.#turn += 1;
    hub.setLease(null);
    this.me = this.role = null;
    memory.write(fields);
  }
}
