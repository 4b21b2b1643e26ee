// Reads a stream of fragmented MP4 from bytes, as far as the page needs it: its tracks, the time of each fragment, and
// the messages in between.

const longestBox = 64 << 20;
const mostBoxes = 64;
const scheme = "urn:holdfast:live";

// Takes bytes in pieces of any size, and returns what is complete: the head, fragments and messages.
export class FragmentReader {
  #pieces = [];
  #length = 0;
  #tracks = new Map();
  #before = [];

  feed(bytes) {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    const found = [];
    for (;;) {
      if (this.#length < 8) return found;
      const { size } = head(this.#peek(8), 0);
      if (size > longestBox) throw new Error("a box of the live stream is too long");
      if (this.#length < size) return found;
      const item = this.#take(this.#peek(size).subarray(0, size));
      this.#drop(size);
      if (item) found.push(item);
    }
  }

  // At least `count` bytes in one piece.
  #peek(count) {
    if (this.#pieces[0].length < count) {
      const all = new Uint8Array(this.#length);
      let at = 0;
      for (const piece of this.#pieces) {
        all.set(piece, at);
        at += piece.length;
      }
      this.#pieces = [all];
    }
    return this.#pieces[0];
  }

  #drop(count) {
    this.#pieces[0] = this.#pieces[0].subarray(count);
    this.#length -= count;
    if (this.#pieces[0].length === 0) this.#pieces.shift();
  }

  #take(box) {
    const { type } = head(box, 0);
    switch (type) {
    case "ftyp":
      this.#before = [box];
      return null;
    case "moov": {
      this.#tracks = tracks(box);
      const bytes = join([...this.#before, box]);
      this.#before = [];
      return { kind: "head", bytes, tracks: [...this.#tracks.values()].map(({ kind }) => kind) };
    }
    case "moof":
      this.#before = [box];
      return null;
    case "mdat": {
      const [movie] = this.#before;
      this.#before = [];
      if (movie === undefined || head(movie, 0).type !== "moof") throw new Error("media without a description");
      return { kind: "fragment", bytes: join([movie, box]), ...fragment(movie, this.#tracks) };
    }
    case "emsg": return message(box);
    }
    return null;
  }
}

export function join(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// The size and type of the box at an offset. Boxes up to 4 GB have a short size.
function head(bytes, at) {
  const size = view(bytes).getUint32(at);
  const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  if (size < 8) throw new Error("a box of an impossible size");
  return { size, type };
}

// The boxes in a box, from an offset on.
function boxes(bytes, from = 8) {
  const found = [];
  for (let at = from; at + 8 <= bytes.length;) {
    const { size, type } = head(bytes, at);
    if (size > bytes.length - at) throw new Error("a box is longer than its container");
    if (found.length === mostBoxes) throw new Error("too many boxes");
    found.push({ type, bytes: bytes.subarray(at, at + size) });
    at += size;
  }
  return found;
}

function inside(bytes, ...path) {
  for (const name of path) bytes = boxes(bytes).find(({ type }) => type === name)?.bytes ?? fail(`no ${name}`);
  return bytes;
}

function fail(what) {
  throw new Error(`the live stream can’t be read: ${what}`);
}

// The field after the times of creation and modification.
function afterTimes(bytes) {
  return view(bytes).getUint32(bytes[8] === 1 ? 28 : 20);
}

function tracks(movie) {
  const found = new Map();
  for (const { type, bytes } of boxes(movie)) {
    if (type !== "trak") continue;
    const timescale = afterTimes(inside(bytes, "mdia", "mdhd"));
    if (timescale === 0) fail("a track without time");
    const handler = String.fromCharCode(...inside(bytes, "mdia", "hdlr").subarray(16, 20));
    const kind = { vide: "video", soun: "audio" }[handler] ?? null;
    found.set(afterTimes(inside(bytes, "tkhd")), { kind, timescale });
  }
  return found;
}

// The track, the time in seconds, and whether decoding can start there: the first sample’s flags tell that of a picture.
function fragment(movie, known) {
  const part = inside(movie, "traf");
  const track = known.get(view(inside(part, "tfhd")).getUint32(12)) ?? fail("an unknown track");
  const start = inside(part, "tfdt");
  const ticks = start[8] === 1 ? Number(view(start).getBigUint64(12)) : view(start).getUint32(12);
  const run = view(inside(part, "trun"));
  const isKeyframe = track.kind === "audio" || (run.getUint32(8) & 4) !== 0 && (run.getUint32(20) & 0x10000) === 0;
  return { track: track.kind, time: ticks / track.timescale, isKeyframe };
}

// A message of the broadcaster; null for any other.
function message(box) {
  if (box[8] !== 1) return null;
  const texts = [];
  let at = 32;
  for (let count = 0; count < 2; count += 1) {
    const end = box.indexOf(0, at);
    if (end < 0) fail("a message without an end");
    texts.push(new TextDecoder().decode(box.subarray(at, end)));
    at = end + 1;
  }
  if (texts[0] !== scheme) return null;
  return { kind: "message", name: texts[1], data: JSON.parse(new TextDecoder().decode(box.subarray(at))) };
}
