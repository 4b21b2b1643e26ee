// Connects the page with the broadcaster, for as long as it is open.

import { listen } from "./api.js";
import { Controls } from "./controls.js";
import { element, notice, setText, show } from "./dom.js";
import { Live } from "./live.js";
import { Preview, showLevel } from "./preview.js";
import { Programme } from "./programme.js";
import { Refusal, ask, onRefused, takeTokenFromAddress, token } from "./requests.js";
import { Session } from "./session.js";
import { Sources } from "./sources.js";
import { epoch, wait } from "./stream.js";
import { follow } from "./stretches.js";
import { showHistory, showStatus } from "./view.js";
import { errorSentence, timeOfDay } from "./words.js";

const statusEvery = 500;
const patience = 6000;

const controls = new Controls(refresh, (command) => session.expect(command));
const live = new Live(showAll);
const preview = new Preview();
const programme = new Programme((work, id) => controls.act(work, id));
const session = new Session((work, id) => controls.act(work, id));
const sources = new Sources((work) => controls.act(work, "source"));

let me = null;
let status = null;
let since = null;
let isConnected = false;
let wasLost = false;
let ending = new AbortController();
let refusal = null;

function showAll() {
  document.body.classList.toggle("stale", !isConnected);
  if (status === null) return;
  for (const part of ["now", "board"]) show(element(part), true);
  showStatus(status, isConnected);
  showLevel(status.tracks?.audio, isConnected);
  // Before the controls, which look after the focus.
  const hasRight = (right) => (me?.may ?? []).includes(right);
  session.show(status, hasRight);
  programme.show(status.programme, hasRight, isConnected);
  controls.show(status, me, isConnected);
  sources.show(status.tracks, controls.hasRight("switchCamera"), isConnected);
  const video = status.tracks?.video;
  const hasPicture = video != null && video.source !== "off";
  show(element("frame"), hasPicture);
  live.want(status, isConnected);
  preview.cover(live.isShown);
  preview.want(isConnected && hasPicture && !live.isShown && !["idle", "ended"].includes(status.state));
  preview.describe(status, isConnected);
  showHistory(status);
}

function showMe() {
  const until = me.expiresAt ? `, until ${timeOfDay(Date.parse(me.expiresAt), false)}` : "";
  setText(element("who"), `${me.name}, ${me.role}${until}`);
  show(element("sign-out"), token.get() !== null);
}

function take(event) {
  if (event.id !== null) takeID(event.id);
  switch (event.name) {
  case "status":
    if (isConnected && isOlder(JSON.parse(event.data))) return;
    status = JSON.parse(event.data);
    if (!isConnected) connected();
    showAll();
    return;
  case "reset":
    since = event.id;
    restarted();
    return;
  case "device":
  case "source":
    sources.look();
    break;
  case "sessionCommand":
  case "unmuteAsked":
    session.take(event.name, JSON.parse(event.data));
  }
  if (status !== null) {
    status = follow(status, JSON.parse(event.data));
    showHistory(status);
  }
  refresh();
}

// Whether a status is from before the last event. After a step of the clock a much older one is the newest.
function isOlder(fresh) {
  const age = Date.parse(status.at) - Date.parse(fresh.at);
  return age > 0 && age < 1000;
}

function takeID(id) {
  if (since !== null && epoch(id) !== epoch(since)) restarted();
  since = id;
}

let asking = null;
let asksAgain = false;

// Shows changes at once, before the stream's next status. Finishes when a status requested after this call
// has been shown.
function refresh() {
  asksAgain = true;
  asking ??= askUntilFresh().finally(() => { asking = null; });
  return asking;
}

async function askUntilFresh() {
  try {
    while (asksAgain && isConnected) {
      asksAgain = false;
      const fresh = await ask("GET", "/v1/status");
      if (!isConnected || isOlder(fresh)) continue;
      status = fresh;
      showAll();
    }
  } catch {
    // The stream will deliver the status anyway.
  }
}

let toldRestart = 0;

function restarted() {
  if (!wasLost) return;
  tell("Reconnected. The broadcaster has been restarted.");
  clearTimeout(toldRestart);
  toldRestart = setTimeout(() => isConnected && tell(null), 8000);
}

