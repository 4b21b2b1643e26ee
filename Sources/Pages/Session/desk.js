// What concerns the whole session: on air, time, access, marks, and its end.

import { act, isSure } from "./acts.js";
import { setText, show } from "./dom.js";
import { part } from "./gate.js";
import * as hub from "./hub.js";
import { clock, timeOfDay } from "./phrases.js";
import { secondsLeft } from "./state.js";
import { airReason, airState } from "./terms.js";

const lastCall = 60;

// A form's or a button's command; `work` may return another promise.
function on(id, work, form = null) {
  const button = part(id);
  const run = (event) => {
    event.preventDefault();
    return act(button, work);
  };
  if (form === null) button.addEventListener("click", run);
  else part(form).addEventListener("submit", run);
}

export class Desk {
  #state = null;

  constructor() {
    on("go-live", async () => {
      const outputs = part("addresses").value.split("\n").map((line) => line.trim()).filter(Boolean);
      await hub.command("live", { outputs });
      // They hold keys.
      part("addresses").value = "";
    }, "air-form");
    part("off-air").addEventListener("click", async () => {
      const text = "The programme ends at all of its addresses.";
      if (await isSure({ heading: "Go off air?", text, yes: "Go off air" })) act(part("off-air"), () => hub.command("off-air"));
    });
    on("limit", () => hub.command("limit", { length: Number(part("limit-minutes").value) * 60 }), "limit-form");
    on("extend", () => hub.command("extend", { by: Number(part("extend-by").value) }), "extend-form");
    on("lift-limit", () => hub.command("limit", { length: null }));
    on("last-call-extend", () => hub.command("extend", { by: 600 }));
    on("lock", () => hub.command(this.#state.locked ? "unlock" : "lock"));
    on("lock-screens", () => hub.command(this.#state.screensLocked ? "unlock-screens" : "lock-screens"));
    on("set-password", async () => {
      await hub.command("password", { password: part("new-password").value });
      part("new-password").value = "";
    }, "password-form");
    on("lift-password", () => hub.command("password", { password: null }));
    on("send-mark", async () => {
      await hub.command("event", { name: part("mark-text").value.trim() });
      part("mark-text").value = "";
    }, "mark-form");
    part("end").addEventListener("click", async () => {
      const isMeant = await isSure({
        heading: "End the session for all?",
        text: "Everybody is out, and the boxes’ broadcasts end. Their recordings are finished.", yes: "Go on…",
      }) && await isSure({
        heading: "Really end it?", text: "This can’t be undone.", yes: "End for all",
      });
      if (isMeant) act(part("end"), () => hub.command("end"));
    });
  }

  show(state) {
    this.#state = state;
    const { onAir, timer, locked, screensLocked, hasPassword } = state;
    const { text, tone } = airState(onAir);
    const isOn = onAir !== null && onAir.state !== "over";
    part("air-state").className = `condition ${tone}`;
    const count = isOn && onAir.outputs ? `, ${onAir.outputs} ${onAir.outputs === 1 ? "address" : "addresses"}` : "";
    setText(part("air-state"), text + count);
    setText(part("air-why"), airReason(onAir));
    show(part("air-why"), part("air-why").textContent !== "");
    show(part("air-form"), !isOn);
    show(part("off-air"), isOn);
    setText(part("time-text"), timer.endsAt === null ? "No limit, or not begun yet."
      : `Ends at ${timeOfDay(Date.parse(timer.endsAt) - state.ahead, false)}.`);
    show(part("extend-form"), timer.endsAt !== null);
    pressed("lock", locked, "Session locked", "Lock session");
    pressed("lock-screens", screensLocked, "Screens locked", "Lock screens");
    show(part("lift-password"), hasPassword);
    setText(part("set-password"), hasPassword ? "Change" : "Set");
    this.tick();
  }

  // Shows how much time is left.
  tick() {
    if (this.#state === null) return;
    const left = secondsLeft(this.#state, Date.now());
    show(part("time-left"), left !== null);
    if (left !== null) setText(part("time-left-text"), clock(left));
    const isLast = left !== null && left <= lastCall && left > 0;
    show(part("last-call"), isLast);
    setText(part("last-call-text"), isLast ? "The session ends soon. Boxes end their broadcasts then." : "");
    setText(part("last-call-left"), isLast ? clock(left) : "");
  }

  clear() {
    this.#state = null;
    for (const id of ["time-left", "last-call"]) show(part(id), false);
  }
}

function pressed(id, isPressed, yes, no) {
  part(id).setAttribute("aria-pressed", isPressed);
  setText(part(id), isPressed ? yes : no);
}
