import HoldfastBroadcasting
import HoldfastCommands
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMembership
import HoldfastMixing
import HoldfastPublishing
import HoldfastRecording

/// The options of `publish`.
enum Options {
  static let all = groups.flatMap(\.options)

  static let groups: [(title: String, options: [Option])] = [
    ("Sources", sources), ("Outputs", outputs), ("Recording and lifecycle", recording),
    ("Time and gate", session), ("Session of several boxes", membership), ("Control", control),
    ("Encoding", encoding),
    ("Configuration", [.configurationFile]),
  ]

  private static let sources: [Option] = [
    Option(
      .video, \.video.source,
      .source([
        "camera", "camera:DEVICE", "screen", "screen:DISPLAY", "test", "file:PATH", "URL", "grid",
        "stage:URL", "off",
      ]),
      "video source, see below"),
    Option(
      .audio, \.audio.source,
      .source(["mic", "mic:DEVICE", "tone", "file:PATH", "URL", "grid", "stage:URL", "off"]),
      "audio source, see below"),
    Option(
      .sourceLatency, \.sourceLatency, .duration,
      "jitter buffer of a network source: what arrives this much later than usual is still in time"),
    Option(
      .tile, \.programme.tiles, .tiles,
      "a tile of the source grid, NAME=SOURCE, such as Hall=rtsp://camera/1; may be repeated; SOURCE is one of "
        + "video or of audio, also NAME=@FILE or NAME=env:NAME, and a file repeats", combine: { $0 += $1 }),
    Option(
      .layout, \.programme.layout, .choice("LAYOUT", of: Layout.allCases),
      "places of the tiles: grid, spotlight, picture-in-picture or side-by-side (holdfast ctl layout)"),
    Option(
      .spotlight, \.programme.spotlight, .optional(.name),
      "show this tile large; in the layouts grid and side-by-side as the spotlight (holdfast ctl spotlight)"),
    Option(
      .fill, \.programme.fill, .choice("HOW", of: Fill.allCases),
      "a picture of another shape than its tile is shown between bars, or cut to it (crop)"),
    Option(
      .transition, \.programme.transition, .duration,
      "let tiles slide to their places in another layout, and fade in and out, for this long, such as 300ms; 0 cuts"
    ),
    Option(.loop, \.loop, .toggle, "restart source files when they end"),
    Option(
      .waitForDevices, \.session.waitsForDevices, .toggle,
      "wait for a missing camera or microphone; with one of them go live, with a slate or silence for the other"
    ),
    Option(
      .preview, \.session.preview, .toggle,
      "only open the devices; holdfast ctl start goes live, and the end of the broadcast returns here"),
  ]

  private static let outputs: [Option] = [
    Option(
      .to, \.outputs.requests, .outputs,
      "publish to this rtmp, rtmps, rtsp, rtsps or srt address; may be repeated; @FILE or env:NAME reads it "
        + "from a file or an environment variable, to keep keys out of process lists",
      combine: { $0 += $1 }),
    Option(
      .publishType, \.outputs.publishType, .choice("TYPE", of: [.record, .live, .append]),
      "record: the server records, and continues after an outage; live: no server-side recording; append: it "
        + "continues what another process has recorded"),
    Option(
      .outage, \.outputs.outage, .choice("POLICY", of: OutagePolicy.allCases),
      "after an outage: live continues with current media, catchUp sends the backlog first"),
    Option(
      .giveUpAfter, \.outputs.giveUpAfter, .optional(.duration),
      "give up on an output after this long without recovery"),
    Option(
      .startTimeout, \.session.startTimeout, .optional(.duration),
      "without a recording, give up if no output has published within this time; by default it goes on trying"
    ),
    Option(
      .requireOutputs, \.outputs.required, .choice("WHICH", of: RequiredOutputs.allCases),
      "fail at the end (69) if no output was ever published to (any), or if one was not (all)"),
    Option(.connectTimeout, \.outputs.connectTimeout, .duration, "time limit for connecting and publishing"),
    Option(
      .stallTimeout, \.outputs.stallTimeout, .duration,
      "reconnect when a server has not responded for this long"),
    Option(
      .adaptive, \.outputs.bitrateAdaptation, .adaptation,
      "when a network can't keep up, lower the bitrate: auto (of that output's own encode), true (for all who share), false (never)"
    ),
    Option(
      .minBitrate, \.video.minBitrate, .optional(.bitrate),
      "lowest bitrate that --adaptive may choose; a fifth of --bitrate by default"),
    Option(.tlsCa, \.outputs.tlsCA, .optional(.path), "also trust the certificates in this PEM file"),
    Option(
      .tlsInsecure, \.outputs.tlsInsecure, .toggle,
      "accept any certificate: anyone on the network path can read and alter the stream"),
    Option(
      .rtspTransport, \.outputs.rtspTransport, .choice("WAY", of: RTSPSink.Transport.allCases),
      "RTSP media transport: tcp, inside the RTSP connection, or udp"),
    Option(
      .insecureAuth, \.outputs.insecureAuth, .toggle,
      "send the password unencrypted to an RTSP server that asks for it (Basic without TLS): anyone on the "
        + "network path can read it"),
  ]

