import HoldfastBroadcasting

extension HoldfastBroadcasting.Configuration.Setting {
  /// The property of `Configuration` for this setting; `output` is the index of the output concerned.
  func property(ofOutput output: Int? = nil) -> String {
    let place = output.map { "outputs[\($0)]." } ?? ""
    return switch self {
    case .name: "name"
    case .video: "video.source"
    case .size: "video.size"
    case .fps: "video.frameRate"
    case .videoCodec: "video.codec"
    case .encoder: "video.encoder"
    case .bitrate: "video.bitrate"
    case .minBitrate: "video.minBitrate"
    case .gop: "video.keyframeInterval"
    case .loop: "loopsFiles"
    case .audio: "audio.source"
    case .audioCodec: "audio.codec"
    case .audioBitrate: "audio.bitrate"
    case .to: output == nil ? "outputs" : place + "address"
    case .publishType: place + "publishType"
    case .outage: place + "outage"
    case .connectTimeout: place + "connectTimeout"
    case .stallTimeout: place + "stallTimeout"
    case .giveUpAfter: place + "giveUpAfter"
    case .adaptive: place + "adaptsBitrate"
    case .tlsCa: place + "certificateFile"
    case .tlsInsecure: place + "skipsCertificateCheck"
    case .rtspTransport: place + "rtspTransport"
    case .record: "recording.directory"
    case .segment: "recording.segment"
    case .onSegment: "recording.segmentCommand"
    case .onSegmentWait: "recording.segmentCommandTimeout"
    case .keepAge: "recording.keepAge"
    case .keepSize: "recording.keepSize"
    case .diskReserve: "recording.diskReserve"
    case .syncEvery: "recording.syncInterval"
    case .keepGaps: "recording.keepsGaps"
    case .recordQueue: "recording.queueDuration"
    case .duration: "session.duration"
    case .resumeWindow: "session.resumeWindow"
    case .afterCrash: "session.afterCrash"
    case .preview: "session.beginsWithPreview"
    case .maxDuration: "session.maxDuration"
    case .maxTotal: "session.maxTotalDuration"
    case .alertBefore: "session.alertBefore"
    case .countInterruptions: "session.countsInterruptions"
    case .gate: "session.gateCommand"
    case .awaitReady: "the broadcaster's gate"
    case .gateTimeout: "session.gateTimeout"
    case .onGateTimeout: "session.onGateTimeout"
    case .gateOnResume: "session.asksGateOnResume"
    }
  }

  /// The setting of the flag `--audio-bitrate`, given `audio-bitrate`.
  fileprivate init?(flag: Substring) {
    let words = flag.split(separator: "-")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    self.init(rawValue: words.prefix(1).joined() + rest.joined())
  }
}

extension String {
  /// A text of an inner module, with properties in place of the program's flags.
  var namingProperties: String {
    flagsWithValues.reduce(self) { $0.replacing($1.flag, with: $1.property) }
      .replacing(/--([a-z]+(?:-[a-z]+)*)/) { match in
        HoldfastBroadcasting.Configuration.Setting(flag: match.1)?.property() ?? String(match.0)
      }
  }
}

private let flagsWithValues: [(flag: String, property: String)] = [
  ("--encoder auto", "video.encoder = .automatic"), ("--encoder copy", "video.encoder = .copy"),
  ("--video test", "video.source = .testPicture"), ("--audio tone", "audio.source = .testTone"),
]
