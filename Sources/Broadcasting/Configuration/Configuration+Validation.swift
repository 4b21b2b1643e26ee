internal import HoldfastMediaModel
internal import HoldfastPublishing

/// A setting that can't be, or settings that can't be together.
package struct ConfigurationError: Error, Hashable, Sendable {
  package let settings: [Configuration.Setting]
  package let why: String
  /// What to do about it.
  package let remedy: String
}

extension ConfigurationError: CustomStringConvertible {
  package var description: String {
    settings.map(\.rawValue).joined(separator: " and ") + ": \(why); \(remedy)"
  }
}

extension Configuration {
  /// Throws what is wrong first: each setting by itself, then what contradicts what.
  package func validate() throws(ConfigurationError) {
    try validateName()
    try validateNumbers()
    try validateEncoder()
    try validateSources()
    try validateOutputs()
    try validateRecording()
    try validateSession()
  }

  private func validateName() throws(ConfigurationError) {
    let bytes = Array(name.utf8)
    let isPlain = bytes.allSatisfy { Self.isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    try require(
      (1...64).contains(bytes.count) && isPlain && Self.isLetterOrDigit(bytes[0]), .name,
      why: "not a name that can stand in file names",
      remedy: "write 1 to 64 of a-z, A-Z, 0-9 and . _ -, a letter or digit first")
  }

  private func validateNumbers() throws(ConfigurationError) {
    let sides = [video.size.width, video.size.height]
    try require(
      sides.allSatisfy { (64...7680).contains($0) }, .size,
      why: "the picture is too small or too large", remedy: "each side may be 64 to 7680")
    try require(
      sides.allSatisfy { $0 % 2 == 0 }, .size,
      why: "encoders take even sides only",
      remedy: "try \(video.size.width / 2 * 2)x\(video.size.height / 2 * 2)")
    try require(
      (1...240).contains(video.frameRate.framesPerSecond), .fps,
      why: "out of range", remedy: "it may be 1 to 240 frames a second")
    try require(
      (50_000...200_000_000).contains(video.bitrate), .bitrate,
      why: "out of range", remedy: "it may be 50k to 200M")
    try require(
      (16_000...510_000).contains(audio.bitrate), .audioBitrate,
      why: "out of range", remedy: "it may be 16k to 510k")
    try require(
      video.gop > .zero && video.gop <= .seconds(60), .gop,
      why: "out of range", remedy: "it may be more than 0 and at most 60s")
    try require(
      session.duration.map { $0 > .zero } ?? true, .duration,
      why: "the broadcast would end before it begins", remedy: "write more than 0")
  }

  private func validateEncoder() throws(ConfigurationError) {
    try require(
      video.codec.kind == .video, .videoCodec,
      why: "\(video.codec.name) is for sound", remedy: "choose h264, hevc or av1")
    try require(
      audio.codec.kind == .audio, .audioCodec,
      why: "\(audio.codec.name) is for pictures", remedy: "choose aac or opus")
    try require(
      video.encoder.canMake(video.codec), .encoder, .videoCodec,
      why: "\(video.encoder.rawValue) makes H.264 only",
      remedy: "choose the encoder auto, vaapi, qsv, nvenc or copy")
    try require(
      video.encoder != .copy || !video.source.isAlwaysRaw, .encoder, .video,
      why: "the test picture comes unencoded, so there is nothing to copy",
      remedy: "choose another encoder, a camera or a file")
  }

  private func validateSources() throws(ConfigurationError) {
    try require(
      video.source != .off || audio.source != .off, .video, .audio,
      why: "there is neither picture nor sound", remedy: "leave one of them on")
    try require(
      recording.directory != nil || !outputs.requests.isEmpty || !receivers.isEmpty, .record,
      why: "nothing would be left to do", remedy: "name a folder for the recording, or an output with --to")
    try require(
      !loop || video.source.isFile || audio.source.isFile, .loop,
      why: "only files begin again", remedy: "leave it out or choose a source file:PATH")
  }

  private func validateOutputs() throws(ConfigurationError) {
    try require(
      session.resumeWindow >= .seconds(1) && session.resumeWindow <= .seconds(86_400), .resumeWindow,
      why: "out of range", remedy: "it may be 1s to 24h")
    try require(
      outputs.publishType != .append, .publishType,
      why: "a broadcast begins with a new recording", remedy: "choose record or live")
    for (setting, time) in [
      (Setting.connectTimeout, outputs.connectTimeout), (.stallTimeout, outputs.stallTimeout),
    ] {
      try require(
        time >= .milliseconds(500) && time <= .seconds(600), setting,
        why: "out of range", remedy: "it may be 500ms to 10m")
    }
    try require(
      video.minBitrate.map { (50_000...video.bitrate).contains($0) } ?? true, .minBitrate,
      why: "out of range", remedy: "it may be 50k to the bitrate itself")
    let ids = outputSettings.map(\.id)
    try require(
      Set(ids).count == ids.count, .to,
      why: "two outputs have the same id", remedy: "give each one its own")
    try require(outputs.requests.count <= 32, .to, why: "too many outputs", remedy: "32 are the most")
    for address in outputs.requests.map(\.address) { try validateTracks(of: address) }
  }

  /// A protocol that can't carry a codec never will: better said at once.
  private func validateTracks(of address: OutputAddress) throws(ConfigurationError) {
    let isVideoKnown = video.source != .off && video.encoder != .copy
    for (codec, setting) in [(video.codec, Setting.videoCodec), (audio.codec, .audioCodec)] {
      let isUsed = codec.kind == .video ? isVideoKnown : audio.source != .off
      try require(
        !isUsed || address.canCarry(codec), .to, setting,
        why: "\(address.kind.uppercased()) can't carry \(codec.name)",
        remedy: "choose another codec, or another protocol (holdfast help publish has the table)")
    }
  }

  func require(
    _ condition: Bool, _ settings: Setting..., why: String, remedy: String
  ) throws(ConfigurationError) {
    guard !condition else { return }
    throw ConfigurationError(settings: settings, why: why, remedy: remedy)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