  private static let recording: [Option] = [
    Option(.name, \.name, .name, "name of the broadcast, used as a prefix for its recordings"),
    Option(.record, \.recording.directory, .directoryOrOff, "folder to record to"),
    Option(
      .segment, \.recording.segment, .optional(.segmentLength),
      "start a new file after this time or at this size: 1h, 30m, 500M, 2G"),
    Option(
      .onSegment, \.recording.onSegment, .optional(.command),
      "run this shell command for each finished file, passed as $1 and HOLDFAST_RECORDING"),
    Option(
      .onSegmentWait, \.recording.onSegmentWait, .duration,
      "on exit, wait this long for --on-segment commands"),
    Option(
      .hookFolders, \.hookFolders, .hookFolders,
      "let --gate and --on-segment open only these folders, for reading alone with :ro, beside the system's "
        + "programs: DIR or DIR:ro, separated by commas",
      combine: { $0 += $1 }),
    Option(
      .keepAge, \.recording.keepAge, .optional(.duration),
      "delete finished recordings of this name older than this, such as 7d"),
    Option(
      .keepSize, \.recording.keepSize, .optional(.byteCount),
      "delete the oldest finished recordings of this name above this total size, such as 50G"),
    Option(
      .diskReserve, \.recording.diskReserve, .byteCount,
      "space to keep free on the disk: recording stops below this, and continues above it; 0 disables"),
    Option(
      .syncEvery, \.recording.syncEvery, .duration,
      "how often to sync the recording; a power cut costs this and the time of one sync"),
    Option(
      .recordMode, \.recording.mode, .fileMode,
      "permissions of new recordings; the umask may take some away"),
    Option(
      .keepGaps, \.recording.keepGaps, .toggle,
      "keep interruptions in the recording as gaps of their length; by default they are closed up"),
    Option(
      .recordQueue, \.recording.queue, .duration,
      "how long the disk may stall before the recording loses anything; buffered in memory"),
    Option(.duration, \.session.duration, .optional(.duration), "end after this time"),
    Option(
      .resumeWindow, \.session.resumeWindow, .duration,
      "how long an interruption can be resumed; after that, its end starts a new broadcast"),
    Option(
      .interruptOn, \.interruptOn, .sessionStates,
      "interrupt while the desktop session is locked (lock) or not the active one (inactive); "
        + "lock,inactive for both", combine: { $0.formUnion($1) }),
    Option(
      .afterCrash, \.session.afterCrash,
      .choice("POLICY", of: AfterCrash.allCases, formerly: ["ask-never": .withinWindow]),
      "resume a broadcast after a crash: within-window (of --resume-window), resume (always), new (never)"),
    Option(
      .events, \.events, .optional(.eventsPath),
      "append a JSON line for each event to this file; - is standard output"),
  ]

  private static let session: [Option] = [
    Option(
      .maxDuration, \.session.timer.maxDuration, .optional(.duration),
      "end this long after going live, unless extended (holdfast ctl extend)"),
    Option(
      .maxTotal, \.session.timer.maxTotal, .optional(.duration), "maximum duration including all extensions"),
    Option(
      .alertBefore, \.session.timer.alertBefore, .duration,
      "warn this long before the end, then count down"),
    Option(
      .countInterruptions, \.session.timer.countsInterruptions, .toggle,
      "count interruptions as session time; on by default, --count-interruptions=false excludes them"),
    Option(
      .gate, \.session.gate.command, .optional(.command),
      "run this shell command before going live; a nonzero status refuses, and its last line is the reason"),
    Option(
      .awaitReady, \.session.gate.awaitsReady, .toggle,
      "wait for approval before going live (holdfast ctl ready, POST /v1/ready)"),
    Option(
      .gateTimeout, \.session.gate.timeout, .optional(.duration),
      "time limit for the gate; 5s by default, 2m with --await-others"),
    Option(
      .onGateTimeout, \.session.gate.onTimeout, .choice("POLICY", of: GateTimeoutPolicy.allCases),
      "what to do if the gate times out: pass or refuse"),
    Option(
      .gateOnResume, \.session.gate.onResume, .toggle,
      "also ask the gate before resuming an interrupted broadcast"),
  ]

