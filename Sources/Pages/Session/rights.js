// Who may do what in a session. Nothing here touches the page.

const participant = ["see", "renameSelf", "muteSelf", "ready", "sendEvent", "leave"];
const manager = [...participant, "renameOthers", "muteOthers", "remove", "lockScreens"];
const host = [
  ...manager, "readmit", "lock", "setPassword", "setTime", "transferHost", "makeManagers", "goOnAir", "end",
];

const permissions = { participant, manager, host };

// The user of the hub's own machine has the host's rights in any role.
export const rights = (role, isLocal) => (isLocal ? host : permissions[role] ?? []);

// What may be done with a member, as commands: `me` is the id of who asks.
export function commandsFor(member, { me, mine, host: hostID, mayReclaim = [] }) {
  const may = (right) => mine.includes(right);
  const isMe = member.id === me;
  const list = [];
  if (may(isMe ? "renameSelf" : "renameOthers")) list.push("rename");
  const isShown = member.kind !== "person";
  for (const track of ["audio", "video"]) {
    const [isOwn, isOthers] = [member.mutedBySelf.includes(track), member.mutedByOthers.includes(track)];
    if (isMe) {
      if (may("muteSelf") && (isOwn || isOthers)) list.push(`unmute-${track}`);
      continue;
    }
    if (!may("muteOthers")) continue;
    if (isOthers) list.push(`unmute-${track}`);
    else if (isShown) list.push(`mute-${track}`);
    if (isOwn && !isOthers) list.push(`ask-${track}`);
  }
  if (isMe) return list;
  if (member.kind !== "programme") {
    if (may("transferHost") && member.id !== hostID) list.push("host");
    if (may("makeManagers") && member.role === "participant") list.push("manager");
    if (may("makeManagers") && member.role === "manager") list.push("revoke");
  }
  if (may("remove") && member.id !== hostID && !mayReclaim.includes(member.id)) list.push("remove");
  return list;
}
