// Draws stretches of time as bars, a lane for each of several rows, and lists them as text.

import { make, makeSVG } from "./dom.js";
import { capital, causeWord, duration, kindWord, timeOfDay } from "./phrases.js";
import { place, sums, ticks } from "./stretches.js";

const rowHeight = 42;
const barTop = 20;
const barHeight = 16;

// Each lane has a name and its stretches.
export function drawLanes(picture, lanes, whole, width) {
  const height = lanes.length * rowHeight + 20;
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("height", height);
  const parts = ticks(whole, Math.max(2, Math.floor(width / 90))).flatMap((at) => tick(at, whole, width, height));
  lanes.forEach(({ name, stretches }, index) => {
    const top = index * rowHeight;
    const label = makeSVG("text", { x: 0, y: top + 13 });
    label.textContent = name;
    const track = { class: "track", x: 0.5, y: top + barTop, width: width - 1, height: barHeight };
    parts.push(label, makeSVG("rect", track));
    // Gaps are over all others.
    const bars = stretches.toSorted((a, b) => (a.kind === "gap") - (b.kind === "gap"));
    parts.push(...bars.map((stretch) => bar(stretch, whole, width, top)).filter((part) => part !== null));
  });
  picture.replaceChildren(...parts);
}

function tick(at, whole, width, height) {
  const x = Math.round(((at - whole.from) / (whole.to - whole.from)) * width);
  const label = makeSVG("text", { x: x + 4, y: height - 4 });
  label.textContent = timeOfDay(at, at % 60_000 !== 0);
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
    present: { y: barHeight * 0.4, height: barHeight / 5, least: 1 },
    away: { y: 0, height: barHeight, least: 2 },
  };
  const shape = Object.hasOwn(shapes, stretch.kind) ? shapes[stretch.kind] : null;
  if (shape === null) return null;
  const wide = Math.max(shape.least, (there.end - there.start) * width);
  const x = Math.min(there.start * width, width - wide);
  return makeSVG("rect", {
    class: stretch.kind, x: x.toFixed(1), y: top + barTop + shape.y, width: wide.toFixed(1), height: shape.height,
  });
}

// Newest first.
export function listStretches(list, all) {
  list.replaceChildren(...all.toReversed().map((stretch) => {
    const item = make("li");
    const from = timeOfDay(stretch.from);
    item.append(
      make("time", "", stretch.lasts ? `since ${from}` : `${from} – ${timeOfDay(stretch.to)}`),
      make("span", "", line(stretch)));
    return item;
  }));
}

function line(stretch) {
  const length = stretch.lasts ? "" : ` ${duration(stretch.to - stretch.from)}`;
  const where = stretch.output == null ? "" : ` at ${stretch.output}`;
  const cause = stretch.kind === "live" ? null : causeWord(stretch.cause);
  return capital(`${kindWord(stretch.kind)}${length}${where}${cause ? `: ${cause}` : ""}`);
}

export function summary(all) {
  if (all.length === 0) return "Nothing yet.";
  const parts = Object.entries(sums(all)).map(([kind, { count, ms }]) => {
    const times = kind === "live" ? "" : count === 1 ? " once" : ` ${count} times`;
    return `${kindWord(kind)}${times}, ${duration(ms)}${times ? " in all" : ""}`;
  });
  return `Since ${timeOfDay(all[0].from, false)}: ${parts.join("; ")}.`;
}
