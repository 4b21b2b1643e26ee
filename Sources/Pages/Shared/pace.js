// How a live picture keeps close to now.

const jumpsAt = 1;
const least = 0.25;
const most = 0.6;
const calm = 20_000;

// Decides how far to stay behind the newest media, in seconds: more after each stall, and less again after calm times.
export class Pace {
  target = least;
  #rate = 1;
  #since = null;

  stalled(now) {
    this.target = Math.min(most, this.target + 0.05);
    this.#since = now;
  }

  // What to do `behind` seconds behind the newest media: jump to the target, or play at this rate.
  step(behind, now) {
    if (this.#since === null) this.#since = now;
    if (now - this.#since >= calm) {
      this.target = Math.max(least, this.target - 0.05);
      this.#since = now;
    }
    if (behind > jumpsAt) {
      this.#rate = 1;
      return { jumps: true, rate: 1 };
    }
    if (behind > this.target + 0.15) this.#rate = 1.1;
    else if (behind <= this.target + 0.02) this.#rate = 1;
    return { jumps: false, rate: this.#rate };
  }
}
