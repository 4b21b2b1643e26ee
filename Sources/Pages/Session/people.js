// Lists who is in the session, and does what may be done with each of them.

import { act, isSure } from "./acts.js";
import { make, makeSVG, setFacts, setText, show } from "./dom.js";
import { part } from "./gate.js";
import * as hub from "./hub.js";
import { roleWord, timeOfDay, trackNames } from "./phrases.js";
import { commandsFor } from "./rights.js";
import { figures, memberState, troubles } from "./terms.js";

const order = { host: 0, manager: 1, participant: 2 };
const departures = { left: "Left", expired: "Lost contact" };

const commandWords = {
  "mute-audio": "Mute sound", "unmute-audio": "Unmute sound", "ask-audio": "Ask to unmute sound",
  "mute-video": "Mute picture", "unmute-video": "Unmute picture", "ask-video": "Ask to unmute picture",
  host: "Make host…", manager: "Make manager", revoke: "No longer manager", remove: "Remove…",
};

const microphone = "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0ZM5 11a7 7 0 0 0 14 0M12 18v4";

const questions = {
  host: (name) => ({
    heading: `Make ${name} host?`,
    text: "You hand your role over, and can’t take it back by yourself.", yes: "Make host",
  }),
  remove: (name) => ({
    heading: `Remove ${name}?`,
    text: "Its output at the session closes; its recording and other outputs go on. "
      + "It can’t come back until the host readmits it.",
    yes: "Remove",
  }),
};

// What is sent for a command on a member.
function request(command, target) {
  const [word, track] = command.split("-");
  if (track === undefined) return hub.command(word, { target });
  return hub.command(word === "mute" ? "mute" : "unmute", { target, tracks: [track] });
}

export class People {
  #view = null;
  // The member whose dialog is open.
  #open = null;
  #renameParts = [...part("rename-form").childNodes];

  constructor() {
    part("member-close").addEventListener("click", () => part("member-dialog").close());
    part("member-dialog").addEventListener("close", () => { this.#open = null; });
    part("rename-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#rename();
    });
    for (const track of ["audio", "video"]) {
      const button = part(`mute-all-${track}`);
      button.addEventListener("click", () => act(button, () => hub.command("mute-all", { tracks: [track] })));
    }
    part("ready").addEventListener("click", () => act(part("ready"), () => hub.command("ready")));
  }

  // `view` has the state, the id of the viewer, and its rights.
  show(view) {
    this.#view = view;
    const { state, me } = view;
    const members = state.members.toSorted((a, b) =>
      (b.id === me) - (a.id === me) || order[a.role] - order[b.role] || (a.kind > b.kind) - (a.kind < b.kind));
    setText(part("people-heading"), `Members (${members.length})`);
    this.#list(part("member-list"), members,
      ({ id }) => this.#makeRow(id), (row, member) => this.#showRow(row, member));
    const gone = state.away.filter(({ why }) => why !== "removed");
    show(part("away"), gone.length > 0);
    this.#list(part("away-list"), gone, () => makeAwayRow(), showAwayRow);
    show(part("removed"), state.removed.length > 0);
    this.#list(part("removed-list"), state.removed, ({ id }) => makeRemovedRow(id), showRemovedRow);
    const isReady = members.find(({ id }) => id === me)?.ready === true;
    part("ready").setAttribute("aria-pressed", isReady);
    this.#showDialog();
  }

  close() {
    part("member-dialog").close();
  }

  // Rows stay in place as long as they are of the same member, to keep the focus.
  #list(list, members, makeRow, showRow) {
    const known = new Map([...list.children].map((row) => [row.dataset.id, row]));
    const rows = members.map((member) => {
      const row = known.get(member.id) ?? makeRow(member);
      row.dataset.id = member.id;
      showRow(row, member);
      return row;
    });
    for (const row of known.values()) if (!rows.includes(row)) row.remove();
    rows.forEach((row, index) => row !== list.children[index] && list.insertBefore(row, list.children[index] ?? null));
  }

  #makeRow(id) {
    const row = make("li", "member");
    const button = make("button", "member-button");
    button.addEventListener("click", () => this.#openDialog(id));
    const [first, second] = [make("span", "member-first"), make("span", "member-second")];
    first.append(make("span", "member-name"), make("span", "chip"));
    second.append(make("span", "condition"), make("span", "member-figures"), make("span", "member-marks"));
    button.append(first, second);
    row.append(button, quickMute(id));
    return row;
  }

