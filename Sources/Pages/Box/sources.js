// Chooses the camera and the microphone.

import { element, make, setText, show } from "./dom.js";
import { ask } from "./requests.js";
import * as words from "./words.js";

const lookAgainEvery = 10_000;

// One list of sources with its button.
export class SourceChoice {
  #form;
  #select;
  #button;
  #list = [];
  #current = null;
  #isChosen = false;
  #isSwitching = false;
  #mayChange = false;

  // `act` runs an action and reports its error.
  constructor(id, act) {
    this.id = id;
    this.#form = element(`${id}-form`);
    this.#select = element(id);
    this.#button = this.#form.querySelector("button");
    this.#select.addEventListener("change", () => {
      this.#isChosen = true;
      this.#showButton();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#canSwitch) act(() => this.#switch());
    });
  }

  set list(list) {
    this.#list = list;
    this.#showOptions();
  }

  show(track, hasRight, isConnected) {
    const isThere = track != null && track.source !== "off";
    show(this.#form, isThere);
    if (!isThere) return;
    if (track.source !== this.#current) {
      this.#current = track.source;
      this.#isChosen = false;
      this.#showOptions();
    }
    this.#mayChange = hasRight && isConnected;
    this.#select.disabled = !this.#mayChange || this.#isSwitching;
    for (const node of [this.#select, this.#button]) show(node, hasRight);
    this.#showButton();
    const inUse = this.#form.querySelector(".in-use");
    show(inUse, !hasRight);
    setText(inUse, [...this.#select.options].find((option) => option.value === this.#inUse)?.textContent ?? "");
    const device = this.#form.querySelector(".device");
    device.className = `device ${words.tone(track.device)}`;
    const told = { lost: "Disconnected. Used again when it is back.", busy: "Another program is using it." };
    setText(device, told[track.device] ?? "");
  }

  // The list id of the source in use; `camera` alone means whichever was found.
  get #inUse() {
    const ids = this.#list.map((source) => source.id);
    if (ids.includes(this.#current)) return this.#current;
    return this.#list.find((source) => source.inUse)?.id ?? this.#current;
  }

  get #canSwitch() {
    return this.#mayChange && !this.#isSwitching && this.#select.value !== this.#inUse;
  }

  #showButton() {
    this.#button.disabled = !this.#canSwitch;
    setText(this.#button, this.#isSwitching ? "Switching…" : "Switch");
  }

  #showOptions() {
    const wanted = this.#isChosen ? this.#select.value : this.#inUse;
    const names = this.#list.map((source) => source.name);
    const isClear = (name) => name && names.indexOf(name) === names.lastIndexOf(name);
    const text = ({ id, name }) => words.capital(isClear(name) ? name : `${name ?? ""} (${id})`.trim());
    const options = this.#list.map((source) => [source.id, text(source)]);
    if (!options.some(([id]) => id === this.#inUse) && this.#inUse !== null) {
      options.unshift([this.#inUse, this.#inUse]);
    }
    const isSame = options.length === this.#select.options.length
      && options.every(([id, text], index) => {
        const option = this.#select.options[index];
        return option.value === id && option.textContent === text;
      });
    if (!isSame) {
      this.#select.replaceChildren(...options.map(([id, text]) => {
        const option = make("option", "", text);
        option.value = id;
        return option;
      }));
    }
    const isThere = options.some(([id]) => id === wanted);
    this.#select.value = isThere ? wanted : this.#inUse;
    if (!isThere) this.#isChosen = false;
    this.#showButton();
  }

  async #switch() {
    this.#isSwitching = true;
    this.#showButton();
    try {
      await ask("PATCH", `/v1/${this.id}`, { source: this.#select.value });
    } finally {
      this.#isSwitching = false;
      this.#isChosen = false;
      this.#showOptions();
    }
  }
}

export class Sources {
  #choices;
  #isWanted = false;

  constructor(act) {
    this.#choices = {
      cameras: new SourceChoice("camera", act), microphones: new SourceChoice("microphone", act),
    };
    // Without the right to switch there is no need to update the lists.
    setInterval(() => this.#isWanted && this.look(), lookAgainEvery);
  }

  show(tracks, hasRight, isConnected) {
    this.#isWanted = hasRight && isConnected;
    this.#choices.cameras.show(tracks?.video, hasRight, isConnected);
    this.#choices.microphones.show(tracks?.audio, hasRight, isConnected);
  }

  // Updates the lists.
  async look() {
    if (document.hidden) return;
    try {
      const there = await ask("GET", "/v1/sources");
      for (const [kind, choice] of Object.entries(this.#choices)) choice.list = there[kind] ?? [];
    } catch {
      // The lists stay as they are until the next attempt.
    }
  }
}
