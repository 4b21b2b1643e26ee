import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// The options of `publish`.
enum Options {
  static let all = groups.flatMap(\.options)

  static let groups: [(title: String, options: [Option])] = [
    ("Sources", sources), ("Outputs", outputs), ("Recording and course", recording), ("Session", session),
    ("Control", control), ("Encoding", encoding), ("Configuration", [.configurationFile]),
  ]

  private static let sources: [Option] = [
    Option(
      .video, \.video.source, .source(["camera", "camera:DEVICE", "test", "file:PATH", "off", "auto"]),
      "where the picture comes from"),
    Option(
      .audio, \.audio.source, .source(["mic", "mic:DEVICE", "tone", "file:PATH", "off", "auto"]),
      "where the sound comes from"),
    Option(.loop, \.loop, .toggle, "restart files when they end"),
    Option(
      .preview, \.session.preview, .toggle,
      "open the devices only; holdfast ctl start begins the broadcast, whose end leads back here"),
  ]

  private static let outputs: [Option] = [
    Option(
      .to, \.outputs.requests, .outputs,
      "publish to this rtmp, rtmps, rtsp, rtsps or srt address; may be given many times; @FILE and env:NAME name "
        + "a file and a variable that hold it, which keeps keys out of lists of processes",
      combine: { $0 += $1 }),
    Option(
      .publishType, \.outputs.publishType, .choice("TYPE", of: [.record, .live]),
      "record: the server begins a recording, and continues it after an outage; live: it is asked for none"),
    Option(
      .outage, \.outputs.outage, .choice("POLICY", of: OutagePolicy.allCases),
      "after an outage go on live, or catchUp: send first what was made meanwhile"),
    Option(
      .giveUpAfter, \.outputs.giveUpAfter, .optional(.duration),
      "give an output up that could not be brought back for this long"),
    Option(
      .connectTimeout, \.outputs.connectTimeout, .duration, "time for an attempt to connect and be accepted"),
    Option(
      .stallTimeout, \.outputs.stallTimeout, .duration,
      "reconnect when a server has not responded for this long"),
    Option(
      .adaptive, \.outputs.adaptsBitrate, .toggle,
      "lower the bitrate where a network can't carry it; true by default, --adaptive=false turns it off"),
    Option(
      .minBitrate, \.video.minBitrate, .optional(.bitrate),
      "the lowest bitrate that --adaptive may choose; a fifth of --bitrate by default"),
    Option(.tlsCa, \.outputs.tlsCA, .optional(.path), "trust the certificates in this PEM file, too"),
    Option(
      .tlsInsecure, \.outputs.tlsInsecure, .toggle,
      "accept any certificate: anyone on the network path can read and alter the stream"),
    Option(
      .rtspTransport, \.outputs.rtspTransport, .choice("WAY", of: RTSPSink.Transport.allCases),
      "how media goes to an RTSP server: tcp, within the connection, or udp, beside it"),
  ]

  private static let recording: [Option] = [
    Option(.name, \.name, .name, "name of the broadcast; its recordings' names begin with it"),
    Option(.record, \.recording.directory, .directoryOrOff, "folder of the recordings"),
    Option(
      .segment, \.recording.segment, .optional(.segmentLength),
      "go on in a new file after this time, or at this size: 1h, 30m, 500M, 2G"),
    Option(
      .onSegment, \.recording.onSegment, .optional(.command),
      "have the shell run this for each finished file, which is $1 and HOLDFAST_RECORDING"),
    Option(
      .onSegmentWait, \.recording.onSegmentWait, .duration,
      "how long the end of the program waits for such a command"),
    Option(
      .keepAge, \.recording.keepAge, .optional(.duration),
      "delete finished recordings of this name that are older, as 7d"),
    Option(
      .keepSize, \.recording.keepSize, .optional(.byteCount),
      "delete the oldest finished recordings of this name when all take more, as 50G"),
    Option(
      .diskReserve, \.recording.diskReserve, .byteCount,
      "room to leave on the disk: the recording ends, and goes on when there is more; 0 for none"),
    Option(
      .syncEvery, \.recording.syncEvery, .duration,
      "how often what was recorded is put on the disk: a power cut takes no more than that"),
    Option(
      .keepGaps, \.recording.keepGaps, .toggle,
      "let an interruption leave a hole of its length in the recording; by default its time closes up"),
    Option(
      .recordQueue, \.recording.queue, .duration,
      "how long the disk may stand still before the recording loses anything; held in memory"),
    Option(.duration, \.session.duration, .optional(.duration), "end by itself after this time"),
    Option(
      .resumeWindow, \.session.resumeWindow, .duration,
      "an interruption can be resumed for this long; then its end begins a new broadcast"),
    Option(
      .interruptOn, \.interruptOn, .sessionStates,
      "interrupt while the session at the screen is locked (lock), or another one has the screen (inactive); "
        + "lock,inactive for both", combine: { $0.formUnion($1) }),
    Option(
      .afterCrash, \.session.afterCrash,
      .choice("POLICY", of: AfterCrash.allCases, formerly: ["ask-never": .withinWindow]),
      "resume a broadcast whose process crashed: within-window: inside --resume-window; resume: always; new: never"
    ),
    Option(
      .events, \.events, .optional(.eventsPath),
      "add a line of JSON for each event to this file, - is standard output"),
  ]

