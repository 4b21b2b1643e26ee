import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// An invalid setting, or a combination of settings that contradict each other.
package struct ConfigurationError: Error, Hashable, Sendable {
  package let settings: [Configuration.Setting]
  /// The index of the output concerned; nil if the settings are not of one output.
  package var output: Int?
  package let why: String
  package let remedy: String
}

extension ConfigurationError: CustomStringConvertible {
  package var description: String {
    settings.map(\.rawValue).joined(separator: " and ") + ": \(why); \(remedy)"
  }
}

extension Configuration {
  /// Throws the first error found: each setting by itself, then contradictions between settings.
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
    try require(
      name.isPlain(upTo: 64) && !".-_".contains(name.first ?? "."), .name,
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
    try require(video.frameRate.framesPerSecond, in: 1...240, .fps, "1 to 240 frames a second")
    try require(video.bitrate, in: 50_000...200_000_000, .bitrate, "50k to 200M")
    try require(audio.bitrate, in: 16_000...510_000, .audioBitrate, "16k to 510k")
    try require(
      video.gop, in: MediaTime(nanoseconds: 1)...(.seconds(60)), .gop, "more than 0 and at most 60s")
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
    try require(session.resumeWindow, in: .seconds(1)...(.seconds(86_400)), .resumeWindow, "1s to 24h")
    try require(
      outputs.publishType != .append, .publishType,
      why: "a broadcast begins with a new recording", remedy: "choose record or live")
    try validate(outputs.connectTimeout, outputs.stallTimeout, outputs.giveUpAfter)
    try require(video.minBitrate, in: 50_000...video.bitrate, .minBitrate, "50k to the bitrate itself")
    let ids = outputSettings.map(\.id)
    try require(
      Set(ids).count == ids.count, .to,
      why: "two outputs have the same id", remedy: "give each one its own")
    try require(outputs.requests.count <= 32, .to, why: "too many outputs", remedy: "32 are the most")
    for (index, request) in outputs.requests.enumerated() {
      do throws(ConfigurationError) {
        try validate(request.connectTimeout, request.stallTimeout, request.giveUpAfter)
        try validateTracks(of: request.address)
      } catch {
        throw ConfigurationError(
          settings: error.settings, output: index, why: error.why, remedy: error.remedy)
      }
    }
  }

  private func validate(
    _ connectTimeout: MediaTime?, _ stallTimeout: MediaTime?, _ giveUpAfter: MediaTime?
  ) throws(ConfigurationError) {
    for (setting, time) in [(Setting.connectTimeout, connectTimeout), (.stallTimeout, stallTimeout)] {
      try require(time, in: .milliseconds(500)...(.seconds(600)), setting, "500ms to 10m")
    }
    try require(
      giveUpAfter.map { $0 >= .zero } ?? true, .giveUpAfter,
      why: "less than nothing", remedy: "write 0 or more, or leave it out")
  }

  /// Rejects a codec that the protocol of `address` can't carry.
  private func validateTracks(of address: OutputAddress) throws(ConfigurationError) {
    let isVideoKnown = video.source != .off && video.encoder != .copy
    for (codec, setting) in [(video.codec, Setting.videoCodec), (audio.codec, .audioCodec)] {
      let isUsed = codec.kind == .video ? isVideoKnown : audio.source != .off
      try require(
        !isUsed || address.canCarry(codec), .to, setting,
        why: "\(address.kind.uppercased()) can't carry \(codec.name)",
        remedy: "choose another codec, or RTMP, which carries each of them")
    }
  }

  private func validateRecording() throws(ConfigurationError) {
    try require(
      recording.segment?.isLongEnough ?? true, .segment,
      why: "a file would hold next to nothing", remedy: "it may be 1s or 1M, or more")
    try require(recording.onSegmentWait, in: .zero...(.seconds(3600)), .onSegmentWait, "0 to 1h")
    try require(
      recording.keepAge.map { $0 >= .seconds(1) } ?? true, .keepAge,
      why: "nothing would be kept", remedy: "it may be 1s or more")
    try require(
      recording.keepSize.map { $0 >= 1 << 20 } ?? true, .keepSize,
      why: "nothing would be kept", remedy: "it may be 1M or more")
    try require(recording.diskReserve, in: 0...1 << 40, .diskReserve, "0, which turns it off, to 1T")
    try require(recording.syncEvery, in: .milliseconds(250)...(.seconds(60)), .syncEvery, "250ms to 60s")
    try require(recording.queue, in: .seconds(1)...(.seconds(120)), .recordQueue, "1s to 2m")
  }

  private func validateSession() throws(ConfigurationError) {
    let (timer, gate) = (session.timer, session.gate)
    for (setting, time) in [(Setting.maxDuration, timer.maxDuration), (.maxTotal, timer.maxTotal)] {
      try require(
        time, in: MediaTime(nanoseconds: 1)...SessionTimer.longest, setting,
        "more than 0, and 366 days at most")
    }
    if let maxTotal = timer.maxTotal, let maxDuration = timer.maxDuration {
      try require(
        maxTotal >= maxDuration, .maxTotal, .maxDuration,
        why: "all of it would be shorter than its first part", remedy: "write a longer --max-total")
    }
    try require(timer.alertBefore, in: .zero...(.seconds(86_400)), .alertBefore, "0 to 24h")
    try require(gate.timeout, in: .milliseconds(100)...(.seconds(3600)), .gateTimeout, "100ms to 1h")
    try require(
      !gate.onResume || gate.command != nil || gate.awaitsReady || gate.isSupplied, .gateOnResume,
      why: "there is no gate to ask", remedy: "name one with --gate, or add --await-ready")
  }

  private func require(
    _ condition: Bool, _ settings: Setting..., why: String, remedy: String
  ) throws(ConfigurationError) {
    guard !condition else { return }
    throw ConfigurationError(settings: settings, why: why, remedy: remedy)
  }

  private func require<Value: Comparable>(
    _ value: Value?, in range: ClosedRange<Value>, _ setting: Setting, _ written: String
  ) throws(ConfigurationError) {
    try require(
      value.map(range.contains) ?? true, setting, why: "out of range", remedy: "it may be \(written)")
  }
}

extension String {
  /// True for 1 to `most` characters of a-z, A-Z, 0-9 and . _ -
  package func isPlain(upTo most: Int) -> Bool {
    (1...most).contains(utf8.count)
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2D, 0x2E, 0x5F].contains(byte)
      }
  }
}