  private static let membership: [Option] = [
    Option(
      .session, \.membership.session, .optional(.sessionAddress),
      "join this session as a member, https://HUB/NAME: publish also where its hub says, and obey its mutes"),
    Option(
      .as, \.membership.name, .optional(.displayName), "name in the session; that of the broadcast by default"
    ),
    Option(
      .sessionToken, \.membership.token, .optional(.secretReference("the token")),
      "token for the session: @FILE or env:NAME, read again for each join"),
    Option(
      .sessionPassword, \.membership.password, .optional(.secretReference("the password")),
      "password of the session: @FILE or env:NAME"),
    Option(
      .sessionSmall, \.membership.smallRendition, .optional(.name),
      "also publish this one of the renditions at the session, for pages that show the box in a small tile"),
    Option(
      .allowUnmute, \.membership.allowsUnmute, .toggle,
      "agree at once when the session asks to unmute what was muted on this box"),
    Option(
      .afterSession, \.membership.afterSession, .choice("WHAT", of: MembershipMachine.AfterSession.allCases),
      "when the session was ended or its time is over: end the broadcast, or go-on elsewhere"),
    Option(
      .awaitOthers, \.membership.awaitsOthers, .optional(.memberCount),
      "go live when this many other members of the session are ready, at the latest after --gate-timeout"),
    Option(
      .hubCa, \.membership.hubCA, .optional(.path),
      "also trust the certificates in this PEM file, for the hub and the output at the session"),
    Option(
      .insecureLan, \.membership.allowsInsecureLAN, .toggle,
      "allow --session http:// to another machine: anyone on the way can read the token and the password"),
  ]

  private static let control: [Option] = [
    Option(
      .listen, \.listen, .optional(.hostAndPort),
      "serve the control page and API here (127.0.0.1:8080); a non-local address requires --token-secret"),
    Option(
      .tokenSecret, \.tokenSecret, .optional(.path),
      "require a token signed with this secret (see holdfast token)"),
    Option(.tlsCert, \.tlsCert, .optional(.path), "serve --listen over TLS with this PEM certificate chain"),
    Option(.tlsKey, \.tlsKey, .optional(.path), "private key for --tls-cert, in PEM"),
    Option(
      .hsts, \.hsts, .toggle,
      "with --tls-cert, tell browsers to use only TLS for this host name for a year, on all of its ports"),
  ]

  private static let encoding: [Option] = [
    Option(.size, \.video.size, .size, "picture size"),
    Option(.fps, \.video.frameRate, .frameRate, "frames per second"),
    Option(.bitrate, \.video.bitrate, .bitrate, "video bits per second"),
    Option(.gop, \.video.gop, .duration, "keyframe interval"),
    Option(
      .videoCodec, \.video.codec, .choice("CODEC", of: Codec.allCases.filter { $0.kind == .video }),
      "h264, hevc or av1"),
    Option(
      .encoder, \.video.encoder, .encoder,
      "auto, x264, vaapi, qsv, nvenc, v4l2m2m, or copy for an already encoded source"),
    Option(
      .audioCodec, \.audio.codec, .choice("CODEC", of: Codec.allCases.filter { $0.kind == .audio }),
      "aac or opus"),
    Option(.audioBitrate, \.audio.bitrate, .bitrate, "audio bits per second"),
    Option(
      .recordSize, \.recording.rendition.size, .optional(.size),
      "record in a size of its own, never larger than the source's pictures"),
    Option(
      .recordBitrate, \.recording.rendition.bitrate, .optional(.bitrate),
      "record at a bitrate of its own, with an encoder of its own"),
    Option(
      .recordEncoder, \.recording.rendition.encoder, .optional(.encoder),
      "encode the recording with another encoder"),
    Option(
      .renditions, \.renditions, .renditions,
      "further encodes, which an output chooses with { url, rendition: NAME }: size, bitrate and encoder of each"
    ),
  ]

  static func option(variable: String) -> Option? { all.first { $0.variable == variable } }
  static func option(key: String) -> Option? { settings.first { $0.key == key } }

  /// The options allowed in a configuration file.
  static var settings: [Option] { all.filter { $0.apply != nil } }
}
