// The page of a session, for as long as it is open: before joining, in the session, and after it.

import { Access } from "./access.js";
import { act, onFailure } from "./acts.js";
import { Attendance, spread } from "./attendance.js";
import { Desk } from "./desk.js";
import { make, notice, setText, show } from "./dom.js";
import { part, permit } from "./gate.js";
import { History } from "./history.js";
import * as hub from "./hub.js";
import { Lobby } from "./lobby.js";
import { Past } from "./past.js";
import { People } from "./people.js";
import { Previews } from "./previews.js";
import { Relay } from "./relay.js";
import { takeTokenFromAddress, token } from "./requests.js";
import { rights } from "./rights.js";
import { Sound } from "./sound.js";
import { Stage } from "./stage.js";
import { adopt, fold } from "./state.js";
import { Stream } from "./news.js";
import * as terms from "./terms.js";

const asksAgainAfter = 300;
// Statistics come with the whole state alone.
const asksEvery = 5000;
const ticks = 250;

const phases = ["lobby", "room", "farewell"];

let state = null;

const history = new History(Date.now());
const past = new Past(history);
const people = new People();
const desk = new Desk();
const access = new Access(useToken);
const lobby = new Lobby(join, (why) => access.ask(why));
const relay = new Relay({ head: receive("head"), media: receive("media"), lost: receive("lost"), refused });
const sound = new Sound(watch, () => relay.renew());
const stage = new Stage(watch, () => relay.renew());
const previews = new Previews(() => stage.tiles);
const attendance = new Attendance({
  place: () => {
    stream.heard();
    showAll();
  },
  rejoined: (answer) => {
    take(answer.state);
    stream.restart();
  },
  away: (error) => stream.away(error),
  out,
  refused: (error) => {
    if (error.status === 401) access.refuse(`${terms.outSentence(error)} Paste a new one to stay in the session.`);
    else backToLobby(error);
  },
});
const stream = new Stream({
  event: takeEvent, reset: take, levels: (levels) => stage.setLevels(levels),
  failed: (error) => attendance.judge(error), woken: () => attendance.wake(),
  heard: () => {
    attendance.hurry();
    relay.hurry();
  },
});

function enter(phase) {
  for (const one of phases) show(part(one), one === phase);
  show(part("leave"), phase === "room");
  if (phase !== "lobby") lobby.close();
  if (phase === "room") return;
  stream.stop();
  relay.stop();
  previews.stop();
  sound.stop();
  stage.clear();
  desk.clear();
  people.close();
  state = null;
  permit([]);
  for (const id of ["unmute-asked", "reclaiming"]) show(part(id), false);
  part("signs").replaceChildren();
  setText(part("who"), "");
  document.title = `${hub.sessionName} – Holdfast`;
}

// `isChosen`: somebody has just entered the name. A member that comes back has the one that it had.
async function join(name, password, isChosen) {
  const answer = await attendance.join(name, password);
  notice(null);
  enter("room");
  take(answer.state);
  stream.start();
  previews.start();
  if (isChosen && attendance.me !== null && nameOf(attendance.me) !== name) {
    act(part("join"), () => hub.command("rename", { name }));
  }
}

function backToLobby(error) {
  attendance.drop();
  enter("lobby");
  lobby.open(terms.outSentence(error));
  if (["passwordNeeded", "passwordWrong"].includes(error.code)) lobby.needPassword();
}

function out(error) {
  enter("farewell");
  setText(part("farewell-text"), terms.outSentence(error));
  setText(part("farewell-todo"), error.code === "superseded" ? "Go on there, or join here as another member." : "");
  if (error.code !== "removed") attendance.forgetKey();
  part("farewell-text").focus();
}

async function leave() {
  await attendance.leave();
  enter("farewell");
  setText(part("farewell-text"), "You have left the session.");
  setText(part("farewell-todo"), "");
  part("farewell-text").focus();
}

async function useToken(text) {
  if (attendance.me !== null) {
    await attendance.changeToken(text);
  } else {
    token.set(text);
    lobby.open();
  }
}

// MARK: What the hub says

function take(fresh) {
  state = adopt(state, fresh, Date.now());
  if (state.ended) attendance.judge({ code: "sessionOver", why: state.ended });
  else changed();
}

function takeEvent(event) {
  if (state === null) return;
  const name = event.event === "joined" ? event.name : nameOf(event.member);
  if (name !== "") names.set(event.member, name);
  const next = fold(state, event);
  state = next.state;
  const line = terms.eventLine(event, name);
  if (line !== null) tell(line);
  if (event.event === "ended") attendance.judge({ code: "sessionOver", why: event.why });
  else if (event.event === "removed" && event.member === attendance.me) attendance.judge({ code: "removed" });
  else changed();
  if (next.asks) askSoon();
}

// Of those whom events were about. What follows at once may come before the state in which they are.
const names = new Map();

const nameOf = (id) => (state?.members.find((member) => member.id === id)
  ?? state?.away.find((member) => member.id === id))?.name ?? names.get(id) ?? "";

function tell(line) {
  past.add(line, Date.now());
  const news = part("news");
  news.append(make("span", "", `${line}. `));
  while (news.children.length > 20) news.firstChild.remove();
}

