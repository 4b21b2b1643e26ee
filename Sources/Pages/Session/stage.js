// The grid of pictures: who is in which place comes from the session, and nobody who is visible moves.

import { make, show } from "./dom.js";
import { part } from "./gate.js";
import { grid } from "./state.js";
import { Tile } from "./tile.js";

const capacities = [1, 4, 6, 9, 12];
const capacityKey = "holdfast.capacity";
const barStays = 3000;
const levelsLast = 1500;
// Where there is less room, a large picture is above the others.
const roomBeside = 600;

export class Stage {
  #node = part("stage");
  #list = part("places");
  #places = [];
  #tiles = new Map();
  #changed;
  #failed;
  #state = null;
  // The member that somebody has made large, or null for the newest screen, unless that was made small.
  #chosen = null;
  #madeSmall = null;
  #hidesBar = 0;
  #endsLevels = 0;

  // `changed` is called when other pictures are wanted, `failed` when the browser can't go on with what came so far.
  constructor(changed, failed) {
    [this.#changed, this.#failed] = [changed, failed];
    const capacity = part("capacity");
    capacity.value = localStorage.getItem(capacityKey) ?? "";
    capacity.addEventListener("change", () => {
      localStorage.setItem(capacityKey, capacity.value);
      this.#show();
    });
    new ResizeObserver(() => requestAnimationFrame(() => this.#show())).observe(this.#list);
    part("full-screen").addEventListener("click", () => this.#toggleFullScreen());
    show(part("full-screen"), document.fullscreenEnabled === true);
    document.addEventListener("fullscreenchange", () => {
      part("full-screen").setAttribute("aria-pressed", document.fullscreenElement === this.#node);
    });
    this.#watchBar();
  }

  get capacity() {
    const chosen = Number(part("capacity").value);
    if (capacities.includes(chosen)) return chosen;
    if (Math.min(innerWidth, innerHeight) < 480) return 4;
    return innerWidth < 900 ? 6 : innerWidth < 1200 ? 9 : 12;
  }

  // The tiles of all who are visible, by the member's id.
  get tiles() {
    return this.#tiles;
  }

  show(state) {
    this.#state = state;
    this.#show();
  }

  clear() {
    clearTimeout(this.#endsLevels);
    for (const id of this.#tiles.keys()) this.#drop(id);
    this.#state = this.#chosen = this.#madeSmall = null;
  }

  // They last for as long as new ones come.
  setLevels(levels) {
    clearTimeout(this.#endsLevels);
    for (const [id, tile] of this.#tiles) tile.setLevel(levels[id] ?? 0);
    this.#endsLevels = setTimeout(() => this.setLevels({}), levelsLast);
  }

  #show() {
    if (this.#state === null) return;
    const { places, rows, columns } = grid(this.#state, this.capacity);
    const members = new Map(this.#state.members.map((member) => [member.id, member]));
    const visible = places.map((id) => members.get(id) ?? null);
    const before = this.#wanted;
    for (const [id, tile] of this.#tiles) {
      if (visible.some((member) => member?.id === id)) continue;
      // Who has left a hole may come back to it.
      if (!members.has(id) && visible[tile.index] === null) tile.node.remove();
      else this.#drop(id);
    }
    const large = this.#large(visible);
    visible.forEach((member, index) => this.#fill(index, member, large));
    this.#places.forEach((place, index) => show(place, index < visible.length));
    this.#arrange(visible, rows, columns, large);
    show(part("nobody"), visible.every((member) => member === null));
    for (const tile of this.#tiles.values()) tile.measure();
    if (this.#wanted !== before) this.#changed();
  }

  get #wanted() {
    return [...this.#tiles].map(([id, { isSmall }]) => `${id} ${isSmall}`).join();
  }

  #place(index) {
    while (this.#places.length <= index) {
      const place = make("li", "place");
      this.#places.push(place);
      this.#list.append(place);
    }
    return this.#places[index];
  }

  #drop(id) {
    this.#tiles.get(id).close();
    this.#tiles.delete(id);
  }

  #fill(index, member, large) {
    const place = this.#place(index);
    place.classList.toggle("hole", member === null);
    const former = member === null ? [...this.#tiles.values()].find((tile) => tile.index === index) : undefined;
    place.dataset.gone = former === undefined ? "" : `${former.name} is gone`;
    if (member === null) return;
    const { id } = member;
    if (!this.#tiles.has(id)) {
      this.#tiles.set(id, new Tile(id, { enlarge: () => this.#enlarge(id), failed: this.#failed }));
    }
    const tile = this.#tiles.get(id);
    tile.index = index;
    if (tile.node.parentNode !== place) {
      place.append(tile.node);
      tile.resume();
    }
    tile.update(member, { isSpeaker: id === this.#state.speaker, isLarge: id === large });
  }

  // The id of the member whose picture is large, or null.
  #large(visible) {
    const isThere = (id) => visible.some((member) => member?.id === id);
    if (this.#chosen !== null) return isThere(this.#chosen) ? this.#chosen : null;
    const newest = this.#state.sharing.findLast(isThere) ?? null;
    return newest === this.#madeSmall ? null : newest;
  }

  #enlarge(id) {
    const visible = [...this.#tiles.keys()].map((id) => ({ id }));
    const isLarge = this.#large(visible) === id;
    this.#chosen = isLarge ? null : id;
    this.#madeSmall = isLarge ? this.#state.sharing.at(-1) ?? null : null;
    this.#show();
  }

  // Rows and columns as the session has them; on a screen that is higher than wide the other way round.
  #arrange(visible, rows, columns, large) {
    const { clientWidth: width, clientHeight: height } = this.#list;
    const others = visible.filter((member) => member?.id !== large).length;
    const style = this.#list.style;
    const isSplit = large !== null && others > 0;
    this.#node.classList.toggle("split", isSplit);
    // Pictures side by side fill their places.
    const isGrid = large === null && columns > rows;
    style.setProperty("--shape", isGrid ? `${16 * columns} / ${9 * rows}` : "16 / 9");
    const isNarrow = width < roomBeside;
    const isHigh = height > width || isSplit && isNarrow;
    if (isSplit) {
      const lines = Math.ceil(others / 4);
      const along = Math.max(1, Math.ceil(others / lines));
      const strip = `repeat(${lines}, minmax(0, 1fr))`;
      const main = `repeat(${along}, minmax(0, 1fr))`;
      const whole = `minmax(0, ${isNarrow ? 2 * lines : Math.max(4, 2 * lines)}fr)`;
      style.gridTemplateColumns = isHigh ? main : `${whole} ${strip}`;
      style.gridTemplateRows = isHigh ? `${whole} ${strip}` : main;
    } else {
      const [across, down] = isHigh && rows < columns ? [rows, columns] : [columns, rows];
      style.gridTemplateColumns = `repeat(${large === null ? Math.max(1, across) : 1}, minmax(0, 1fr))`;
      style.gridTemplateRows = `repeat(${large === null ? Math.max(1, down) : 1}, minmax(0, 1fr))`;
    }
    this.#places.forEach((place, index) => {
      const isLarge = large !== null && visible[index]?.id === large;
      place.style.gridRow = isLarge ? (isHigh ? "1" : "1 / -1") : "";
      place.style.gridColumn = isLarge ? (isHigh ? "1 / -1" : "1") : "";
    });
  }

  async #toggleFullScreen() {
    if (document.fullscreenElement !== null) await document.exitFullscreen();
    else await this.#node.requestFullscreen().catch(() => {});
  }

  // The bar goes away when nothing moves, and by a tap; it comes back by movement, a tap, a key and the focus.
  #watchBar() {
    const wake = () => {
      this.#node.classList.remove("calm");
      clearTimeout(this.#hidesBar);
      this.#hidesBar = setTimeout(() => this.#calm(), barStays);
    };
    this.#node.addEventListener("pointermove", (event) => event.pointerType === "mouse" && wake());
    this.#node.addEventListener("focusin", wake);
    document.addEventListener("keydown", wake);
    this.#node.addEventListener("pointerup", (event) => {
      if (event.pointerType === "mouse") return;
      const isControl = event.target.closest("button, select") !== null;
      if (this.#node.classList.contains("calm") || isControl) wake();
      else this.#calm();
    });
    wake();
  }

  #calm() {
    clearTimeout(this.#hidesBar);
    this.#node.classList.add("calm");
  }
}
