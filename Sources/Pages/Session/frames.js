// Reads the frames of a session's live response from bytes: heads, media and losses of several members.

import { join } from "./fragments.js";

const longestFrame = 64 << 20;
const kinds = ["head", "media", "lost", "padding"];
const tracks = ["video", "audio"];

// Takes bytes in pieces of any size, and returns the complete frames.
export class FrameReader {
  #pieces = [];
  #length = 0;

  feed(bytes) {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    const found = [];
    for (;;) {
      if (this.#length < 4) return found;
      const size = number(this.#peek(4));
      if (size < 4 || size > longestFrame) throw new Error("a frame of an impossible size");
      if (this.#length < 4 + size) return found;
      const frame = read(this.#peek(4 + size).subarray(4, 4 + size));
      this.#drop(4 + size);
      if (frame !== null) found.push(frame);
    }
  }

  // At least `count` bytes in one piece.
  #peek(count) {
    if (this.#pieces[0].length < count) this.#pieces = [join(this.#pieces)];
    return this.#pieces[0];
  }

  #drop(count) {
    this.#pieces[0] = this.#pieces[0].subarray(count);
    this.#length -= count;
    if (this.#pieces[0].length === 0) this.#pieces.shift();
  }
}

const number = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
const text = (bytes) => new TextDecoder().decode(bytes);

// Null for padding, and for kinds and tracks of a later version.
function read(bytes) {
  const [kind, track, nameLength] = [kinds[bytes[0]], tracks[bytes[1]], bytes[3]];
  if (kind === undefined || kind === "padding" || track === undefined) return null;
  if (4 + nameLength > bytes.length) throw new Error("a frame without its member");
  const member = text(bytes.subarray(4, 4 + nameLength));
  const payload = bytes.subarray(4 + nameLength);
  switch (kind) {
  case "head": {
    const end = 1 + payload[0];
    if (!(end <= payload.length)) throw new Error("a head without its type");
    return { kind, track, member, type: text(payload.subarray(1, end)), bytes: payload.subarray(end) };
  }
  case "lost": return { kind, track, member, why: String(JSON.parse(text(payload)).why ?? "") };
  default: return { kind, track, member, bytes: payload };
  }
}