let asking = 0;
let asked = 0;

// Asks for the whole state, at most every 300 ms.
function askSoon() {
  if (asking !== 0) return;
  asking = setTimeout(async () => {
    asked = Date.now();
    try {
      const fresh = await hub.state();
      if (state !== null) take(fresh);
    } catch (error) {
      attendance.judge(error);
    } finally {
      asking = 0;
    }
  }, Math.max(0, asked + spread(asksAgainAfter) - Date.now()));
}

// MARK: What is shown

function changed() {
  history.observe(state, Date.now());
  showAll();
}

const mine = () => rights(attendance.role, token.get() === null);

function showAll() {
  if (state === null || attendance.me === null) return;
  const { me } = attendance;
  permit(mine());
  const member = state.members.find(({ id }) => id === me);
  attendance.name = member?.name ?? attendance.name;
  setText(part("who"), terms.meSentence(attendance.name, attendance.role));
  showSigns();
  stage.show(state);
  people.show({ state, me, rights: mine() });
  desk.show(state);
  const asks = member?.unmuteAsked ?? [];
  show(part("unmute-asked"), asks.length > 0);
  setText(part("unmute-text"), asks.length > 0 ? terms.askedSentence(asks) : "");
  const mayReclaim = state.mayReclaim.includes(me);
  show(part("reclaiming"), mayReclaim);
  setText(part("reclaim-text"), mayReclaim ? "You were host before your connection was lost." : "");
  past.show(Date.now());
  watch();
}

function showSigns() {
  const { text, tone } = terms.airState(state.onAir);
  const [isJob, isLive] = [!["over", undefined].includes(state.onAir?.state), state.onAir?.state === "live"];
  const signs = [
    ...(isJob ? [[text, isLive ? "air" : tone]] : []),
    ...(state.locked ? [["Locked", ""]] : []), ...(state.hasPassword ? [["Password", ""]] : []),
  ];
  const list = part("signs");
  const said = JSON.stringify(signs);
  if (list.dataset.said === said) return;
  list.dataset.said = said;
  list.replaceChildren(...signs.map(([words, kind]) => make("li", `chip ${kind}`, words)));
  document.title = `${isLive ? "● " : ""}${hub.sessionName} – Holdfast`;
}

// MARK: Pictures and sound

function watch() {
  if (state === null || attendance.me === null) return;
  const boxes = state.members.filter(({ kind }) => kind !== "person").map(({ id }) => id);
  const visible = [...stage.tiles.keys()].filter((id) => boxes.includes(id));
  const sounds = sound.isOn ? visible : [];
  sound.keep(sounds);
  const giving = new Set(state.members.filter((member) => member.small).map(({ id }) => id));
  const isSmall = (id) => giving.has(id) && stage.tiles.get(id).isSmall;
  const seen = document.hidden ? [] : visible;
  relay.want({ pictures: seen.filter((id) => !isSmall(id)), small: seen.filter(isSmall), sounds }, boxes);
  if (document.hidden) previews.stop();
  else previews.start();
}

function receive(kind) {
  return (frame) => {
    const receiver = frame.track === "audio" ? sound : stage.tiles.get(frame.member);
    receiver?.[kind](frame);
  };
}

// All of the response: pictures one by one are better than none.
function refused(error) {
  for (const tile of stage.tiles.values()) tile.needsPreview = true;
  attendance.judge(error);
}

document.addEventListener("visibilitychange", watch);

// MARK: What people do

onFailure((error) => attendance.judge(error));
part("dismiss").addEventListener("click", () => notice(null));
part("leave").addEventListener("click", () => act(part("leave"), leave));
part("come-back").addEventListener("click", () => {
  enter("lobby");
  lobby.suggest(attendance.name);
  lobby.open();
});
part("unmute").addEventListener("click", () => act(part("unmute"), () => hub.command("answer", { agrees: true })));
part("keep-muted").addEventListener("click", () =>
  act(part("keep-muted"), () => hub.command("answer", { agrees: false })));
part("reclaim").addEventListener("click", () => act(part("reclaim"), () => hub.command("reclaim")));
part("copy-link").addEventListener("click", async () => {
  const link = location.origin + location.pathname;
  try {
    await navigator.clipboard.writeText(link);
    setText(part("copy-link"), "Copied");
    setTimeout(() => setText(part("copy-link"), "Copy link"), 2000);
  } catch {
    part("link").value = link;
    part("link-dialog").showModal();
    part("link").select();
  }
});
part("link-close").addEventListener("click", () => part("link-dialog").close());

setInterval(() => {
  desk.tick();
  access.tick(Date.now(), state?.ahead ?? 0);
}, ticks);

setInterval(() => {
  if (state === null || document.hidden) return;
  past.show(Date.now());
  if (Date.now() - asked > asksEvery && stream.isConnected) askSoon();
}, 1000);

// MARK: The beginning

function run() {
  takeTokenFromAddress();
  setText(part("name"), hub.sessionName);
  enter("lobby");
  lobby.open();
  if (attendance.wasIn) lobby.enter(attendance.name);
}

window.addEventListener("hashchange", () => takeTokenFromAddress() && location.reload());

run();
