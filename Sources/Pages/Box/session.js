// Shows the session of several boxes that the broadcast is in, and answers what it asks of the operator.

import { element, notice, setFacts, setText, show } from "./dom.js";
import { heldTracks, place, secondsLeft, shownState } from "./membership.js";
import { ask } from "./requests.js";
import * as words from "./words.js";

// A repeated wrong password changes nothing in the status.
const answerWithin = 5000;

export class Session {
  #act;
  #status = null;
  #expected = new Set();
  #isAnswered = false;
  #sent = { why: null, at: -Infinity };

  // `act` runs an action under an id and reports its error.
  constructor(act) {
    this.#act = act;
    element("unmute").addEventListener("click", () => this.#answer(true));
    element("keep-muted").addEventListener("click", () => this.#answer(false));
    element("password-form").addEventListener("submit", (event) => {
      event.preventDefault();
      act(() => this.#sendPassword(), "send-password");
    });
  }

  show(status, hasRight) {
    this.#status = status;
    this.#showAsked(status.session?.unmuteAsked ?? [], hasRight("mute"));
    this.#showPassword(status.session, hasRight("end"));
    show(element("session"), status.session != null);
    if (status.session != null) this.#showState(status);
  }

  // The session may still refuse what the box has accepted.
  expect(command) {
    if (this.#status?.session != null) this.#expected.add(command);
  }

  take(name, event) {
    if (name === "unmuteAsked") this.#isAnswered = false;
    if (name !== "sessionCommand") return;
    if (event.command === "answer") this.#isAnswered = false;
    if (this.#expected.delete(event.command) && event.state === "refused") notice(words.refusedOrder(event));
  }

  #showState(status) {
    const { session } = status;
    const { name, hub } = place(session.url);
    setText(element("session-name"), name);
    setText(element("session-hub"), hub);
    const state = shownState(status);
    const line = element("session-state");
    line.className = `condition ${words.sessionTone(state)}`;
    setText(line, words.sessionWord(state));
    const why = words.sessionWhy(status, state);
    setText(element("session-why"), why);
    show(element("session-why"), why !== "");
    setFacts(element("session-facts"), facts(status, state));
  }

  #showAsked(tracks, hasRight) {
    if (tracks.length === 0) this.#isAnswered = false;
    const isAsked = tracks.length > 0 && !this.#isAnswered;
    show(element("unmute-asked"), isAsked);
    setText(element("unmute-text"), isAsked ? words.askedSentence(tracks, hasRight) : "");
  }

  #showPassword(session, hasRight) {
    const isNeeded = session?.state === "passwordNeeded";
    show(element("password-form"), isNeeded);
    show(element("password-entry"), hasRight);
    if (!isNeeded) {
      this.#sent = { why: null, at: -Infinity };
      element("session-password").value = "";
    }
    const isSent = this.#sent.why === session?.why && performance.now() - this.#sent.at < answerWithin;
    setText(element("password-why"), !isNeeded ? "" : isSent ? words.passwordSent : words.passwordSentence(session));
    setText(element("password-todo"), words.passwordTodo(hasRight));
  }

  #answer(agrees) {
    this.#act(async () => {
      this.expect("answer");
      await ask("POST", "/v1/session/answer", { agrees });
      // Hidden with the next status, which moves the focus.
      this.#isAnswered = true;
    }, agrees ? "unmute" : "keep-muted");
  }

  async #sendPassword() {
    const field = element("session-password");
    await ask("POST", "/v1/session/password", { password: field.value });
    field.value = "";
    this.#sent = { why: this.#status.session?.why, at: performance.now() };
  }
}

function facts(status, state) {
  const { session } = status;
  const list = [];
  if (session.role != null) list.push(["Role", words.roleWord(session.role)]);
  const held = heldTracks(status);
  if (held.length > 0) list.push(["Muted by others", words.capital(words.trackNames(held))]);
  const left = secondsLeft(status);
  if (left != null) list.push(["Ends at", words.endTime(status)], ["Time left", words.duration(left * 1000)]);
  if (session.othersReady > 0) list.push(["Others ready", String(session.othersReady)]);
  if (state === "hubAway") list.push(["No answer since", words.timeOfDay(Date.parse(session.lastHeard))]);
  return list;
}
