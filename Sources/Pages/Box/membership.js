// What a status says of the session of several boxes that the broadcast is in. Nothing here touches the page.

// How long no hub must have answered until what others muted may be unmuted here, in milliseconds.
const lease = 20_000;
// A hub that misses one request is not away.
const patience = 10_000;

const leavable = ["joining", "joined", "absent", "passwordNeeded", "refused", "removed", "hubAway"];

export const mayLeave = ({ session }) => session != null && leavable.includes(session.state);

// How long no hub has answered, in milliseconds.
export const silence = ({ session, at }) => Math.max(0, Date.parse(at) - Date.parse(session.lastHeard));

// The state that is shown: a member whose hub has just missed a request still is in the session.
export function shownState(status) {
  const { state, member } = status.session;
  return state === "hubAway" && member != null && silence(status) < patience ? "joined" : state;
}

// The tracks that others mute.
export const heldTracks = ({ session }) =>
  (session?.mutedByOthers ?? []).filter((kind) => session.muted.includes(kind));

// Who may unmute what others muted: its host and managers do so themselves, anyone may without a hub.
export function unmuting(status) {
  if (["host", "manager"].includes(status.session.role)) return "role";
  return silence(status) >= lease ? "alone" : "others";
}

// How many seconds the session lasts, or null without a limit.
export function secondsLeft({ session, at }) {
  return session?.endsAt == null ? null : (Date.parse(session.endsAt) - Date.parse(at)) / 1000;
}

// The name in a session's address, and its hub.
export function place(url) {
  try {
    const { protocol, host, origin, pathname } = new URL(url);
    const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
    return { name, hub: protocol === "https:" ? host : origin };
  } catch {
    return { name: String(url), hub: "" };
  }
}
