// Before joining: a name, a password if there is one, and a look at the session for those who may have it.

import { spread } from "./attendance.js";
import { setText, show } from "./dom.js";
import { part } from "./gate.js";
import * as hub from "./hub.js";
import { Refusal } from "./requests.js";
import { outSentence } from "./terms.js";

const nameKey = "holdfast.name";
const lookEvery = 2000;
const retryEvery = 3000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Lobby {
  #join;
  #askToken;
  #looking = null;
  #address = null;
  #isWaiting = false;
  #endPause = () => {};

  // `join` takes a name, a password, and whether somebody has just entered them, and throws the refusal; `askToken`
  // is called with the reason.
  constructor(join, askToken) {
    [this.#join, this.#askToken] = [join, askToken];
    part("display-name").value = localStorage.getItem(nameKey) ?? "";
    part("join-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(true);
    });
    part("stop-waiting").addEventListener("click", () => this.#stopWaiting());
    part("other-token").addEventListener("click", () => askToken("Ask the host of the session for one."));
  }

  open(why = "") {
    show(part("lobby"), true);
    this.#say(why);
    this.#showBusy(false);
    this.#look();
    part("display-name").focus();
  }

  // As who was in before a reload.
  enter(name) {
    this.suggest(name);
    this.#submit(false);
  }

  suggest(name) {
    part("display-name").value = name;
  }

  close() {
    this.#looking?.abort();
    this.#looking = null;
    show(part("lobby"), false);
    part("password").value = "";
  }

  // Asked for because the session has one.
  needPassword() {
    show(part("password-entry"), true);
    part("password").required = true;
    part("password").focus();
  }

  async #submit(isChosen) {
    const name = part("display-name").value.trim();
    if (name === "") return;
    localStorage.setItem(nameKey, name);
    this.#showBusy(true);
    this.#isWaiting = true;
    while (this.#isWaiting) {
      try {
        const password = part("password-entry").hidden ? null : part("password").value;
        await this.#join(name, password, isChosen);
        break;
      } catch (error) {
        if (!this.#judge(error)) break;
        show(part("stop-waiting"), true);
        await new Promise((done) => {
          this.#endPause = done;
          setTimeout(done, Math.max((error.retryAfter ?? 0) * 1000, spread(retryEvery)));
        });
      }
    }
    this.#isWaiting = false;
    this.#showBusy(false);
  }

  // Says what keeps out. Returns whether trying again may help.
  #judge(error) {
    const isAway = hub.isAway(error);
    this.#say(error instanceof Refusal ? outSentence(error) : "The hub can’t be reached. Trying again.");
    if (["passwordNeeded", "passwordWrong"].includes(error.code)) {
      this.needPassword();
      part("password").select();
    }
    if (error.status === 401) this.#askToken(outSentence(error));
    return isAway || error.code === "noSuchSession";
  }

  #stopWaiting() {
    this.#isWaiting = false;
    this.#endPause();
    this.#say("");
  }

  #say(text) {
    setText(part("join-why"), text);
  }

  #showBusy(isBusy) {
    part("join").disabled = isBusy;
    setText(part("join"), isBusy ? "Joining…" : "Join");
    if (!isBusy) show(part("stop-waiting"), false);
  }

  // Who may see the session before joining is shown its picture: the speaker's, or that of any box.
  async #look() {
    const ending = new AbortController();
    this.#looking?.abort();
    this.#looking = ending;
    this.#showFacts(null);
    while (!ending.signal.aborted) {
      const state = document.hidden ? null : await hub.state().catch(() => null);
      if (ending.signal.aborted) return;
      if (state !== null) {
        this.#showFacts(state);
        const boxes = (state.members ?? []).filter(({ kind }) => kind !== "person");
        const shown = boxes.find(({ id }) => id === state.speaker)
          ?? boxes.find((box) => box.state === "live") ?? boxes[0];
        const blob = shown ? await hub.preview(shown.id, ending.signal).catch(() => null) : null;
        if (ending.signal.aborted) return;
        await this.#showPicture(blob);
      }
      await pause(lookEvery);
    }
  }

  #showFacts(state) {
    const count = state?.members?.length ?? 0;
    const facts = state === null || state.members === undefined ? ""
      : count === 0 ? "Nobody is in yet." : `${count} ${count === 1 ? "member is" : "members are"} in.`;
    setText(part("join-facts"), facts);
    if (state?.hasPassword) setText(part("join-facts"), `${facts} There is a password.`);
    if (this.#address === null) setText(part("lobby-no-picture"), state === null ? "" : "No picture yet");
  }

  async #showPicture(blob) {
    const before = this.#address;
    if (blob === null) {
      this.#address = null;
      part("lobby-picture").removeAttribute("src");
    } else {
      this.#address = URL.createObjectURL(blob);
      part("lobby-picture").src = this.#address;
      await part("lobby-picture").decode().catch(() => {});
    }
    if (before !== null) URL.revokeObjectURL(before);
    show(part("lobby-picture"), this.#address !== null);
    show(part("lobby-no-picture"), this.#address === null);
  }
}
