// Which rendition of the live picture is watched.

import { element, make, show } from "./dom.js";

// For so long one that can't be had is not taken by itself.
const refusedFor = 30_000;

export class Choice {
  #list = [];
  #fullRate = null;
  #refusedAt = -Infinity;
  #changed;

  // A name, or nothing for the full picture.
  name = "";

  // `changed` is called when another one is chosen by hand, or the present one is not offered any more.
  constructor(changed) {
    this.#changed = changed;
    element("rendition").addEventListener("change", () => {
      this.name = element("rendition").value;
      changed();
    });
  }

  // Shows what there is to choose from, if there is a choice.
  offer(list, video, isShown) {
    this.#fullRate = video?.targetBps ?? null;
    show(element("choosing"), isShown && list.length > 0);
    if (JSON.stringify(list) === JSON.stringify(this.#list)) return;
    this.#list = list;
    const isGone = this.name !== "" && !list.some(({ name }) => name === this.name);
    const options = list.map(({ name, width, height }) => [name, `${name}, ${width} × ${height}`]);
    element("rendition").replaceChildren(...[["", "Full picture"], ...options].map(([name, text]) => {
      const option = make("option", "", text);
      option.value = name;
      return option;
    }));
    this.#select(isGone ? "" : this.name);
    if (isGone) this.#changed();
  }

  #select(name) {
    this.name = name;
    element("rendition").value = name;
  }

  // Takes the smallest one instead of the full picture. Returns its name, or null if there is none.
  shrink(now) {
    const smallest = this.#list.at(-1);
    if (this.name !== "" || !smallest || smallest.targetBps >= this.#fullRate) return null;
    if (now - this.#refusedAt < refusedFor) return null;
    this.#select(smallest.name);
    return smallest.name;
  }

  // It can't be had: takes the full picture. Returns whether that is another one.
  giveUp(now) {
    const isOther = this.name !== "";
    this.#refusedAt = now;
    this.#select("");
    return isOther;
  }
}
