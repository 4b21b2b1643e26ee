// What has happened to each member since the page was opened, as stretches of time. Nothing here touches the page.

const longestMemory = 6 * 3_600_000;

const silence = "nothing was heard of it";
const departures = { left: "it left", expired: "nothing was heard of it any more", removed: "it was removed" };

// How it is with a member that is in the session.
function condition(member) {
  if (member.silent) return { kind: "gap", cause: silence };
  if (member.state === "live") return { kind: "live", cause: null };
  if (member.state === "interrupted") return { kind: "interrupted", cause: null };
  return { kind: "present", cause: member.kind === "person" ? null : member.state };
}

// Whether media of a live member is being lost now.
const isLosing = ({ state, statistics }) => state === "live" && statistics?.losing > 0;

function lossCause({ statistics: { causes = [] } }) {
  return causes.length > 0 ? `media is being lost (${causes.join(", ")})` : "media is being lost";
}

export class History {
  // By member: the name, and the stretches of its condition and of its losses, oldest first; the last may last.
  #members = new Map();
  #begun;

  constructor(now) {
    this.#begun = now;
  }

  get begun() {
    return this.#begun;
  }

  observe(state, now) {
    const present = new Map(state.members.map((member) => [member.id, member]));
    const away = new Map(state.away.map((member) => [member.id, member]));
    for (const member of present.values()) {
      const known = this.#known(member.id);
      known.name = member.name;
      this.#go(known.conditions, condition(member), now);
      this.#go(known.losses, isLosing(member) ? { kind: "gap", cause: lossCause(member) } : null, now);
    }
    for (const [id, known] of this.#members) {
      if (present.has(id)) continue;
      const why = away.get(id)?.why;
      this.#go(known.conditions, { kind: "away", cause: departures[why] ?? null }, now);
      this.#go(known.losses, null, now);
    }
  }

  #known(id) {
    if (!this.#members.has(id)) this.#members.set(id, { name: id, conditions: [], losses: [] });
    return this.#members.get(id);
  }

  // The cause of what lasts may be learnt later.
  #go(stretches, next, now) {
    const last = stretches.at(-1);
    const lasts = last !== undefined && last.to === null;
    if (lasts && next !== null && last.kind === next.kind) {
      last.cause = next.cause ?? last.cause;
      return;
    }
    if (lasts) last.to = now;
    if (next !== null) stretches.push({ ...next, from: now, to: null });
    while (stretches.length > 0 && stretches[0].to !== null && stretches[0].to < now - longestMemory) stretches.shift();
  }

  // A lane for each member, with the stretches until now.
  lanes(now) {
    return [...this.#members].map(([id, { name, conditions, losses }]) => ({
      id, name,
      stretches: [...conditions, ...losses].map((stretch) => ({
        ...stretch, member: name, to: stretch.to ?? now, lasts: stretch.to === null,
      })),
    }));
  }
}
