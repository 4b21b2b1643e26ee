// The session as the page knows it: the hub's last state, and what has happened since. Nothing here touches the page.

const flags = {
  locked: { locked: true }, unlocked: { locked: false },
  screensLocked: { screensLocked: true }, screensUnlocked: { screensLocked: false },
};

// A state from the hub. Statistics that it leaves out stay as they were.
export function adopt(old, fresh, now) {
  const known = new Map((old?.members ?? []).map((member) => [member.id, member]));
  const members = (fresh.members ?? []).map((member) => ({
    ...member, statistics: member.statistics ?? known.get(member.id)?.statistics ?? null,
  }));
  const empty = {
    host: null, locked: false, screensLocked: false, hasPassword: false, speaker: null, stage: [], onAir: null,
    timer: { startedAt: null, endsAt: null, secondsLeft: null }, mayReclaim: [], away: [], removed: [],
  };
  return withSharing(old, { ...empty, ...fresh, members, ahead: Date.parse(fresh.at) - now });
}

// Who shares a screen, in the order in which this page has seen it: the newest is last.
function withSharing(old, state) {
  const sharing = state.members.filter(({ sharesScreen }) => sharesScreen).map(({ id }) => id);
  const kept = (old?.sharing ?? []).filter((id) => sharing.includes(id));
  return { ...state, sharing: [...kept, ...sharing.filter((id) => !kept.includes(id))] };
}

const union = (list, more) => [...new Set([...list, ...more])];
const without = (list, less) => list.filter((one) => !less.includes(one));

const muteField = (by) => (by === "self" ? "mutedBySelf" : "mutedByOthers");

function muted(member, { tracks, by }, change) {
  const next = { ...member, [muteField(by)]: change(member[muteField(by)], tracks) };
  return { ...next, muted: union(next.mutedBySelf, next.mutedByOthers) };
}

// What an event changes of its member, or nothing.
const ofMember = {
  renamed: (member, { name }) => ({ ...member, name }),
  muted: (member, event) => muted(member, event, union),
  unmuted: (member, event) => ({
    ...muted(member, event, without),
    unmuteAsked: event.by === "self" ? without(member.unmuteAsked, event.tracks) : member.unmuteAsked,
  }),
  unmuteAsked: (member, { tracks }) => ({ ...member, unmuteAsked: union(member.unmuteAsked, tracks) }),
  unmuteDeclined: (member) => ({ ...member, unmuteAsked: [] }),
  ready: (member) => ({ ...member, ready: true }),
  managerMade: (member) => ({ ...member, role: member.role === "host" ? "host" : "manager" }),
  managerRevoked: (member) => ({ ...member, role: member.role === "host" ? "host" : "participant" }),
  reported: (member, { state, lacks, small, muted: reportedMuted, silent, sharesScreen }) => ({
    ...member,
    ...Object.fromEntries(Object.entries({ state, lacks, small, reportedMuted, silent, sharesScreen })
      .filter(([, value]) => value !== undefined)),
  }),
};

// The state after an event, and whether the hub has to be asked for the rest.
export function fold(state, event) {
  const { event: name } = event;
  if (Object.hasOwn(flags, name)) return { state: { ...state, ...flags[name] }, asks: false };
  if (Object.hasOwn(ofMember, name)) {
    const isKnown = state.members.some(({ id }) => id === event.member);
    const members = state.members
      .map((member) => (member.id === event.member ? ofMember[name](member, event) : member));
    return { state: withSharing(state, { ...state, members }), asks: !isKnown };
  }
  switch (name) {
  case "speaker": return { state: { ...state, speaker: event.member }, asks: false };
  case "stage": {
    const changed = new Map(event.grids.map((grid) => [grid.capacity, grid]));
    const stage = state.stage.map((grid) => changed.get(grid.capacity) ?? grid);
    return { state: { ...state, stage }, asks: stage.length === 0 };
  }
  case "timer": {
    const { startedAt, endsAt, secondsLeft } = event;
    return { state: { ...state, timer: { startedAt, endsAt, secondsLeft } }, asks: false };
  }
  case "passwordChanged": return { state: { ...state, hasPassword: event.isSet }, asks: false };
  case "onAir": {
    const { job, state: is, reason } = event;
    const isKnown = state.onAir?.job === job;
    return { state: { ...state, onAir: { ...(isKnown ? state.onAir : {}), job, state: is, reason } }, asks: !isKnown };
  }
  case "left":
  case "removed": {
    const members = state.members.filter(({ id }) => id !== event.member);
    return { state: withSharing(state, { ...state, members }), asks: true };
  }
  case "event": return { state, asks: false };
  default: return { state, asks: true };
  }
}

// The number of seconds until the session's end, or null without one.
export function secondsLeft(state, now) {
  const end = state.timer.endsAt;
  return end === null ? null : (Date.parse(end) - now - state.ahead) / 1000;
}

// The grid of a capacity: rows, columns and places.
export const grid = (state, capacity) => state.stage.find((one) => one.capacity === capacity)
  ?? { capacity, rows: 1, columns: 1, places: [] };
