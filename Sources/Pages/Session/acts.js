// Runs what somebody has asked for, and says when it is refused.

import { notice } from "./dom.js";
import { part } from "./gate.js";
import { failureSentence } from "./terms.js";

let judge = () => {};

// Calls `work` with each refusal: it may concern the whole page.
export function onFailure(work) {
  judge = work;
}

// A button that is busy ignores further clicks. `tell` gets the sentence about a failure, or null.
export async function act(button, work, tell = notice) {
  if (button.getAttribute("aria-busy") === "true") return false;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
    tell(null);
    return true;
  } catch (error) {
    tell(failureSentence(error));
    judge(error);
    return false;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

let answer = () => {};

// Asks before something that can't be undone. Returns whether it is to be done.
export function isSure({ heading, text, yes }) {
  const dialog = part("sure-dialog");
  part("sure-heading").textContent = heading;
  part("sure-text").textContent = text;
  part("sure-yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => { answer = done; });
}

part("sure-no").addEventListener("click", () => part("sure-dialog").close());
part("sure-yes").addEventListener("click", () => part("sure-dialog").close("yes"));
part("sure-dialog").addEventListener("close", () => answer(part("sure-dialog").returnValue === "yes"));
