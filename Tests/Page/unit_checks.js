// Runs inside the page: checks the page's pure modules, and gives what is wrong.
const done = arguments[arguments.length - 1];
(async () => {
  const [words, stream, stretches] = await Promise.all(
    ["/words.js", "/stream.js", "/stretches.js"].map((path) => import(path)));
  const wrong = [];
  let count = 0;
  const is = (what, got, wanted) => {
    count += 1;
    const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (a !== b) wrong.push(`${what}: ${a}, not ${b}`);
  };

  // The event stream, in whatever pieces it comes.
  const text = ": hello\n\nid: 7f3a-1\nevent: live\ndata: {\"a\":1}\n\n"
    + "event: status\r\ndata: one\r\ndata:two\r\n\r\nid: 7f3a-2\rdata\r\r"
    + "data: ü:x\nretry: 5\nunknown: 1\n\nevent: torn\ndata: x";
  const wanted = [
    { name: "live", id: "7f3a-1", data: "{\"a\":1}" },
    { name: "status", id: null, data: "one\ntwo" },
    { name: "message", id: "7f3a-2", data: "" },
    { name: "message", id: null, data: "ü:x" },
  ];
  for (let piece = 1; piece <= text.length; piece += 1) {
    const parser = new stream.EventParser();
    const events = [];
    for (let at = 0; at < text.length; at += piece) events.push(...parser.feed(text.slice(at, at + piece)));
    is(`pieces of ${piece}`, events, wanted);
    is("last id", parser.lastID, "7f3a-2");
  }
  const empty = new stream.EventParser();
  is("an event without data is none", empty.feed("event: reset\n\n"), []);
  is("an id alone is kept", [empty.feed("id: a-9\n\n"), empty.lastID], [[], "a-9"]);
  let tooLong = false;
  try { new stream.EventParser().feed("x".repeat((1 << 20) + 1)); } catch { tooLong = true; }
  is("a line without end is refused", tooLong, true);
  is("epochs", ["7f3a-12", "a-b-3", null].map(stream.epoch), ["7f3a", "a-b", null]);
  is("waits", [0, 1, 2, 3, 4, 5, 6, 1000].map(stream.wait), [500, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  const meter = new stream.RateMeter();
  is("rates", [[0, 0], [1000, 1000], [2000, 3000], [3000, 1000], [4000, 2000]].map(([at, n]) => meter.take(at, n)),
    [null, 8000, 12000, null, 8000]);

  is("clocks", [-5, 0, 59.9, 60, 3599, 3600, 36061].map(words.clock),
    ["0:00", "0:00", "0:59", "1:00", "59:59", "1:00:00", "10:01:01"]);
  is("durations", [0, 420, 999, 1000, 59_499, 59_500, 90_000, 3_600_000, 3_725_000].map(words.duration),
    ["0 s", "420 ms", "999 ms", "1 s", "59 s", "1 min", "1 min 30 s", "1 h", "1 h 2 min"]);
  is("rates", [null, 0, 850_000, 2_480_000].map(words.rate), ["–", "0 kbit/s", "850 kbit/s", "2.48 Mbit/s"]);
  is("sizes", [0, 1023, 1536, 1024 ** 3 * 200].map(words.size), ["0 B", "1023 B", "1.5 KiB", "200 GiB"]);
  is("levels", [null, -90, -18.2, -0.2, 0, 3].map(words.level), ["silent", "silent", "−18 dB", "0 dB", "0 dB", "3 dB"]);
  is("shares", [null, -90, -60, -30, 0, 6].map(words.levelShare), [0, 0, 0, 0.5, 1, 1]);

  const causes = ["user", "system", "device", "crash", "deviceBusy", "source", "xrun", "encoderTooSlow", "diskTooSlow",
    "disk", "network", "unresolved", "unreachable", "timedOut", "closed", "noProgress", "violated", "nameTaken",
    "closedBeforeAccepted", "refusedOrTaken", "refused", "certificate", "unsupported", "moved", "gaveUp"];
  is("causes without words", causes.filter((cause) => words.causeWord(cause) === cause), []);
  is("other causes", ["later", "toString", null].map(words.causeWord), ["later", "toString", null]);
  is("states", ["live", "constructor"].map(words.stateWord), ["Live", "constructor"]);
  is("tones", ["live", "interrupted", "refused", "closed"].map(words.tone), ["good", "wait", "bad", "none"]);
  is("interrupted", words.stateSentence({ state: "interrupted", cause: "device" }), "A device is missing.");
  const outputs = (...states) => words.stateSentence({ state: "live", outputs: states.map((state) => ({ state })) });
  is("live", [outputs(), outputs("publishing"), outputs("publishing", "publishing"), outputs("publishing", "waiting")],
    ["Recording.", "The output is publishing.", "All 2 outputs are publishing.", "1 of 2 outputs is publishing."]);
  const troubled = (more) => words.troubles({ state: "live", disk: "writing", ...more }).map(({ tone }) => tone);
  is("troubles", [troubled({}), troubled({ disk: "full", tracks: { video: { device: "lost" } } }),
    troubled({ disk: "later", tracks: { other: { device: "lost" } } })], [[], ["bad", "wait"], []]);
  is("a refused gate", words.troubles({ state: "previewing", gate: { state: "refused", reason: "too dark" } }),
    [{ tone: "bad", text: "The gate refused. Too dark." }]);
  const errors = [
    { message: "it is full", hint: "make room" }, { message: "no." }, null, { message: "camera:A1 is busy" }];
  is("errors", errors.map(words.errorSentence),
    ["It is full. Make room.", "No.", "Something went wrong.", "camera:A1 is busy."]);
  is("names", ["test picture", "clip.mp4"].map(words.capital), ["Test picture", "clip.mp4"]);

  const now = Date.parse("2026-11-21T12:00:00Z");
  const all = stretches.stretches([
    { kind: "gap", from: "2026-11-21T11:30:00Z", to: "2026-11-21T11:31:00Z", output: "main" },
    { kind: "live", from: "2026-11-21T11:00:00Z", to: null },
    { kind: "live", from: "never", to: null },
    { kind: "gap", from: "2026-11-21T11:00:00Z", to: "2026-11-21T10:00:00Z" },
  ], now);
  is("what can be read, oldest first", all.map((one) => [one.kind, one.to - one.from, one.lasts]),
    [["live", 3_600_000, true], ["gap", 60_000, false]]);
  is("rows", stretches.rows(all).map((row) => [row.output, row.stretches.length]), [[null, 1], ["main", 1]]);
  is("sums", stretches.sums(all), { live: { count: 1, ms: 3_600_000 }, gap: { count: 1, ms: 60_000 } });
  is("nothing has room", stretches.range([], now), { from: now, to: now + 120_000 });
  is("it begins at the first", stretches.range([{ from: now - 5000 }], now), { from: now - 5000, to: now + 115_000 });
  is("a day is six hours", stretches.range([{ from: now - 86_400_000 }], now).from, now - 6 * 3_600_000);
  const hour = { from: now - 3_600_000, to: now };
  is("places", [[-2, -1], [-0.5, 0], [-2, -0.5]].map(([from, to]) =>
    stretches.place({ from: now + from * 3_600_000, to: now + to * 3_600_000 }, hour)),
    [{ start: 0, end: 0 }, { start: 0.5, end: 1 }, { start: 0, end: 0.5 }]);
  for (const length of [600_000, 3_600_000, 6 * 3_600_000]) {
    const times = stretches.ticks({ from: now - length, to: now }, 6);
    is(`labels of ${length}`, times.length >= 2 && times.length <= 7, true);
  }
  return { count, wrong };
})().then(done, (error) => done({ count: 0, wrong: [String(error)] }));
