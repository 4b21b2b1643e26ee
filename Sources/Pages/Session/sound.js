// Listening: whether, how loud, and on which device.

import { element, make, notice, setText, show } from "./dom.js";
import { Track } from "./source.js";

const volumeKey = "holdfast.volume";
const outputKey = "holdfast.output";
const canChoose = "setSinkId" in HTMLMediaElement.prototype && navigator.mediaDevices !== undefined;

export class Sound {
  #changed;
  #failed;
  #volume = Number(localStorage.getItem(volumeKey) ?? 1);
  #output = localStorage.getItem(outputKey) ?? "";
  #tracks = new Map();
  #media = new Set();

  isOn = false;

  // `changed` is called when listening begins or ends, `failed` when the browser can't go on with what came so far.
  constructor(changed, failed) {
    [this.#changed, this.#failed] = [changed, failed];
    element("listen").addEventListener("click", () => this.#toggle());
    const volume = element("volume");
    volume.value = Math.round(this.#volume * 100);
    volume.addEventListener("input", () => this.#setVolume(volume.value / 100));
    show(element("output-choice"), canChoose);
    element("output").addEventListener("change", () => this.#setOutput(element("output").value));
    element("sound").addEventListener("click", () => {
      element("sound-dialog").showModal();
      if (canChoose) this.#listOutputs();
    });
    element("sound-close").addEventListener("click", () => element("sound-dialog").close());
    this.#show();
  }

  #toggle() {
    this.isOn = !this.isOn;
    if (!this.isOn) this.stop();
    this.#show();
    this.#changed();
  }

  #show() {
    element("listen").setAttribute("aria-pressed", this.isOn);
    setText(element("listen-text"), this.isOn ? "Listening" : "Listen");
    setText(element("volume-text"), `${Math.round(this.#volume * 100)} %`);
  }

  stop() {
    for (const track of this.#tracks.values()) track.stop();
    this.#tracks.clear();
  }

  // Those who are heard; all others stop.
  keep(ids) {
    for (const [id, track] of this.#tracks) {
      if (ids.includes(id)) continue;
      track.stop();
      this.#tracks.delete(id);
    }
  }

  head({ member, type, bytes }) {
    if (!this.isOn) return;
    if (!this.#tracks.has(member)) {
      this.#tracks.set(member, new Track(() => this.#makeMedia(), (media) => this.#play(member, media), this.#failed));
    }
    this.#tracks.get(member).begin(type, bytes);
  }

  media({ member, bytes }) {
    this.#tracks.get(member)?.take(bytes);
  }

  lost({ member }) {
    this.#tracks.get(member)?.stop();
  }

  #playing = new Map();

  #play(member, media) {
    this.#media.delete(this.#playing.get(member));
    if (media === null) this.#playing.delete(member);
    else this.#playing.set(member, media);
  }

  #makeMedia() {
    const media = make("audio");
    media.volume = this.#volume;
    if (canChoose && this.#output !== "") media.setSinkId(this.#output).catch(() => {});
    this.#media.add(media);
    return media;
  }

  #setVolume(volume) {
    this.#volume = volume;
    localStorage.setItem(volumeKey, volume);
    for (const media of this.#media) media.volume = volume;
    this.#show();
  }

  async #setOutput(id) {
    try {
      for (const media of this.#media) await media.setSinkId(id);
      this.#output = id;
      localStorage.setItem(outputKey, id);
    } catch {
      notice("The browser can’t use this sound output. Choose another one.");
      element("output").value = this.#output;
    }
  }

  async #listOutputs() {
    const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    const outputs = devices
      .filter(({ kind, deviceId }) => kind === "audiooutput" && !["", "default"].includes(deviceId));
    const options = [["", "The system’s own"], ...outputs.map(({ deviceId, label }, index) =>
      [deviceId, label || `Output ${index + 1}`])];
    element("output").replaceChildren(...options.map(([id, text]) => {
      const option = make("option", "", text);
      option.value = id;
      return option;
    }));
    element("output").value = options.some(([id]) => id === this.#output) ? this.#output : "";
  }
}
