// Draws the history, with a text version next to it.

import { drawLanes, listStretches, roomy, summary } from "./chart.js";
import { element, setText } from "./dom.js";
import { range, rows, stretches } from "./stretches.js";

let drawn = { history: null, end: 0, width: 0 };

// Draws again as soon as something has changed, or the last stretch has become longer by a point.
export function showHistory(status) {
  const now = Date.parse(status.at);
  const width = Math.floor(element("past").clientWidth - 34);
  if (width < 50 || !Number.isFinite(now)) return;
  // What a tile lacks, the broadcast does not.
  const losses = status.losses?.filter(({ member }) => member == null);
  const history = JSON.stringify([status.history, losses?.map(({ id, lostMs, ...loss }) => loss)]);
  const all = stretches(status.history, losses, now);
  const whole = range(all, now);
  const end = Math.floor((now / (whole.to - whole.from)) * width);
  if (history === drawn.history && width === drawn.width && end === drawn.end) return;
  if (history !== drawn.history) listStretches(element("past-list"), all);
  drawn = { history, end, width };
  drawLanes(element("time-line"), lanes(all), whole, width, roomy);
  setText(element("past-summary"), summary(all));
}

// What applies to the broadcast applies to each output.
function lanes(all) {
  const [{ stretches: everybody }, ...outputs] = rows(all);
  return [
    { name: "Broadcast", stretches: everybody },
    ...outputs.map(({ output, stretches }) => ({ name: output, stretches: [...everybody, ...stretches] })),
  ];
}
