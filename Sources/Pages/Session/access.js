// The token while the page is open: when it ends, and how another one takes its place.

import { act } from "./acts.js";
import { setText, show } from "./dom.js";
import { part } from "./gate.js";
import { timeOfDay } from "./phrases.js";
import { token } from "./requests.js";

const warnsBefore = 60;

// The instant in a token from which it is refused, in milliseconds, or null.
export function expiry(text) {
  try {
    const claims = text.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    const { exp } = JSON.parse(atob(claims));
    return Number.isFinite(exp) ? exp * 1000 : null;
  } catch {
    return null;
  }
}

export class Access {
  #use;
  #isRefused = false;

  // `use` is called with another token, and throws if it is refused.
  constructor(use) {
    this.#use = use;
    part("renew-token").addEventListener("click", () => this.ask("Paste the new token. You stay in the session."));
    part("token-later").addEventListener("click", () => part("token-dialog").close());
    part("token-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  ask(why) {
    setText(part("token-why"), why);
    if (!part("token-dialog").open) part("token-dialog").showModal();
    part("token-text").focus();
  }

  // It was refused: only another one helps.
  refuse(why) {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.ask(why);
  }

  async #submit() {
    const field = part("token-text");
    const text = field.value.trim();
    if (!/^[\x21-\x7e]+$/.test(text)) {
      setText(part("token-why"), "Not a token: it contains invalid characters.");
      return;
    }
    await act(part("use-token"), async () => {
      await this.#use(text);
      field.value = "";
      this.#isRefused = false;
      part("token-dialog").close();
    }, (problem) => problem !== null && setText(part("token-why"), problem));
  }

  // Warns of the end, a minute before; `ahead` is how much later it is at the hub.
  tick(now, ahead) {
    const ends = token.get() === null ? null : expiry(token.get());
    const left = ends === null ? null : (ends - now - ahead) / 1000;
    const isEnding = left !== null && left <= warnsBefore;
    show(part("token-ends"), isEnding);
    setText(part("token-ends-text"), !isEnding ? ""
      : left > 0 ? `Your token ends at ${timeOfDay(ends - ahead)}. Ask the host for a new one, to stay in the session.`
      : "Your token has ended. Paste a new one to stay in the session.");
  }
}
