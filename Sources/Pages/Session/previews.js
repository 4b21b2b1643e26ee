// Asks for pictures one by one, for tiles that have no stream: each about once a second, one request at a time.

import * as hub from "./hub.js";

const every = 1000;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Previews {
  #tiles;
  #ending = null;

  // `tiles` gives the tiles by their members' ids.
  constructor(tiles) {
    this.#tiles = tiles;
  }

  start() {
    if (this.#ending !== null) return;
    this.#ending = new AbortController();
    this.#run(this.#ending.signal);
  }

  stop() {
    this.#ending?.abort();
    this.#ending = null;
  }

  async #run(signal) {
    while (!signal.aborted) {
      const began = performance.now();
      for (const [id, tile] of this.#tiles()) {
        if (signal.aborted || !tile.needsPreview) continue;
        const blob = await hub.preview(id, signal).catch(() => null);
        if (!signal.aborted && tile.needsPreview) await tile.showPreview(blob);
      }
      await pause(Math.max(50, every - (performance.now() - began)));
    }
  }
}
