// Draws stretches of time as bars, a lane for each of several rows, and lists them as text.

import { make, makeSVG } from "./dom.js";
import { capital, causeWord, duration, kindWord, timeOfDay } from "./phrases.js";
import { place, sums, ticks } from "./stretches.js";

// A few lanes have their names above the bars, many have them beside.
export const roomy = { row: 42, top: 20, bar: 16, left: 0 };
export const dense = { row: 22, top: 5, bar: 12, left: 110 };
const letter = 7;

// Each lane has a name and its stretches.
export function drawLanes(picture, lanes, whole, width, form) {
  const height = lanes.length * form.row + 20;
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("height", height);
  const parts = ticks(whole, Math.max(2, Math.floor((width - form.left) / 90)))
    .flatMap((at) => tick(at, whole, width, height, form));
  lanes.forEach(({ name, stretches }, index) => {
    const top = index * form.row;
    const label = makeSVG("text", { x: 0, y: top + (form.left > 0 ? form.top + form.bar - 2 : 13) });
    label.textContent = form.left > 0 ? shortened(name, Math.floor(form.left / letter)) : name;
    const track = {
      class: "track", x: form.left + 0.5, y: top + form.top, width: width - form.left - 1, height: form.bar,
    };
    parts.push(label, makeSVG("rect", track));
    // Gaps are over all others.
    const bars = stretches.toSorted((a, b) => (a.kind === "gap") - (b.kind === "gap"));
    parts.push(...bars.map((stretch) => bar(stretch, whole, width, top, form)).filter((part) => part !== null));
  });
  picture.replaceChildren(...parts);
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function tick(at, whole, width, height, { left, top }) {
  const x = left + Math.round(((at - whole.from) / (whole.to - whole.from)) * (width - left));
  const label = makeSVG("text", { x: x + 4, y: height - 4 });
  label.textContent = timeOfDay(at, at % 60_000 !== 0);
  const line = makeSVG("line", { class: "tick", x1: x, x2: x, y1: top, y2: height });
  return x < width - (label.textContent.length > 5 ? 58 : 38) ? [line, label] : [line];
}

function bar(stretch, whole, width, top, form) {
  const there = place(stretch, whole);
  if (there === null) return null;
  const high = form.bar;
  const shapes = {
    live: { y: 0, height: high, least: 1 },
    interrupted: { y: high / 4, height: high / 2, least: 2 },
    gap: { y: -high / 4, height: high * 1.5, least: 3 },
    backgrounded: { y: high * 0.4, height: high / 5, least: 1 },
    present: { y: high * 0.4, height: high / 5, least: 1 },
    away: { y: 0, height: high, least: 2 },
  };
  const shape = Object.hasOwn(shapes, stretch.kind) ? shapes[stretch.kind] : null;
  if (shape === null) return null;
  const room = width - form.left;
  const wide = Math.max(shape.least, (there.end - there.start) * room);
  const x = form.left + Math.min(there.start * room, room - wide);
  return makeSVG("rect", {
    class: stretch.kind, x: x.toFixed(1), y: top + form.top + shape.y, width: wide.toFixed(1), height: shape.height,
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
