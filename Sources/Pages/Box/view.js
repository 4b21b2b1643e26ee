// Shows a status and its history.

import { drawLanes, listStretches, roomy, summary } from "./chart.js";
import { element, make, makeSVG, setFacts, setText, show } from "./dom.js";
import { problems } from "./problems.js";
import { RateMeter } from "./stream.js";
import { range, rows, stretches } from "./stretches.js";
import * as words from "./words.js";

const running = ["live", "interrupted", "ending"];
// A triangle and an octagon, each with an exclamation mark.
const signs = {
  wait: "M12 2 23 21H1ZM12 9v5.5M12 17v1.6",
  bad: "M8 2h8l6 6v8l-6 6H8l-6-6V8ZM12 6.5v7M12 16v1.7",
};
const titleSigns = { on: "● ", danger: "⚠ ", lost: "⚠ " };
const rates = new Map();
const whys = new Map();

export function showStatus(status, isConnected) {
  setText(element("name"), status.name);
  const found = problems(status);
  showState(status, found, isConnected);
  showProblems(isConnected ? found.filter(({ isPrompt }) => !isPrompt) : []);
  showClocks(status);
  setFacts(element("facts"), facts(status));
  showOutputs(status);
}

function showState(status, found, isConnected) {
  const { word, lamp } = isConnected ? words.tally(status) : { word: "No connection", lamp: "lost" };
  document.title = `${titleSigns[lamp] ?? ""}${word} – ${status.name}`;
  const state = element("state");
  state.className = lamp;
  setText(state, word);
  const sentence = element("sentence");
  if (!isConnected) {
    const at = words.timeOfDay(Date.parse(status.at));
    sentence.className = "";
    setText(sentence, `Last known: ${words.stateWord(status.state).toLowerCase()} at ${at}.`);
    return;
  }
  const muted = words.mutedSentence(status);
  sentence.className = status.state !== "live" ? ""
    : found.some(({ tone }) => tone === "bad") ? "bad" : found.length > 0 || muted ? "wait"
    : lamp === "off" ? "" : "good";
  setText(sentence, [words.stateSentence(status), muted].filter(Boolean).join(" "));
}

// Items stay in place as long as their problem lasts: each is announced once.
function showProblems(found) {
  const list = element("problems");
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const items = found.map((problem) => {
    const item = known.get(problem.id) ?? makeProblem(problem.id);
    item.className = `banner ${problem.tone}`;
    item.setAttribute("role", problem.tone === "bad" ? "alert" : "status");
    item.querySelector("path").setAttribute("d", signs[problem.tone]);
    const [text, figure, todo] = item.lastElementChild.children;
    for (const [node, words] of [[text, problem.text], [figure, problem.figure], [todo, problem.todo]]) {
      setText(node, words);
      show(node, words !== "");
    }
    return item;
  });
  if (items.length === list.children.length && items.every((item, index) => item === list.children[index])) return;
  list.replaceChildren(...items);
}

