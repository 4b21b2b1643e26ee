// Runs inside the page: checks the page's pure modules, and gives what is wrong.
const done = arguments[arguments.length - 1];
(async () => {
  const [words, stream, stretches, { problems }, membership] = await Promise.all(
    ["/words.js", "/stream.js", "/stretches.js", "/problems.js", "/membership.js"].map((path) => import(path)));
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
  is("levels", [null, -90, -18.2, -0.2, 0, 3].map(words.level), ["no level", "silent", "−18 dB", "0 dB", "0 dB", "3 dB"]);
  is("shares", [null, -90, -60, -30, 0, 6].map(words.levelShare), [0, 0, 0, 0.5, 1, 1]);

  const causes = ["user", "system", "device", "crash", "deviceBusy", "source", "xrun", "encoderTooSlow", "diskTooSlow",
    "disk", "diskFailed", "fileGone", "network", "unresolved", "unreachable", "timedOut", "closed", "noProgress", "violated", "nameTaken",
    "worker", "closedBeforeAccepted", "refusedOrTaken", "refused", "certificate", "unsupported", "moved", "gaveUp"];
  is("causes without words", causes.filter((cause) => words.causeWord(cause) === cause), []);
  is("other causes", ["later", "toString", null].map(words.causeWord), ["later", "toString", null]);
  is("states", ["live", "constructor"].map(words.stateWord), ["Live", "constructor"]);
  is("tones", ["publishing", "waiting", "refused", "closed"].map(words.tone), ["good", "wait", "bad", "none"]);
  is("interrupted", words.stateSentence({ state: "interrupted", cause: "device" }), "A device is missing.");
  const onAir = (...states) => ({
    state: "live", outputs: states.map((state, index) => ({ id: "abc"[index], state, cause: "network" })),
  });
  is("live", [[], ["publishing"], ["publishing", "publishing"], ["publishing", "waiting", "refused"], ["stalled"]]
    .map((states) => words.stateSentence(onAir(...states))),
    ["Recording only, without outputs.", "On air at a.", "On air at a and b.", "On air at a, not at b and c.",
      "Nothing arrives at a."]);
  is("tallies", [onAir(), onAir("publishing", "waiting"), onAir("waiting"), { ...onAir("publishing"), onAir: "none" },
    { state: "interrupted" }].map((status) => words.tally(status).lamp), ["record", "on", "danger", "danger", "pause"]);
  is("a first attempt", words.tally({ state: "live", outputs: [{ id: "a", state: "connecting" }] }),
    { word: "Not on air", lamp: "off" });
  is("muted", [{}, { audio: { muted: true } }, { audio: { muted: true }, video: { muted: true } }]
    .map((tracks) => words.mutedSentence({ tracks })), [null, "The sound is muted.", "Sound and picture are muted."]);
  is("uploads", [[null, 1], [8.2e6, 2.7e6], [3e6, 2.7e6], [2e6, 2.7e6]]
    .map(([uploadBps, requiredBps]) => words.uploadWords({ uploadBps, requiredBps })?.tone),
    [undefined, "good", "wait", "bad"]);
  is("sounds", [{ codec: "aac", sampleRate: 44100, channels: 1 }, {}].map(words.soundFormat),
    ["AAC, 44.1 kHz, mono", ""]);
  is("free disk", [59, 3000, 36_000].map(words.timeLeft), ["0 min", "50 min", "10 hours"]);

  const found = (more) => problems({ state: "live", disk: "writing", ...more });
  const tones = (more) => found(more).map(({ id, tone }) => `${tone} ${id}`);
  is("problems", [tones({}), tones({ disk: "full", tracks: { video: { device: "lost" } } }),
    tones({ disk: "later", tracks: { other: { device: "lost" } } })], [[], ["bad disk", "wait track video"], []]);
  is("a refused gate", problems({ state: "previewing", gate: { state: "refused", reason: "too dark", by: "Max" } })
    .map(({ tone, text }) => [tone, text]), [["bad", "The gate refused (Max). Too dark."]]);
  is("outputs that are down", tones(onAir("publishing", "waiting", "refused")), ["wait output b", "wait output c"]);
  is("nothing on air", tones(onAir("waiting")), ["bad air", "wait output a"]);
  is("a first attempt is none", tones({ outputs: [{ id: "a", state: "connecting" }] }), []);
  const loss = { id: "7", cause: "network", output: "a", lostMs: 12_340 };
  is("a loss of an output that publishes", found({ ...onAir("publishing"), losses: [loss] })
    .map(({ id, figure }) => [id, figure]), [["output a", "Lost 12.3 s so far"]]);
  const general = (cause) => [{ ...loss, cause, output: null }];
  is("a loss is told once", found({ tracks: { video: { device: "lost" } }, losses: general("device") })
    .map(({ id, figure }) => [id, figure]), [["track video", "Lost 12.3 s so far"]]);
  is("a loss of its own", tones({ losses: general("encoderTooSlow") }), ["wait loss 7"]);
  is("off air", problems({ state: "interrupted", offAir: { since: "2026-11-21T11:30:00Z", cause: "user" } })
    .map(({ tone }) => tone), ["bad"]);
  is("the disk", [3599, 3600, null].map((diskSecondsLeft) => found({ diskSecondsLeft }).length), [1, 0, 0]);

  const places = ["https://hub.example/stage", "https://hub.example:8787/Stage%20left%20%C3%BC", "http://[::1]:8787/a%2Bb",
    "https://hub.example/%FF", "nowhere"];
  is("places of sessions", places.map((url) => Object.values(membership.place(url))),
    [["stage", "hub.example"], ["Stage left ü", "hub.example:8787"], ["a+b", "http://[::1]:8787"],
      ["https://hub.example/%FF", ""], ["nowhere", ""]]);
  const heard = (seconds) => new Date(Date.parse("2026-11-21T12:00:00Z") - seconds * 1000).toISOString();
  const within = (state, more = {}, seconds = 1) => ({
    state: "live", disk: "writing", at: "2026-11-21T12:00:00Z", recording: "a.mp4",
    session: {
      url: "https://hub.example/stage", state, member: null, role: "participant", muted: [], mutedByOthers: [],
      unmuteAsked: [], endsAt: null, othersReady: 0, lastHeard: heard(seconds), why: null, ...more,
    },
  });
  const members = ["joining", "joined", "absent", "passwordNeeded", "refused", "removed", "hubAway", "leaving", "superseded",
    "over", "left"];
  is("session states without words", members.filter((state) => words.sessionWord(state) === state), []);
  is("other session states", [words.sessionWord("later"), words.sessionTone("later")], ["later", "none"]);
  is("what may be left", members.filter((state) => membership.mayLeave(within(state))),
    ["joining", "joined", "absent", "passwordNeeded", "refused", "removed", "hubAway"]);
  is("no session is left", [membership.mayLeave({ session: null }), membership.mayLeave({})], [false, false]);
  is("troubles of a session", members.flatMap((state) => problems(within(state)).map(({ id, tone }) => `${tone} ${id}`)),
    ["absent", "passwordNeeded", "refused", "removed", "hubAway", "superseded"].map((state) => `wait session ${state}`));
  is("no session is no trouble", [problems({ state: "live", session: null }), problems({ state: "live" })], [[], []]);
  is("a trouble without a reason", problems(within("absent"))[0].text,
    "Session stage: it can’t be joined yet. Recording and other outputs continue.");
  is("what goes on", [
    { ...within("hubAway", { why: "the hub can't be reached: no route" }), recording: null },
    { ...within("removed"), state: "previewing" },
  ].map((status) => problems(status)[0].text),
  ["Session stage: the hub can't be reached: no route. Outputs continue.",
    "Session stage: this box was removed, and its output there is closed."]);
  is("a hub that is away", [[9, "a"], [10, "a"], [9, null]]
    .map(([seconds, member]) => membership.shownState(within("hubAway", { member }, seconds))),
    ["joined", "hubAway", "hubAway"]);
  const refused = { state: "refused", cause: "refused" };
  is("keys come from the hub", problems({ ...within("joined"), outputs: [{ ...refused, id: "session" }, { ...refused, id: "a" }] })
    .filter(({ id }) => id.startsWith("output")).map(({ todo }) => todo),
    ["Its address and key come from the session’s hub. Ask who runs the hub if it lasts.",
      "Check the stream key and the credentials."]);
  is("the end of a session", [null, 61, 60, 0].map((seconds) => problems(within("joined", {
    endsAt: seconds === null ? null : heard(-seconds) })).length), [0, 0, 1, 0]);
  const both = { muted: ["audio", "video"], mutedByOthers: ["video", "audio"] };
  is("notes on mutes", [within("joined"), within("joined", { muted: ["audio"] }), within("joined", both),
    within("joined", { ...both, muted: ["audio"] }, 20), within("joined", { ...both, role: "manager" })].map(words.muteNote),
    [null, null,
      "The session has muted sound and picture. While it has a host or a manager, only they can unmute them.",
      "The session has muted the sound. Its hub does not answer, so you may unmute it here.", null]);
  const byWhom = (mutedByOthers, ...muted) => words.mutedSentence({
    tracks: Object.fromEntries(muted.map((kind) => [kind, { muted: true }])), session: { muted, mutedByOthers },
  });
  is("muted by the session", [byWhom(["audio"], "audio"), byWhom(["audio"]), byWhom(["video"], "audio", "video"),
    byWhom(["video", "audio"], "audio", "video")],
    ["The sound is muted by the session.", null, "The picture is muted by the session, the sound here.",
      "Sound and picture are muted by the session."]);
  is("still muted", words.sessionWhy(within("left", { muted: ["video", "audio"] }), "left"),
    "Sound and picture are still muted, and may be unmuted here.");
  is("the end of a session on another day", /^22 Nov, \d\d:00$/.test(
    words.endTime(within("joined", { endsAt: heard(-86_400) }))), true);
  is("what a session refuses", [{ code: "mutedByOthers" }, { code: "notAsked", why: "the member was not asked to unmute" }]
    .map(words.refusedOrder), ["The session’s host or a manager has muted this box. Ask them to unmute it.",
    "The session refuses. The member was not asked to unmute."]);

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
  ], [], now);
  is("what can be read, oldest first", all.map((one) => [one.kind, one.to - one.from, one.lasts]),
    [["live", 3_600_000, true], ["gap", 60_000, false]]);
  const began = { history: [{ kind: "live", from: "2026-11-21T11:00:00Z", to: null }] };
  const at = "2026-11-21T11:30:00Z";
  const kinds = (status) => status.history.map(({ kind, to }) => `${kind} ${to ?? "lasts"}`);
  const paused = stretches.follow(began, { event: "interrupted", at, cause: "user" });
  is("an interruption follows", kinds(paused), [`live ${at}`, "interrupted lasts"]);
  is("an event that is known", stretches.follow(paused, { event: "interrupted", at }), paused);
  is("the end follows", kinds(stretches.follow(began, { event: "ended", at })), [`live ${at}`]);
  is("another event changes nothing", stretches.follow(began, { event: "mute", at }), began);
  const gap = {
    event: "gap", id: "7", at, cause: "network", output: "main", wallFrom: "2026-11-21T11:29:00Z", wallTo: at,
  };
  const losing = stretches.follow(began, { ...gap, event: "losing" });
  is("a loss follows",
    stretches.stretches(losing.history, losing.losses, now).map(({ kind, lasts }) => [kind, lasts]),
    [["live", true], ["gap", true]]);
  const missing = stretches.follow(losing, gap);
  is("a gap follows", [kinds(missing), missing.losses], [["live lasts", `gap ${at}`], []]);
  is("a gap that is known", kinds(stretches.follow(missing, gap)), kinds(missing));
  const ofAll = { ...gap, output: null, wallTo: "2026-11-21T11:31:00Z" };
  is("a gap of the interruption is none", kinds(stretches.follow(paused, ofAll)), kinds(paused));
  is("a loss of the interruption is none",
    stretches.stretches(paused.history, [{ id: "1", wallFrom: at, output: null }], now).length, 2);
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
