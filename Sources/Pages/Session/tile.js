// One member's place in the grid: its picture, or why there is none, its name, and how it is.

import { make, makeSVG, setText, show } from "./dom.js";
import { roleWord } from "./phrases.js";
import { isSmall } from "./sizes.js";
import { Track } from "./source.js";
import { initials, pictureReason, troubles } from "./terms.js";

const signs = {
  audio: ["Sound muted", "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0ZM5 11a7 7 0 0 0 14 0M12 18v4M3 3l18 18"],
  video: ["Picture muted", "M3 6h12v12H3ZM15 10l6-3v10l-6-3M2 2l20 20"],
  screen: ["Shares a screen", "M3 4h18v12H3ZM8 21h8M12 16v5"],
  trouble: ["", "M12 3 22 20H2ZM12 9v5M12 16.5v1"],
};
const enlargeSign = "M4 9V4h5M20 15v5h-5M15 4h5v5M9 20H4v-5";
const shrinkSign = "M9 4v5H4M15 20v-5h5M20 9h-5V4M4 15h5v5";
const slowNoteLasts = 5000;

export class Tile {
  node = make("article", "tile");
  #name = make("span", "tile-name");
  #role = make("span", "tile-role");
  #speaking = make("span", "speaking", "Speaking");
  #meter = make("span", "level");
  #meterBar = make("span", "level-bar");
  #signs = make("ul", "tile-signs");
  #cover = make("div", "cover");
  #initials = make("span", "initials");
  #reason = make("span", "reason");
  #note = make("p", "tile-note");
  #enlarge = make("button", "enlarge");
  #enlargePath;
  #image = null;
  #imageAddress = null;
  #member = null;
  #lost = null;
  #shown = "";
  #hidesNote = 0;

  // Whether pictures one by one are to be asked for, as there is no stream of them.
  needsPreview = false;
  // The number of its place.
  index = null;
  // Whether a small picture is enough for its size.
  isSmall = false;
  track;