function makeProblem(id) {
  const [item, body] = [make("div"), make("div")];
  const sign = makeSVG("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  item.dataset.id = id;
  sign.append(makeSVG("path", {}));
  const figure = make("p", "figure");
  figure.setAttribute("aria-live", "off");
  body.append(make("p", "text"), figure, make("p", "todo"));
  item.append(sign, body);
  return item;
}

function showClocks(status) {
  const isRunning = running.includes(status.state);
  show(element("length"), isRunning);
  setText(element("length-time"), words.clock(status.mediaTimeMs / 1000));
  const closes = status.state === "interrupted" && status.resumableMs != null;
  show(element("window"), closes);
  if (closes) setText(element("window-left"), words.clock(status.resumableMs / 1000));
  const timer = status.timer ?? { state: "off" };
  show(element("timer-line"), timer.state !== "off");
  const labels = { waiting: "Time limit", paused: "Paused, time left", over: "Time is over" };
  setText(element("timer-label"), labels[timer.state] ?? "Ends in");
  const left = timer.secondsLeft ?? (timer.state === "waiting" ? timer.maxSeconds : null);
  setText(element("timer-left"), left == null ? "" : words.clock(left));
}

function facts(status) {
  const list = [];
  const isRunning = running.includes(status.state);
  const { video, audio } = status.tracks ?? {};
  if (isRunning) list.push(["Bitrate", words.rate(status.bps)]);
  if (video?.bps != null && isRunning) list.push(["Picture bitrate", words.rate(video.bps)]);
  if (video?.targetBps != null) list.push(["Target rate", words.rate(video.targetBps)]);
  if (video?.codec) list.push(["Picture codec", words.codecWord(video.codec)]);
  if (video?.width) list.push(["Size", `${video.width} × ${video.height}`]);
  if (video && isRunning) {
    const aim = video.framesPerSecond == null ? "" : ` of ${words.number(video.framesPerSecond)}`;
    list.push(["Frames per second", `${(status.framesPerSecond ?? 0).toFixed(1)}${aim}`]);
    list.push(["Dropped frames", String(status.droppedFrames ?? 0)]);
  }
  if (audio?.codec) list.push(["Sound format", words.soundFormat(audio)]);
  if (status.diskSecondsLeft != null) list.push(["Free disk", words.timeLeft(status.diskSecondsLeft)]);
  if (status.recording && isRunning) {
    list.push(["Recorded", words.size(status.recordedBytes ?? 0)], ["Disk", words.diskWord(status.disk)]);
    const recorded = (status.renditions ?? []).find(({ users }) => users.includes("recording"));
    if (recorded && status.renditions.length > 1) list.push(["Recorded at", words.rate(recorded.bps)]);
    if (status.recordQueueMs >= 1000) list.push(["Disk queue", words.duration(status.recordQueueMs)]);
    list.push(["Recording", status.recording.split("/").at(-1)]);
  }
  if (status.gate?.state === "passed" && status.gate.by) list.push(["Ready said by", status.gate.by]);
  return list;
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
    showOutput(item, output, rate, running.includes(status.state));
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
  item.append(name, make("p", "condition"), make("p", "checked"), make("p"), make("p", "why"), make("dl"));
  return item;
}

function showOutput(item, output, rate, isRunning) {
  const [name, condition, checked, measured, why, facts] = item.children;
  setText(name.lastElementChild, output.url ?? "");
  const cause = words.causeWord(output.cause);
  condition.className = `condition ${words.tone(output.state)}`;
  setText(condition, words.outputWord(output.state) + (cause ? `: ${cause}` : ""));
  show(condition, isRunning || output.state !== "closed");
  const check = checkWords(output.check);
  const upload = words.uploadWords(output.check);
  checked.className = `condition checked ${words.tone(output.check?.state)}`;
  setText(checked, check ?? "Not checked yet");
  show(checked, !isRunning && (check !== null || output.state === "closed"));
  measured.className = `condition ${upload?.tone}`;
  setText(measured, upload?.text ?? "");
  show(measured, !isRunning && upload !== null);
  const told = condition.hidden ? output.check?.what : lastWhy(output);
  setText(why, told ? words.capital(words.sentence(told)) : "");
  show(why, why.textContent !== "");
  setFacts(facts, isRunning ? outputFacts(output, rate) : []);
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
  const list = output.rendition == null || output.rendition === "main" ? [] : [["Rendition", output.rendition]];
  list.push(["Bitrate", words.rate(rate)], ["Queue", words.duration(output.queuedMs ?? 0)]);
  if (output.adaptive === "own") list.push(["Weak network", "an encode of its own"]);
  if (output.adaptive === "dropping") list.push(["Weak network", "what doesn't fit is dropped"]);
  if (output.roundTripMs != null) list.push(["Round trip", `${Math.round(output.roundTripMs)} ms`]);
  list.push(["Sent", words.size(output.bytesSent ?? 0)]);
  list.push(["Lost", words.duration(output.lostMs ?? 0)]);
  if (output.retryInMs != null) list.push(["Next attempt in", `${(output.retryInMs / 1000).toFixed(1)} s`]);
  return list;
}

let drawn = { history: null, end: 0, width: 0 };

// Draws the history, with a text version next to it: again as soon as something has changed, or the last stretch has become longer by a point.
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
