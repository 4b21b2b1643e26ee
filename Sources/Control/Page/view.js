// Shows a status.

import { element, make, setFacts, setText, show } from "./dom.js";
import { RateMeter } from "./stream.js";
import * as words from "./words.js";

const onAir = ["live", "interrupted", "ending"];
const rates = new Map();
const whys = new Map();

export function showStatus(status) {
  setText(element("name"), status.name);
  document.title = `${words.stateWord(status.state)} – ${status.name}`;
  showState(status);
  showTroubles(words.troubles(status));
  showTimer(status.timer);
  showLevel(status.tracks?.audio);
  showOutputs(status);
}

function showState(status) {
  const state = element("state");
  const tone = words.tone(status.state);
  state.className = tone;
  element("announced").className = tone;
  setText(state, words.stateWord(status.state));
  setText(element("sentence"), words.stateSentence(status));
  const closes = status.state === "interrupted" && status.resumableMs != null;
  show(element("window"), closes);
  if (closes) setText(element("window"), `Can be resumed for ${words.clock(status.resumableMs / 1000)}.`);
  const isOnAir = onAir.includes(status.state);
  show(element("air"), isOnAir);
  setText(element("air-time"), words.clock(status.mediaTimeMs / 1000));
  setFacts(element("facts"), isOnAir ? facts(status) : []);
}

function showTroubles(troubles) {
  const list = element("troubles");
  while (list.children.length > troubles.length) list.lastElementChild.remove();
  troubles.forEach(({ tone, text }, index) => {
    const item = list.children[index] ?? list.appendChild(make("li"));
    item.className = tone;
    setText(item, text);
  });
}

function facts(status) {
  const list = [["Bitrate", words.rate(status.bps)]];
  if (status.tracks?.video) {
    list.push(["Frames per second", (status.framesPerSecond ?? 0).toFixed(1)]);
    list.push(["Dropped frames", String(status.droppedFrames ?? 0)]);
  }
  if (status.recording) {
    list.push(["Recorded", words.size(status.recordedBytes ?? 0)]);
    list.push(["Disk", words.diskWord(status.disk)]);
    if (status.recordQueueMs >= 1000) list.push(["Disk queue", words.duration(status.recordQueueMs)]);
    list.push(["Recording", status.recording.split("/").at(-1)]);
  }
  return list;
}

function showTimer(timer) {
  const box = element("timer");
  const isThere = timer != null && timer.state !== "off";
  for (const node of [box, element("timer-line")]) show(node, isThere);
  show(element("clocks"), isThere || !element("air").hidden);
  if (!isThere) return;
  const isAlert = timer.state === "alert";
  element("timer-line").className = isAlert ? "alert" : "";
  const labels = { waiting: "Time limit", paused: "Paused, time left", over: "Time is over" };
  setText(element("timer-label"), labels[timer.state] ?? "Ends in");
  const left = timer.secondsLeft ?? (timer.state === "waiting" ? timer.maxSeconds : null);
  setText(element("timer-left"), left == null ? "" : words.clock(left));
  const ends = timer.endsAt ? ` at ${words.timeOfDay(Date.parse(timer.endsAt))}` : " soon";
  setText(element("timer-alert"), isAlert ? `The broadcast ends${ends}.` : "");
}

function showLevel(audio) {
  const isThere = audio != null && audio.source !== "off";
  show(element("sound"), isThere);
  if (!isThere) return;
  const [level, peak] = [words.levelShare(audio.levelDb), words.levelShare(audio.peakDb)];
  element("meter-level").setAttribute("width", Math.min(510, level * 600));
  element("meter-loud").setAttribute("width", Math.max(0, level * 600 - 510));
  element("meter-peak").setAttribute("x", audio.peakDb == null ? -10 : Math.min(596, peak * 600));
  const text = audio.muted ? "muted" : words.level(audio.levelDb);
  setText(element("level-text"), text);
  const meter = element("meter");
  const shown = Math.min(0, Math.max(words.quietest, audio.levelDb ?? words.quietest));
  meter.setAttribute("aria-valuenow", Math.round(shown));
  meter.setAttribute("aria-valuetext", text);
}

function showOutputs(status) {
  const outputs = status.outputs ?? [];
  const list = element("output-list");
  const at = Date.parse(status.at);
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
  if (outputs.length === 0 && !known.has("")) list.replaceChildren(emptyItem());
  const ids = outputs.length > 0 ? outputs.map((output) => output.id) : [""];
  for (const [id, item] of known) if (!ids.includes(id)) item.remove();
  for (const output of outputs) {
    if (!rates.has(output.id)) rates.set(output.id, new RateMeter());
    const rate = rates.get(output.id).take(at, output.bytesSent ?? 0);
    const item = known.get(output.id) ?? makeOutput(output.id);
    if (!item.isConnected) list.append(item);
    showOutput(item, output, rate, onAir.includes(status.state));
  }
}

function emptyItem() {
  const item = make("li", "", "None. Recording only.");
  item.dataset.id = "";
  return item;
}

function makeOutput(id) {
  const item = make("li");
  item.dataset.id = id;
  const name = make("p", "output-name");
  name.append(make("strong", "", id), make("span", "address"));
  item.append(name, make("p", "condition"), make("p", "checked"), make("p", "why"), make("dl"));
  return item;
}

function showOutput(item, output, rate, isOnAir) {
  const [name, condition, checked, why, facts] = item.children;
  setText(name.lastElementChild, output.url ?? "");
  const cause = words.causeWord(output.cause);
  condition.className = `condition ${words.tone(output.state)}`;
  setText(condition, words.outputWord(output.state) + (cause ? `: ${cause}` : ""));
  show(condition, isOnAir || output.state !== "closed");
  const check = checkWords(output.check);
  checked.className = `condition checked ${words.tone(output.check?.state)}`;
  setText(checked, check ?? "Not checked yet");
  show(checked, !isOnAir && (check !== null || output.state === "closed"));
  const told = condition.hidden ? output.check?.what : lastWhy(output);
  setText(why, told ? words.capital(words.sentence(told)) : "");
  show(why, why.textContent !== "");
  setFacts(facts, isOnAir ? outputFacts(output, rate) : []);
}

// The last error stays visible during the next attempt, so that the layout does not jump.
function lastWhy({ id, state, why }) {
  if (["publishing", "closed"].includes(state)) whys.delete(id);
  else if (why) whys.set(id, why);
  return whys.get(id);
}

function checkWords(check) {
  switch (check?.state) {
  case "running": return "Checking…";
  case "fine": return "Checked: OK";
  case "failed": return "Checked: failed";
  }
  return null;
}

function outputFacts(output, rate) {
  const list = [["Bitrate", words.rate(rate)], ["Queue", words.duration(output.queuedMs ?? 0)]];
  if (output.roundTripMs != null) list.push(["Round trip", `${Math.round(output.roundTripMs)} ms`]);
  list.push(["Sent", words.size(output.bytesSent ?? 0)]);
  list.push(["Lost", words.duration(output.lostMs ?? 0)]);
  if (output.retryInMs != null) list.push(["Next attempt in", `${(output.retryInMs / 1000).toFixed(1)} s`]);
  return list;
}
