// What the timeline shows, as numbers. Nothing here touches the page.

const shortest = 2 * 60_000;
const longest = 6 * 3_600_000;
const steps = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 15 * 60_000, 30 * 60_000, 3_600_000, 2 * 3_600_000];

// The history with times as numbers, oldest first, without invalid entries.
export function stretches(history, now) {
  return (history ?? [])
    .map((entry) => ({
      ...entry, from: Date.parse(entry.from), to: entry.to ? Date.parse(entry.to) : now, lasts: !entry.to,
    }))
    .filter((entry) => Number.isFinite(entry.from) && Number.isFinite(entry.to) && entry.to >= entry.from)
    .sort((a, b) => a.from - b.from);
}

// The time range shown: from the first entry, with room for later ones, at most six hours.
export function range(all, now) {
  const first = all.length > 0 ? all[0].from : now;
  const length = Math.min(longest, Math.max(shortest, (now - first) * 1.05));
  const from = Math.max(first, now - length);
  return { from, to: from + length };
}

// Where the labels go: at round times, `count` at most.
export function ticks({ from, to }, count) {
  const step = steps.find((step) => (to - from) / step <= count) ?? steps.at(-1);
  // Rounded in the local time zone.
  const zone = new Date(from).getTimezoneOffset() * 60_000;
  const times = [];
  for (let at = Math.ceil((from - zone) / step) * step + zone; at <= to; at += step) times.push(at);
  return times;
}

// A stretch's place as shares of the whole range, or null if it is outside.
export function place(stretch, { from, to }) {
  if (stretch.to < from || stretch.from > to) return null;
  const share = (at) => (Math.min(to, Math.max(from, at)) - from) / (to - from);
  return { start: share(stretch.from), end: share(stretch.to) };
}

// The rows: first the broadcast itself, then each output with gaps of its own.
export function rows(all) {
  const outputs = [...new Set(all.map((stretch) => stretch.output).filter((id) => id != null))];
  return [null, ...outputs].map((output) => ({
    output,
    stretches: all.filter((stretch) => (stretch.output ?? null) === output),
  }));
}

// The count and the total length of each kind, in milliseconds.
export function sums(all) {
  const sums = {};
  for (const { kind, from, to } of all) {
    sums[kind] ??= { count: 0, ms: 0 };
    sums[kind].count += 1;
    sums[kind].ms += to - from;
  }
  return sums;
}
