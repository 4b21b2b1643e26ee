// Reads server-sent events from bytes. The browser's EventSource can't send a token.

const longestLine = 1 << 20;

// Takes text in pieces of any size, and returns the complete events.
export class EventParser {
  #rest = "";
  #skipsLineFeed = false;
  #name = "";
  #data = [];
  #id = null;

  // The id of the last event that had one.
  lastID = null;

  feed(text) {
    const events = [];
    if (this.#skipsLineFeed && text !== "") {
      if (text.startsWith("\n")) text = text.slice(1);
      this.#skipsLineFeed = false;
    }
    this.#rest += text;
    let from = 0;
    for (;;) {
      const end = this.#rest.slice(from).search(/[\r\n]/);
      if (end < 0) break;
      const line = this.#rest.slice(from, from + end);
      from += end + 1;
      if (this.#rest[from - 1] === "\r") {
        if (from === this.#rest.length) this.#skipsLineFeed = true;
        else if (this.#rest[from] === "\n") from += 1;
      }
      const event = this.#take(line);
      if (event) events.push(event);
    }
    this.#rest = this.#rest.slice(from);
    if (this.#rest.length > longestLine) throw new Error("a line of the event stream is too long");
    return events;
  }

  #take(line) {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#name = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #finish() {
    const [name, data, id] = [this.#name || "message", this.#data, this.#id];
    [this.#name, this.#data, this.#id] = ["", [], null];
    if (id !== null) this.lastID = id;
    return data.length > 0 ? { name, id, data: data.join("\n") } : null;
  }
}

// The server process that an event's id belongs to: `7f3a` of `7f3a-12`.
export const epoch = (id) => (id == null ? null : id.slice(0, Math.max(0, id.lastIndexOf("-"))));

// How long to wait before the nth attempt in a row, from 1 on: 0.5, 1, 2, 4, 5, 5 … seconds.
export const wait = (attempt) => Math.min(5000, 500 * 2 ** Math.min(10, Math.max(0, attempt - 1)));

// An output's bitrate, from its last few byte counts.
export class RateMeter {
  #counts = [];

  take(at, bytes) {
    const last = this.#counts.at(-1);
    if (last && (bytes < last.bytes || at < last.at)) this.#counts = [];
    this.#counts.push({ at, bytes });
    while (this.#counts.length > 2 && at - this.#counts[0].at > 3000) this.#counts.shift();
    const first = this.#counts[0];
    return at > first.at ? ((bytes - first.bytes) * 8000) / (at - first.at) : null;
  }
}
