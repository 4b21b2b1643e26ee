// Runs inside the page: checks how it reads fragments, also damaged ones, and keeps its pace. Gives what is wrong.
const done = arguments[arguments.length - 1];
(async () => {
  const [{ FragmentReader, join }, { Pace }] = await Promise.all(
    ["/fragments.js", "/pace.js"].map((path) => import(path)));
  const wrong = [];
  let count = 0;
  const is = (what, got, wanted) => {
    count += 1;
    const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (a !== b) wrong.push(`${what}: ${a}, not ${b}`);
  };

  // Boxes as the broadcaster writes them.
  const text = (string) => new TextEncoder().encode(string);
  const number = (value, bytes = 4) =>
    Uint8Array.from({ length: bytes }, (_, index) => Number(BigInt(value) >> BigInt(8 * (bytes - 1 - index)) & 255n));
  const box = (type, ...content) => {
    const all = join(content);
    return join([number(all.length + 8), text(type), all]);
  };
  const track = (id, timescale, handler) => box("trak",
    box("tkhd", number(0, 12), number(id), number(0, 8)),
    box("mdia", box("mdhd", number(0, 12), number(timescale), number(0, 8)),
      box("hdlr", number(0, 8), text(handler), number(0, 13))));
  const head = join([box("ftyp", text("isom")), box("moov", track(1, 30_000, "vide"), track(2, 48_000, "soun"))]);
  const fragment = (id, time, isKeyframe, bytes = 3) => join([
    box("moof", box("mfhd", number(0), number(1)), box("traf",
      box("tfhd", number(0x020028), number(id), number(1000), number(0x01010000)),
      box("tfdt", number(0x01000000), number(time, 8)),
      isKeyframe ? box("trun", number(0x01000205), number(1), number(100), number(0x02000000), number(bytes))
        : box("trun", number(0x01000201), number(1), number(100), number(bytes))), box("free")),
    box("mdat", new Uint8Array(bytes))]);
  const message = (scheme, name, data) =>
    box("emsg", number(0x01000000), number(1000), number(0, 8), number(0), number(1), text(`${scheme}\0${name}\0${data}`));
  const pieces = [
    head, fragment(1, 60_000, true, 2000), fragment(2, 96_000, false), box("free"),
    message("urn:holdfast:live", "skipped", "{\"ms\":1600}"), message("urn:other", "x", "no JSON"),
    fragment(1, 61_000, false, 10)];
  const stream = join(pieces);
  const shown = (items) => items.map(({ bytes, ...rest }) => ({ ...rest, length: bytes?.length }));
  const wanted = [
    { kind: "head", tracks: ["video", "audio"], length: pieces[0].length },
    { kind: "fragment", track: "video", time: 2, isKeyframe: true, length: pieces[1].length },
    { kind: "fragment", track: "audio", time: 2, isKeyframe: true, length: pieces[2].length },
    { kind: "message", name: "skipped", data: { ms: 1600 } },
    { kind: "fragment", track: "video", time: 61 / 30, isKeyframe: false, length: pieces[6].length },
  ];
  const read = (bytes, piece) => {
    const reader = new FragmentReader();
    const items = [];
    for (let at = 0; at < bytes.length; at += piece) items.push(...reader.feed(bytes.subarray(at, at + piece)));
    return items;
  };
  for (const piece of [1, 2, 3, 7, 8, 9, 100, 1000, 4096, stream.length]) is(`pieces of ${piece}`, shown(read(stream, piece)), wanted);
  is("the bytes are unchanged", [...join(read(stream, 11).filter(({ bytes }) => bytes).map(({ bytes }) => bytes))],
    [...join([0, 1, 2, 6].map((index) => pieces[index]))]);

  const refuses = (what, bytes) => {
    count += 1;
    try { read(bytes, 5); } catch { return; }
    wrong.push(`${what} is not refused`);
  };
  refuses("a box without room for its head", join([head, number(7), text("free")]));
  refuses("a box of 4 GB", join([head, number(0xffffffff), text("mdat")]));
  refuses("media without a description", join([head, box("mdat")]));
  refuses("a fragment of an unknown track", join([head, fragment(9, 0, true)]));
  refuses("a fragment before the head", fragment(1, 0, true));
  refuses("a track without a timescale", box("moov", track(1, 0, "vide")));
  refuses("a box that leaves its container", join([head, box("moof", number(100), text("traf")), box("mdat")]));
  refuses("a message without an end", box("emsg", number(0x01000000), new Uint8Array(20).fill(1)));

  // Whatever comes, it is an error or it is read; nothing else, and in little time.
  let seed = 7;
  const random = (limit) => {
    seed = seed * 1103515245 + 12345 & 0x7fffffff;
    return (seed >> 8) % limit;
  };
  const began = performance.now();
  let readings = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const bytes = stream.slice(0, random(2) ? stream.length : 1 + random(stream.length));
    for (let change = random(6); change >= 0; change -= 1) {
      const at = random(2) ? random(Math.min(400, bytes.length)) : random(bytes.length);
      bytes[at] = random(3) ? random(256) : [0, 1, 8, 255][random(4)];
    }
    try {
      for (const item of read(bytes, 1 + random(3000))) {
        if (!["head", "fragment", "message"].includes(item.kind)) wrong.push(`an item of the kind ${item.kind}`);
        if (item.kind === "fragment" && !(item.time >= 0 && item.time < Infinity)) wrong.push(`a time of ${item.time}`);
      }
      readings += 1;
    } catch (error) {
      if (!(error instanceof Error)) wrong.push(`threw ${error}`);
    }
  }
  is("some of the damaged streams are read", readings > 1000 && readings < 20_000, true);
  is("damaged streams take little time", performance.now() - began < 10_000, true);

  // The pace.
  const pace = new Pace();
  is("close to now it plays", pace.step(0.3, 0), { jumps: false, rate: 1 });
  is("a little late it hurries", pace.step(0.5, 100), { jumps: false, rate: 1.1 });
  is("until it is close again", [0.35, 0.28, 0.26, 0.3].map((behind) => pace.step(behind, 200).rate), [1.1, 1.1, 1, 1]);
  is("a second late it jumps", [pace.step(1, 300).jumps, pace.step(1.01, 300)], [false, { jumps: true, rate: 1 }]);
  const before = pace.target;
  pace.stalled(1000);
  is("after a stall it stays further behind", pace.target > before, true);
  for (let stall = 0; stall < 100; stall += 1) pace.stalled(1000);
  is("but never so far that it would jump", pace.target < 0.9, true);
  for (let now = 1000; now < 1_000_000; now += 1000) pace.step(0.3, now);
  is("calm times bring it back", pace.target, before);
  return { count, wrong };
})().then(done, (error) => done({ count: 0, wrong: [String(error)] }));