  private static let session: [Option] = [
    Option(
      .maxDuration, \.session.timer.maxDuration, .optional(.duration),
      "end this long after it has gone live, unless it is extended (holdfast ctl extend)"),
    Option(
      .maxTotal, \.session.timer.maxTotal, .optional(.duration), "how long it may last with all extensions"),
    Option(
      .alertBefore, \.session.timer.alertBefore, .duration,
      "say this long before the end that it comes, and then each second"),
    Option(
      .countInterruptions, \.session.timer.countsInterruptions, .toggle,
      "let the time go on while it is interrupted; true by default, --count-interruptions=false stops it"),
    Option(
      .gate, \.session.gate.command, .optional(.command),
      "have the shell run this before it goes live: any status but 0 refuses, with the last line it says as reason"
    ),
    Option(
      .awaitReady, \.session.gate.awaitsReady, .toggle,
      "go live when somebody says so (holdfast ctl ready, POST /v1/ready)"),
    Option(.gateTimeout, \.session.gate.timeout, .duration, "how long such a gate may take"),
    Option(
      .onGateTimeout, \.session.gate.onTimeout, .choice("POLICY", of: GateTimeoutPolicy.allCases),
      "what a gate's silence means: pass or refuse"),
    Option(
      .gateOnResume, \.session.gate.onResume, .toggle,
      "ask the gate before an interrupted broadcast goes on, too"),
  ]

  private static let control: [Option] = [
    Option(
      .listen, \.listen, .optional(.hostAndPort),
      "show the page and take control requests there, as 127.0.0.1:8080; other machines only with --token-secret"
    ),
    Option(
      .tokenSecret, \.tokenSecret, .optional(.path),
      "ask everybody there for a token that was signed with this file (holdfast token)"),
    Option(
      .tlsCert, \.tlsCert, .optional(.path),
      "speak TLS there with this PEM certificate, and those that lead to its root"),
    Option(.tlsKey, \.tlsKey, .optional(.path), "the key of --tls-cert, in PEM"),
  ]

  private static let encoding: [Option] = [
    Option(.size, \.video.size, .size, "size of the picture"),
    Option(.fps, \.video.frameRate, .frameRate, "frames per second"),
    Option(.bitrate, \.video.bitrate, .bitrate, "bits per second of the picture"),
    Option(.gop, \.video.gop, .duration, "time from one keyframe to the next"),
    Option(
      .videoCodec, \.video.codec, .choice("CODEC", of: Codec.allCases.filter { $0.kind == .video }),
      "h264, hevc or av1"),
    Option(
      .encoder, \.video.encoder, .choice("ENCODER", of: EncoderChoice.allCases),
      "auto, x264, vaapi, qsv, nvenc, v4l2m2m, or copy for a source that is encoded already"),
    Option(
      .audioCodec, \.audio.codec, .choice("CODEC", of: Codec.allCases.filter { $0.kind == .audio }),
      "aac or opus"),
    Option(.audioBitrate, \.audio.bitrate, .bitrate, "bits per second of the sound"),
  ]

  static func option(variable: String) -> Option? { all.first { $0.variable == variable } }
  static func option(key: String) -> Option? { settings.first { $0.key == key } }

  /// The options allowed in a configuration file.
  static var settings: [Option] {
    all.filter {
      switch $0.use {
      case .setting: true
      case .configurationFile: false
      }
    }
  }
}