  // `enlarge` is called when the tile is to be large, or not any more; `failed` when the browser can't go on with the
  // stream.
  constructor(id, { enlarge, failed }) {
    this.node.dataset.member = id;
    this.track = new Track(makeVideo, (video) => this.#showVideo(video), failed);
    this.#meter.setAttribute("aria-hidden", "true");
    this.#meter.append(this.#meterBar);
    const plate = make("p", "plate");
    plate.append(this.#meter, this.#name, this.#role, this.#speaking);
    this.#initials.setAttribute("aria-hidden", "true");
    this.#cover.append(this.#initials, this.#reason);
    const sign = makeSVG("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
    this.#enlargePath = makeSVG("path", {});
    sign.append(this.#enlargePath);
    this.#enlarge.append(sign);
    this.#enlarge.addEventListener("click", enlarge);
    this.node.addEventListener("click", (event) => {
      if (event.pointerType === "mouse" && !this.#enlarge.contains(event.target)) enlarge();
    });
    this.node.append(this.#cover, plate, this.#signs, this.#note, this.#enlarge);
  }

  get name() {
    return this.#member.name;
  }

  update(member, { isSpeaker, isLarge }) {
    this.#member = member;
    this.#showCover();
    const found = troubles(member);
    const { name, role, muted, sharesScreen } = member;
    const shown = JSON.stringify([name, role, muted, sharesScreen, found, isSpeaker, isLarge]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    setText(this.#name, member.name);
    setText(this.#role, member.role === "participant" ? "" : roleWord(member.role));
    setText(this.#initials, initials(member.name));
    show(this.#speaking, isSpeaker);
    this.node.classList.toggle("speaker", isSpeaker);
    this.node.classList.toggle("large", isLarge);
    this.#showSigns(member, found);
    this.#enlargePath.setAttribute("d", isLarge ? shrinkSign : enlargeSign);
    this.#enlarge.setAttribute("aria-pressed", isLarge);
    this.#enlarge.ariaLabel = `${member.name}, large`;
    const said = [...this.#signs.children].map((sign) => sign.ariaLabel);
    this.node.ariaLabel = [member.name, roleWord(member.role), isSpeaker ? "speaking" : "", ...said]
      .filter(Boolean).join(", ");
  }

  #showSigns(member, found) {
    const list = [...["audio", "video"].filter((track) => member.muted.includes(track)).map((track) => [track, ""]),
      ...(member.sharesScreen ? [["screen", "Screen"]] : []),
      ...found.map(({ word }) => ["trouble", word])];
    this.#signs.replaceChildren(...list.map(([kind, word]) => {
      const item = make("li", `sign ${kind}`);
      const sign = makeSVG("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
      sign.append(makeSVG("path", { d: signs[kind][1] }));
      item.append(sign);
      const said = word || signs[kind][0];
      item.append(make("span", word ? "" : "unseen", said));
      item.ariaLabel = said;
      item.title = said;
      return item;
    }));
  }

  #showCover() {
    const { muted, state } = this.#member;
    // What is muted is black at its source, and what is interrupted stands still.
    const hasPicture = !muted.includes("video") && state !== "interrupted"
      && (this.node.querySelector("video") !== null || this.#image !== null);
    show(this.#cover, !hasPicture);
    setText(this.#reason, hasPicture ? "" : pictureReason(this.#member, this.#lost));
  }

  // 0 to 127.
  setLevel(level) {
    this.#meterBar.style.transform = `scaleY(${(level / 127).toFixed(2)})`;
  }

  head({ type, bytes }) {
    this.#lost = null;
    this.needsPreview = !this.track.begin(type, bytes);
  }

  media({ bytes }) {
    for (const { name } of this.track.take(bytes)) if (name === "skipped") this.#say("This connection is too slow");
  }

  lost({ why }) {
    this.#lost = why;
    this.needsPreview = why === "unplayable";
    this.track.stop();
    this.#hideImage();
    this.#showCover();
  }

  // A picture of its own, as a blob; null for none.
  async showPreview(blob) {
    if (blob === null) {
      this.#hideImage();
      this.#showCover();
      return;
    }
    const next = make("img", "picture");
    next.alt = "";
    const address = URL.createObjectURL(blob);
    next.src = address;
    try {
      await next.decode();
    } catch {
      URL.revokeObjectURL(address);
      return;
    }
    if (!this.needsPreview) {
      URL.revokeObjectURL(address);
      return;
    }
    this.#hideImage();
    [this.#image, this.#imageAddress] = [next, address];
    this.node.prepend(next);
    this.#showCover();
  }

  #showVideo(video) {
    const before = this.node.querySelector("video");
    if (video !== null) {
      this.node.prepend(video);
      this.#hideImage();
    }
    before?.remove();
    this.#showCover();
  }

  #hideImage() {
    this.#image?.remove();
    if (this.#imageAddress !== null) URL.revokeObjectURL(this.#imageAddress);
    this.#image = this.#imageAddress = null;
  }

  // Once it is at its place. What is not shown has no size.
  measure() {
    const width = this.node.clientWidth;
    if (width > 0) this.isSmall = isSmall(width, devicePixelRatio, this.isSmall);
  }

  // In another place now: the browser has paused what was moved.
  resume() {
    this.node.querySelector("video")?.play().catch(() => {});
  }

  #say(text) {
    clearTimeout(this.#hidesNote);
    setText(this.#note, text);
    this.#hidesNote = setTimeout(() => setText(this.#note, ""), slowNoteLasts);
  }

  close() {
    this.track.stop();
    this.#hideImage();
    this.node.remove();
  }
}

function makeVideo() {
  const video = make("video", "picture");
  video.muted = true;
  video.playsInline = true;
  video.disablePictureInPicture = true;
  video.tabIndex = -1;
  video.setAttribute("aria-hidden", "true");
  return video;
}
