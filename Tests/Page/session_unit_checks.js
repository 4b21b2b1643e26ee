// Runs inside the page: checks the pure modules of a session’s page, and gives what is wrong.
const done = arguments[arguments.length - 1];
(async () => {
  const [{ FrameReader }, { adopt, fold, grid, secondsLeft }, { commandsFor, rights }, { History }, terms, { expiry },
    { isSmall }] = await Promise.all(
    ["frames", "state", "rights", "history", "terms", "access", "sizes"].map((name) => import(`/page/${name}.js`)));
  const wrong = [];
  let count = 0;
  const is = (what, got, wanted) => {
    count += 1;
    const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (a !== b) wrong.push(`${what}: ${a}, not ${b}`);
  };

  // Frames, in whatever pieces they come.
  const text = (string) => [...new TextEncoder().encode(string)];
  const frame = (kind, track, member, ...payload) => {
    const body = [kind, track, 1, member.length, ...text(member), ...payload];
    return [0, 0, body.length >> 8, body.length & 255, ...body];
  };
  const type = "video/mp4; codecs=\"avc1.42c00d\"";
  const bytes = Uint8Array.from([
    ...frame(0, 0, "abc", type.length, ...text(type), 1, 2, 3), ...frame(3, 0, "", 0, 0), ...frame(1, 1, "abc", 4, 5),
    ...frame(2, 0, "x", ...text("{\"why\":\"notLive\"}")), ...frame(9, 0, "later"), ...frame(1, 7, "later"),
  ]);
  const plain = (found) => found.map((one) => ({ ...one, ...(one.bytes ? { bytes: [...one.bytes] } : {}) }));
  const wanted = [
    { kind: "head", track: "video", member: "abc", type, bytes: [1, 2, 3] },
    { kind: "media", track: "audio", member: "abc", bytes: [4, 5] },
    { kind: "lost", track: "video", member: "x", why: "notLive" },
  ];
  for (let piece = 1; piece <= bytes.length; piece += 3) {
    const reader = new FrameReader();
    const found = [];
    for (let at = 0; at < bytes.length; at += piece) found.push(...reader.feed(bytes.subarray(at, at + piece)));
    is(`pieces of ${piece}`, plain(found), wanted);
  }
  const refuses = (what, ...damaged) => {
    let isRefused = false;
    try { new FrameReader().feed(Uint8Array.from(damaged)); } catch { isRefused = true; }
    is(what, isRefused, true);
  };
  refuses("too short a frame", 0, 0, 0, 3, 1, 0, 0);
  refuses("too long a frame", 255, 0, 0, 0);
  refuses("a name that is longer than its frame", 0, 0, 0, 5, 1, 0, 0, 9, 1);
  refuses("a type that is longer than its frame", 0, 0, 0, 6, 0, 0, 0, 0, 9, 1);

  // The sizes of tiles.
  for (const [width, ratio, wasSmall, wanted] of [
    [400, 1, false, true], [401, 1, false, false], [480, 1, true, true], [481, 1, true, false],
    [320, 2, false, true], [321, 2, false, false], [384, 2, true, true], [385, 2, true, false], [180, 3, false, true],
  ]) is(`${width} at ${ratio}, small before: ${wasSmall}`, isSmall(width, ratio, wasSmall), wanted);

  // The state, folded over events.
  const member = (id, more = {}) => ({
    id, name: id.toUpperCase(), kind: "box", role: "participant", state: "live", silent: false, muted: [], mutedBySelf: [],
    mutedByOthers: [], reportedMuted: [], lacks: [], unmuteAsked: [], ready: false, sharesScreen: false, statistics: null, ...more,
  });
  const fresh = {
    at: "2026-01-01T00:00:10Z", host: "a", speaker: null, locked: false, hasPassword: false,
    timer: { startedAt: null, endsAt: null, secondsLeft: null }, away: [], removed: [], mayReclaim: [], onAir: null,
    stage: [{ capacity: 4, rows: 1, columns: 2, places: ["a", "b"] }, { capacity: 1, rows: 1, columns: 1, places: ["a"] }],
    members: [member("a", { statistics: { bitrate: 1 } }), member("b")],
  };
  const now = Date.parse("2026-01-01T00:00:08Z");
  const start = adopt(null, fresh, now);
  is("the hub’s clock", start.ahead, 2000);
  const after = (state, ...events) => events.reduce((one, event) => fold(one, event).state, state);
  const b = (state) => state.members[1];
  is("kept statistics", adopt(start, { ...fresh, members: [member("a")] }, now).members[0].statistics, { bitrate: 1 });
  is("speaker", after(start, { event: "speaker", member: "b" }).speaker, "b");
  is("muted", [b(after(start, { event: "muted", member: "b", tracks: ["audio"], by: "others" }))]
    .map(({ muted, mutedByOthers, mutedBySelf }) => [muted, mutedByOthers, mutedBySelf]), [[["audio"], ["audio"], []]]);
  is("muted by both, lifted by one", b(after(start, { event: "muted", member: "b", tracks: ["audio"], by: "others" },
    { event: "muted", member: "b", tracks: ["audio"], by: "self" },
    { event: "unmuted", member: "b", tracks: ["audio"], by: "others" })).muted, ["audio"]);
  is("asked and answered", [after(start, { event: "unmuteAsked", member: "b", tracks: ["audio"] }),
    after(start, { event: "unmuteAsked", member: "b", tracks: ["audio"] }, { event: "unmuteDeclined", member: "b" })]
    .map((state) => b(state).unmuteAsked), [["audio"], []]);
  is("renamed", b(after(start, { event: "renamed", member: "b", name: "New" })).name, "New");
  is("reported", ["state", "silent"].map((key) => b(after(start, { event: "reported", member: "b", state: "interrupted" },
    { event: "reported", member: "b", silent: true }))[key]), ["interrupted", true]);
  is("a small stream", [true, false].map((small) => b(after(start, { event: "reported", member: "b", small })).small),
    [true, false]);
  is("reported mutes are not those in force", [b(after(start, { event: "reported", member: "b", muted: ["audio"] }))]
    .map(({ muted, reportedMuted }) => [muted, reportedMuted]), [[[], ["audio"]]]);
  is("roles", [{ event: "managerMade", member: "b" }, { event: "managerRevoked", member: "b" }]
    .map((event) => b(after(start, event)).role), ["manager", "participant"]);
  is("flags", ["locked", "screensLocked", "hasPassword"].map((key) => after(start, { event: "locked" },
    { event: "screensLocked" }, { event: "passwordChanged", isSet: true })[key]), [true, true, true]);
  const shares = (id, sharesScreen) => ({ event: "reported", member: id, sharesScreen });
  is("the newest screen is last", [after(start, shares("b", true), shares("a", true)),
    after(start, shares("b", true), shares("a", true), shares("a", false))].map(({ sharing }) => sharing), [["b", "a"], ["b"]]);
  const changed = { capacity: 4, rows: 1, columns: 2, places: [null, "b"] };
  is("a changed grid", after(start, { event: "stage", grids: [changed] }).stage.map(({ places }) => places), [[null, "b"], ["a"]]);
  is("a grid that is not there", grid(start, 12), { capacity: 12, rows: 1, columns: 1, places: [] });
  is("left", after(start, { event: "left", member: "b", why: "left" }).members.length, 1);
  const asks = (event) => fold(start, event).asks;
  is("what has to be asked for", [{ event: "joined", member: "c" }, { event: "left", member: "b" }, { event: "hostChanged", member: "b" },
    { event: "renamed", member: "c", name: "C" }, { event: "onAir", job: "1", state: "live" }, { event: "later" }].map(asks),
    [true, true, true, true, true, true]);
  is("what has not", [{ event: "speaker", member: "b" }, { event: "renamed", member: "b", name: "C" }, { event: "locked" },
    { event: "stage", grids: [] }, { event: "event", name: "x" }, { event: "ready", member: "b" }].map(asks),
    [false, false, false, false, false, false]);
  const timed = after(start, { event: "timer", state: "limited", startedAt: null, endsAt: "2026-01-01T00:01:00Z", secondsLeft: 50 });
  is("time left", [secondsLeft(timed, now), secondsLeft(start, now)], [50, null]);

  is("the air", [null, { state: "waiting", reason: null }, { state: "waiting", reason: "nameTaken" }, { state: "later", reason: "x" }]
    .map((onAir) => terms.airState(onAir).text), ["Off air", "Waiting for a worker", "Waiting for the address", "Later"]);
  is("why", [null, { reason: "workerLost" }, { reason: "timedOut" }, { reason: "odd" }].map(terms.airReason),
    ["", "The worker that had it is gone.", "The server does not answer.", "Odd."]);

  // Rights.
  const may = (role, isLocal = false) => rights(role, isLocal).length;
  is("rights", [may("participant"), may("manager"), may("host"), may("participant", true), may("later")], [6, 10, 18, 18, 0]);
  const commands = (one, role, more = {}) =>
    commandsFor(one, { me: "me", mine: rights(role, false), host: "h", mayReclaim: [], ...more });
  is("a participant and others", commands(member("b"), "participant"), []);
  is("a participant and itself", commands(member("me", { kind: "person" }), "participant"), ["rename"]);
  is("itself, muted", commands(member("me", { mutedByOthers: ["audio"] }), "participant"), ["rename", "unmute-audio"]);
  is("a manager", commands(member("b"), "manager"), ["rename", "mute-audio", "mute-video", "remove"]);
  is("a manager and the host", commands(member("h", { role: "host" }), "manager"), ["rename", "mute-audio", "mute-video"]);
  is("a manager and who may reclaim", commands(member("b"), "manager", { mayReclaim: ["b"] }), ["rename", "mute-audio", "mute-video"]);
  is("a host", commands(member("b"), "host"), ["rename", "mute-audio", "mute-video", "host", "manager", "remove"]);
  is("a host and a manager", commands(member("b", { role: "manager" }), "host"),
    ["rename", "mute-audio", "mute-video", "host", "revoke", "remove"]);
  is("a host and a programme", commands(member("b", { kind: "programme" }), "host"), ["rename", "mute-audio", "mute-video", "remove"]);
  is("muted by itself", commands(member("b", { mutedBySelf: ["audio"] }), "manager"),
    ["rename", "mute-audio", "ask-audio", "mute-video", "remove"]);
  is("a person has nothing to mute", commands(member("b", { kind: "person" }), "manager"), ["rename", "remove"]);

  // History.
  const history = new History(0);
  const seen = (members, away = []) => ({ members, away });
  history.observe(seen([member("a"), member("b")]), 1000);
  history.observe(seen([member("a", { state: "interrupted" }), member("b", { statistics: { losing: 1 } })]), 2000);
  history.observe(seen([member("a", { silent: true })], [{ id: "b", why: "left" }]), 3000);
  history.observe(seen([member("a"), member("b")]), 4000);
  is("lanes", history.lanes(5000).map(({ stretches }) => stretches.map(({ kind, from, to, lasts }) => [kind, from, to, lasts])), [
    [["live", 1000, 2000, false], ["interrupted", 2000, 3000, false], ["gap", 3000, 4000, false], ["live", 4000, 5000, true]],
    [["live", 1000, 3000, false], ["away", 3000, 4000, false], ["live", 4000, 5000, true], ["gap", 2000, 3000, false]],
  ]);
  is("why it was away", history.lanes(5000)[1].stretches[1].cause, "it left");

  // Words.
  is("initials", ["Anna Berg", "bern", "a b c", "– 7", "…", "Ödön von Horváth"].map(terms.initials), ["AB", "B", "AC", "7", "?", "ÖH"]);
  const kinds = (more) => terms.troubles(member("b", more)).map(({ kind }) => kind);
  is("troubles", [kinds({}), kinds({ silent: true }), kinds({ statistics: { outputs: [{ id: "m", state: "waiting" }], losing: 1, disk: "low" } }),
    kinds({ state: "interrupted", statistics: { outputs: [{ id: "m", state: "closed" }], losing: 0, disk: "writing" } }),
    kinds({ statistics: { devices: { video: "lost", audio: "busy" } } }), kinds({ statistics: { devices: { video: "open" } } })],
    [[], ["network"], ["network", "gap", "disk"], [], ["device", "device"], []]);
  is("why media is lost", terms.troubles(member("b", { statistics: { losing: 2, causes: ["device", "network"] } }))[0].text,
    "Media is being lost now. Cause: device and network.");
  is("no picture", terms.pictureReason(member("b", { lacks: ["video"] }), "unreachable"), "Sound only");
  is("lines", [["joined", { returned: false }], ["left", { why: "removed" }], ["muted", { tracks: ["audio"], by: "self" }],
    ["reported", { silent: true }], ["reported", { muted: [] }], ["later", {}]]
    .map(([event, more]) => terms.eventLine({ event, ...more }, "B")),
    ["B joined", null, "B: sound muted by itself", "B: nothing heard for 13 s", null, null]);
  is("refusals", terms.outSentence({ code: "sessionOver", why: "time" }), "The session’s time is over.");
  is("a later refusal", terms.outSentence({ code: "later", message: "it is late", hint: "wait" }), "It is late. Wait.");
  const token = (claims) => `x.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.x`;
  is("when tokens end", [token({ exp: 1700000000 }), token({}), "fake", ""].map(expiry), [1700000000000, null, null, null]);
  done({ count, wrong });
})().catch((error) => done({ count: 0, wrong: [String(error)] }));