function connected() {
  isConnected = true;
  if (!wasLost) return;
  // Until a restart is detected.
  if (toldRestart === 0) {
    tell("Reconnected.");
    toldRestart = setTimeout(() => isConnected && tell(null), 4000);
  }
}

function disconnected() {
  clearTimeout(toldRestart);
  [isConnected, wasLost, toldRestart] = [false, wasLost || status !== null, 0];
  showAll();
}

function tell(text) {
  show(element("connection"), text !== null);
  element("connection").classList.toggle("wait", !isConnected);
  show(element("try-now"), false);
  setText(element("connection-text"), text ?? "");
}

// Waits with a countdown, which the button cuts short.
async function waitBeforeNext(text, ms) {
  tell(text);
  const count = document.createElement("span");
  // Keeps screen readers from announcing each second.
  count.setAttribute("aria-hidden", "true");
  element("connection-text").append(" ", count);
  show(element("try-now"), true);
  const until = performance.now() + ms;
  await new Promise((done) => {
    const ticking = setInterval(() => {
      const left = until - performance.now();
      setText(count, `Next attempt in ${Math.max(0, left / 1000).toFixed(1)} s.`);
      if (left > 0) return;
      finish();
    }, 100);
    const finish = () => {
      clearInterval(ticking);
      setText(count, "Trying now.");
      show(element("try-now"), false);
      element("try-now").removeEventListener("click", finish);
      done();
    };
    element("try-now").addEventListener("click", finish);
  });
}

async function askForToken() {
  const hadOne = token.get() !== null;
  token.forget();
  [me, status, since] = [null, null, null];
  preview.want(false);
  tell(null);
  notice(null);
  controls.closeDialogs();
  for (const part of ["now", "board"]) show(element(part), false);
  show(element("sign-out"), false);
  setText(element("who"), "");
  const why = element("token-why");
  why.classList.toggle("bad", hadOne);
  setText(why, hadOne || refusal.code !== "tokenMissing" ? errorSentence(refusal) : why.textContent);
  const form = element("token-form");
  const field = element("token-text");
  field.value = "";
  show(form, true);
  field.focus();
  for (;;) {
    await new Promise((done) => form.addEventListener("submit", (event) => {
      event.preventDefault();
      done();
    }, { once: true }));
    const text = field.value.trim();
    if (/^[\x21-\x7e]+$/.test(text)) {
      token.set(text);
      break;
    }
    why.classList.add("bad");
    setText(why, "Not a token: it contains invalid characters.");
  }
  field.value = "";
  show(form, false);
}

function lostText() {
  if (status === null) return "The broadcaster does not respond. Retrying.";
  const since = timeOfDay(Date.parse(status.at));
  return status.state === "ended"
    ? "The broadcast has ended, and the broadcaster has stopped. This page reconnects after a restart."
    : `The connection is lost. This page shows the state at ${since}; the broadcast may well be running.`;
}

async function run() {
  takeTokenFromAddress();
  for (let attempt = 1; ; attempt += 1) {
    try {
      [ending, refusal] = [new AbortController(), null];
      me = await ask("GET", "/v1/me");
      showMe();
      await listen({
        since, every: statusEvery, patience, ending, onID: takeID,
        onEvent: (event) => {
          const isFirst = !isConnected;
          take(event);
          if (isFirst && isConnected) sources.look();
          attempt = 0;
        },
      });
      throw new Error("the stream has ended");
    } catch (error) {
      disconnected();
      if (refusal !== null) {
        await askForToken();
        attempt = 0;
      } else if (error instanceof Refusal) {
        await waitBeforeNext(errorSentence(error), (error.retryAfter ?? 5) * 1000);
      } else {
        await waitBeforeNext(lostText(), wait(Math.max(1, attempt)));
      }
    }
  }
}

onRefused((error) => {
  refusal = error;
  ending.abort();
});
// Another token is another caller, with other rights: reload the page.
element("sign-out").addEventListener("click", () => {
  token.forget();
  location.reload();
});
new ResizeObserver(() => status !== null && showHistory(status)).observe(element("past"));
window.addEventListener("hashchange", () => takeTokenFromAddress() && location.reload());

run();
