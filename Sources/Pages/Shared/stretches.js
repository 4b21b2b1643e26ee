// What the timeline shows, as numbers. Nothing here touches the page.

const shortest = 2 * 60_000;
const longest = 6 * 3_600_000;
const steps = [30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 15 * 60_000, 30 * 60_000, 3_600_000, 2 * 3_600_000];

// The history and the losses in progress with times as numbers, oldest first, without invalid entries.
export function stretches(history, losses, now) {
  const isPaused = history?.some(({ kind, to }) => kind === "interrupted" && !to);
  const lasting = (losses ?? []).filter(({ output }) => output != null || !isPaused)
    .map(({ wallFrom, cause, output }) => ({ kind: "gap", from: wallFrom, to: null, cause, output }));
  return [...(history ?? []), ...lasting]
    .map((entry) => {
      const from = Date.parse(entry.from);
      return { ...entry, from, to: entry.to ? Date.parse(entry.to) : Math.max(now, from), lasts: !entry.to };
    })
    .filter((entry) => Number.isFinite(entry.from) && Number.isFinite(entry.to) && entry.to >= entry.from)
    .sort((a, b) => a.from - b.from);
}

const begins = { live: "live", resumed: "live", interrupted: "interrupted", backgrounded: "backgrounded" };
const finishes = ["starting", "previewing", "ended"];

// The status with its history as it is after an event, until the next status arrives.
export function follow(status, { event, at, cause = null, id, output = null, wallFrom, wallTo, lostMs }) {
  const history = status.history ?? [];
  const losses = (status.losses ?? []).filter((loss) => loss.id !== id);
  const closed = () => history.map((entry) => (entry.to ? entry : { ...entry, to: at }));
  if (Object.hasOwn(begins, event)) {
    const last = history.at(-1);
    if (last && !last.to && last.kind === begins[event]) return status;
    return { ...status, at, history: [...closed(), { kind: begins[event], from: at, to: null, cause, output: null }] };
  }
  if (finishes.includes(event)) return { ...status, at, history: closed(), losses: [] };
  if (event === "losing") {
    const longest = Math.max(0, ...Object.values(lostMs ?? {}));
    return { ...status, at, losses: [...losses, { id, cause, output, wallFrom, lostMs: longest }] };
  }
  if (event !== "gap") return status;
  const isKnown = history.some((entry) => entry.kind === "gap" && entry.from === wallFrom && entry.output === output);
  const isPause = output === null && history.some(({ kind, from, to }) =>
    kind === "interrupted" && from < wallTo && wallFrom < (to ?? wallTo));
  const gap = { kind: "gap", from: wallFrom, to: wallTo, cause, output };
  return { ...status, at, losses, history: isKnown || isPause ? history : [...history, gap] };
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