  #showRow(row, member) {
    const { me, state } = this.#view;
    const [name, chip] = row.querySelector(".member-first").children;
    setText(name, member.id === me ? `${member.name} (you)` : member.name);
    setText(chip, member.role === "participant" ? "" : roleWord(member.role));
    const [condition, figuresNode, marks] = row.querySelector(".member-second").children;
    const { text, tone } = memberState(member);
    condition.className = `condition ${tone}`;
    setText(condition, text);
    setText(figuresNode, figures(member).filter(([key]) => key === "Bitrate").map(([, value]) => value).join(""));
    const said = [
      member.muted.length > 0 ? `${trackNames(member.muted)} muted` : "",
      member.sharesScreen ? "shares a screen" : "", member.ready ? "ready" : "",
      state.speaker === member.id ? "speaking" : "",
      ...troubles(member).filter(({ word }) => word !== text).map(({ word }) => word.toLowerCase()),
    ].filter(Boolean).join(", ");
    setText(marks, said);
    row.classList.toggle("troubled", troubles(member).length > 0);
    const commands = this.#commands(member);
    const quick = row.querySelector(".quick");
    const isMute = commands.includes("mute-audio");
    const command = isMute ? "mute-audio" : ["unmute-audio", "ask-audio"].find((one) => commands.includes(one));
    if (command === undefined || member.id === me) {
      quick?.remove();
      return;
    }
    if (quick === null) row.append(quickMute(member.id));
    const button = row.querySelector(".quick");
    button.dataset.command = command;
    button.setAttribute("aria-pressed", !isMute);
    button.querySelector("path").setAttribute("d", isMute ? microphone : `${microphone}M3 3l18 18`);
    button.ariaLabel = `${commandWords[command]} of ${member.name}`;
    button.title = commandWords[command];
  }

  #commands(member) {
    const { state, me, rights } = this.#view;
    return commandsFor(member, { me, mine: rights, host: state.host, mayReclaim: state.mayReclaim });
  }

  #openDialog(id) {
    this.#open = id;
    part("new-name").value = this.#view.state.members.find((member) => member.id === id)?.name ?? "";
    setText(part("member-refusal"), "");
    this.#showDialog();
    part("member-dialog").showModal();
  }

  #showDialog() {
    if (this.#open === null) return;
    const member = this.#view.state.members.find(({ id }) => id === this.#open);
    if (member === undefined) {
      part("member-dialog").close();
      return;
    }
    setText(part("member-heading"), member.name);
    setText(part("member-line"), `${roleWord(member.role)}. ${memberState(member).text}.`);
    const heard = member.lastBeat === null ? [] : [["Last heard", timeOfDay(Date.parse(member.lastBeat))]];
    const muted = member.muted.length === 0 ? [] : [["Muted", mutedBy(member)]];
    setFacts(part("member-facts"), [...figures(member), ...heard, ...muted]);
    const sentences = troubles(member).map(({ text }) => text);
    part("member-troubles").replaceChildren(...sentences.map((text) => make("li", "condition bad", text)));
    const commands = this.#commands(member);
    this.#showRename(commands.includes("rename"));
    this.#showCommands(member, commands.filter((command) => command !== "rename"));
  }

  #showRename(isAllowed) {
    const form = part("rename-form");
    if (isAllowed !== form.hasChildNodes()) form.replaceChildren(...(isAllowed ? this.#renameParts : []));
  }

  #showCommands(member, commands) {
    const box = part("member-commands");
    const known = new Map([...box.children].map((button) => [button.dataset.command, button]));
    const hadFocus = box.contains(document.activeElement);
    const buttons = commands.map((command) => known.get(command) ?? this.#makeCommand(command));
    if (buttons.length === box.children.length && buttons.every((one, index) => one === box.children[index])) return;
    box.replaceChildren(...buttons);
    if (hadFocus && !box.contains(document.activeElement)) (buttons[0] ?? part("member-close")).focus();
  }

  #makeCommand(command) {
    const button = make("button", command === "remove" ? "danger" : "", commandWords[command]);
    button.dataset.command = command;
    button.addEventListener("click", async () => {
      const id = this.#open;
      const name = part("member-heading").textContent;
      if (Object.hasOwn(questions, command) && !(await isSure(questions[command](name)))) return;
      act(button, () => request(command, id), (text) => setText(part("member-refusal"), text ?? ""));
    });
    return button;
  }

  #rename() {
    const [target, name] = [this.#open, part("new-name").value.trim()];
    act(part("rename"), () => hub.command("rename", { target, name }),
      (text) => setText(part("member-refusal"), text ?? ""));
  }
}

function mutedBy({ muted, mutedBySelf, mutedByOthers }) {
  return muted.map((track) => {
    const who = [mutedBySelf.includes(track) ? "by itself" : "", mutedByOthers.includes(track) ? "by others" : ""];
    return `${trackNames([track])} ${who.filter(Boolean).join(" and ")}`;
  }).join(", ");
}

function quickMute(id) {
  const button = make("button", "quick");
  const sign = makeSVG("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  sign.append(makeSVG("path", { d: microphone }));
  button.append(sign);
  button.addEventListener("click", () => act(button, () => request(button.dataset.command, id)));
  return button;
}

function makeAwayRow() {
  const row = make("li", "gone");
  row.append(make("span", "member-name"), make("span", "why"));
  return row;
}

function showAwayRow(row, { name, why, lastSeen }) {
  setText(row.firstChild, name);
  setText(row.lastChild, `${departures[why] ?? "Gone"}, last seen ${timeOfDay(Date.parse(lastSeen))}`);
}

function makeRemovedRow(id) {
  const row = make("li", "gone");
  const button = make("button", "readmit", "Readmit");
  button.addEventListener("click", () => act(button, () => hub.command("readmit", { target: id })));
  row.append(make("span", "member-name"), button);
  return row;
}

function showRemovedRow(row, { name }) {
  setText(row.firstChild, name);
  row.lastChild.ariaLabel = `Readmit ${name}`;
}
