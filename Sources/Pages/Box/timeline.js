// Draws the history, with a text version next to it.

import { element, make, makeSVG, setText } from "./dom.js";
import { place, range, rows, stretches, sums, ticks } from "./stretches.js";
import * as words from "./words.js";

const rowHeight = 42;
const barTop = 20;
const barHeight = 16;

let drawn = { history: null, end: 0, width: 0 };

// Draws again as soon as something has changed, or the last stretch has become longer by a point.
export function showHistory(status) {
  const now = Date.parse(status.at);
  const width = Math.floor(element("past").clientWidth - 34);
  if (width < 50 || !Number.isFinite(now)) return;
  const history = JSON.stringify([status.history, status.losses?.map(({ id, lostMs, ...loss }) => loss)]);
  const all = stretches(status.history, status.losses, now);
  const whole = range(all, now);
  const end = Math.floor((now / (whole.to - whole.from)) * width);
  if (history === drawn.history && width === drawn.width && end === drawn.end) return;
  if (history !== drawn.history) list(all);
  drawn = { history, end, width };
  draw(all, whole, width);
  setText(element("past-summary"), summary(all));
}

function draw(all, whole, width) {
  const lanes = rows(all);
  const height = lanes.length * rowHeight + 20;
  const picture = element("time-line");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("height", height);
  const parts = ticks(whole, Math.max(2, Math.floor(width / 90))).flatMap((at) => tick(at, whole, width, height));
  const everybody = lanes[0].stretches;
  lanes.forEach((lane, index) => {
    const top = index * rowHeight;
    const name = makeSVG("text", { x: 0, y: top + 13 });
    name.textContent = lane.output ?? "Broadcast";
    const track = { class: "track", x: 0.5, y: top + barTop, width: width - 1, height: barHeight };
    parts.push(name, makeSVG("rect", track));
    // What applies to the broadcast applies to each output.
    const own = lane.output === null ? [] : lane.stretches;
    const bars = [...everybody, ...own].sort((a, b) => (a.kind === "gap") - (b.kind === "gap"));
    parts.push(...bars.map((stretch) => bar(stretch, whole, width, top)).filter((part) => part !== null));
  });
  picture.replaceChildren(...parts);
}

function tick(at, whole, width, height) {
  const x = Math.round(((at - whole.from) / (whole.to - whole.from)) * width);
  const label = makeSVG("text", { x: x + 4, y: height - 4 });
  label.textContent = words.timeOfDay(at, at % 60_000 !== 0);
  const line = makeSVG("line", { class: "tick", x1: x, x2: x, y1: barTop, y2: height });
  return x < width - (label.textContent.length > 5 ? 58 : 38) ? [line, label] : [line];
}

function bar(stretch, whole, width, top) {
  const there = place(stretch, whole);
  if (there === null) return null;
  const shapes = {
    live: { y: 0, height: barHeight, least: 1 },
    interrupted: { y: barHeight / 4, height: barHeight / 2, least: 2 },
    gap: { y: -4, height: barHeight + 8, least: 3 },
    backgrounded: { y: barHeight * 0.4, height: barHeight / 5, least: 1 },
  };
  const shape = Object.hasOwn(shapes, stretch.kind) ? shapes[stretch.kind] : null;
  if (shape === null) return null;
  const wide = Math.max(shape.least, (there.end - there.start) * width);
  const x = Math.min(there.start * width, width - wide);
  return makeSVG("rect", {
    class: stretch.kind, x: x.toFixed(1), y: top + barTop + shape.y, width: wide.toFixed(1), height: shape.height,
  });
}

function list(all) {
  element("past-list").replaceChildren(...all.toReversed().map((stretch) => {
    const item = make("li");
    const from = words.timeOfDay(stretch.from);
    item.append(
      make("time", "", stretch.lasts ? `since ${from}` : `${from} – ${words.timeOfDay(stretch.to)}`),
      make("span", "", line(stretch)));
    return item;
  }));
}

function line(stretch) {
  const length = stretch.lasts ? "" : ` ${words.duration(stretch.to - stretch.from)}`;
  const where = stretch.output == null ? "" : ` at ${stretch.output}`;
  const cause = stretch.kind === "live" ? null : words.causeWord(stretch.cause);
  return words.capital(`${words.kindWord(stretch.kind)}${length}${where}${cause ? `: ${cause}` : ""}`);
}

function summary(all) {
  if (all.length === 0) return "Nothing yet.";
  const parts = Object.entries(sums(all)).map(([kind, { count, ms }]) => {
    const times = kind === "live" ? "" : count === 1 ? " once" : ` ${count} times`;
    return `${words.kindWord(kind)}${times}, ${words.duration(ms)}${times ? " in all" : ""}`;
  });
  return `Since ${words.timeOfDay(all[0].from, false)}: ${parts.join("; ")}.`;
}
