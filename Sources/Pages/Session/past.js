// Shows what has happened since the page was opened: a lane for each member, and a line for each event.

import { dense, drawLanes } from "./chart.js";
import { make, setText } from "./dom.js";
import { part } from "./gate.js";
import { timeOfDay } from "./phrases.js";
import { range } from "./stretches.js";

const mostLines = 500;

export class Past {
  #history;
  #drawn = "";

  constructor(history) {
    this.#history = history;
    setText(part("past-summary"), `Since this page was opened, at ${timeOfDay(history.begun)}.`);
  }

  show(now) {
    const width = Math.floor(part("past").clientWidth - 34);
    if (width < 50) return;
    const lanes = this.#history.lanes(now);
    const all = lanes.flatMap(({ stretches }) => stretches);
    const whole = range([{ from: this.#history.begun }], now);
    const end = Math.floor((now / (whole.to - whole.from)) * width);
    const drawn = JSON.stringify([width, end, lanes.map(({ name }) => name),
      all.map(({ kind, from, to, lasts }) => [kind, from, lasts ? null : to])]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    drawLanes(part("time-line"), lanes, whole, width, dense);
  }

  add(text, now) {
    const list = part("past-list");
    const item = make("li");
    item.append(make("time", "", timeOfDay(now)), make("span", "", text));
    list.prepend(item);
    while (list.children.length > mostLines) list.lastChild.remove();
  }
}
