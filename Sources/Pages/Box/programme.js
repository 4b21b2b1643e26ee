// The tiles of a programme: which layout, which one is large, whose sound is muted.

import { element, make, setText, show } from "./dom.js";
import { ask } from "./requests.js";
import * as words from "./words.js";

export class Programme {
  #act;
  #rows = new Map();
  #layouts = [...document.querySelectorAll("#layouts button")];

  // `act` runs an action under an id and reports its error.
  constructor(act) {
    this.#act = act;
    for (const button of this.#layouts) {
      const { layout } = button.dataset;
      button.addEventListener("click", () => act(() => ask("PATCH", "/v1/layout", { layout }), `layout-${layout}`));
    }
  }

  show(programme, hasRight, isConnected) {
    show(element("programme"), programme != null);
    if (programme == null) return;
    const mayArrange = hasRight("switchCamera");
    show(element("layouts"), mayArrange);
    show(element("layout-in-use"), !mayArrange);
    setText(element("layout-in-use"), `Layout: ${this.#name(programme.layout)}`);
    for (const button of this.#layouts) {
      button.setAttribute("aria-pressed", button.dataset.layout === programme.layout);
      button.disabled = !isConnected;
    }
    this.#showTiles(programme, { mayArrange, mayMute: hasRight("mute"), isConnected });
  }

  #name(layout) {
    return this.#layouts.find((button) => button.dataset.layout === layout)?.textContent ?? layout;
  }

  // Rows stay with their tiles, so that a button keeps the focus while others come and go.
  #showTiles(programme, rights) {
    const names = programme.tiles.map(({ name }) => name);
    for (const [name, row] of this.#rows) {
      if (names.includes(name)) continue;
      row.node.remove();
      this.#rows.delete(name);
    }
    const list = element("tile-list");
    programme.tiles.forEach((tile, index) => {
      const row = this.#row(tile.name);
      if (list.children[index] !== row.node) list.insertBefore(row.node, list.children[index] ?? null);
      showTile(row, tile, programme, rights);
    });
    show(element("no-tiles"), names.length === 0);
  }

  #row(name) {
    const known = this.#rows.get(name);
    if (known) return known;
    const row = {
      node: make("li"), name: make("strong", "", name), device: make("p", "device"),
      large: make("button", "large", "Large"), mute: make("button", "mute"),
    };
    const buttons = make("div", "buttons");
    buttons.append(row.large, row.mute);
    row.node.append(row.name, row.device, buttons);
    row.large.setAttribute("aria-label", `${name} large`);
    row.large.addEventListener("click", () => {
      const spotlight = row.large.getAttribute("aria-pressed") === "true" ? null : name;
      this.#act(() => ask("PATCH", "/v1/layout", { spotlight }), `large-${name}`);
    });
    row.mute.addEventListener("click", () => {
      const muted = row.mute.getAttribute("aria-pressed") !== "true";
      this.#act(() => ask("PATCH", `/v1/tiles/${encodeURIComponent(name)}`, { muted }), `mute-${name}`);
    });
    this.#rows.set(name, row);
    return row;
  }
}

function showTile(row, tile, programme, { mayArrange, mayMute, isConnected }) {
  const isLarge = programme.spotlight === tile.name;
  row.device.className = `device ${words.tone(tile.device)}`;
  setText(row.device, words.tileSentence(tile, isLarge && !mayArrange, tile.muted && !mayMute));
  row.large.setAttribute("aria-pressed", isLarge);
  row.mute.setAttribute("aria-pressed", tile.muted);
  setText(row.mute, tile.muted ? "Muted" : "Mute");
  row.mute.setAttribute("aria-label", tile.muted ? `${tile.name} muted` : `Mute ${tile.name}`);
  show(row.large, mayArrange);
  show(row.mute, mayMute);
  for (const button of [row.large, row.mute]) button.disabled = !isConnected;
}
