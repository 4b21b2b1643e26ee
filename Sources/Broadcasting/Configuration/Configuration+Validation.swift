import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// An invalid setting, or a combination of settings that contradict each other.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let settings: [Configuration.Setting]
  /// The index of the output concerned; nil if the settings are not of one output.
  package var output: Int?
  package let what: String
  package let hint: String

  package var description: String {
    settings.map(\.rawValue).joined(separator: " and ") + ": \(what); \(hint)"
  }
}

extension Configuration {
  /// Throws the first error found: each setting on its own, then contradictions between settings.
  package func validate() throws(ConfigurationError) {
    try validateName()
    try validateNumbers()
    try validateEncoder()
    try validateSources()
    try validateProgramme()
    try validateOutputs()
    try validateRenditions()
    try validateRecording()
    try validateSession()
  }

  private func validateName() throws(ConfigurationError) {
    guard let problem = InvalidValue.ofBroadcast(named: name) else { return }
    throw ConfigurationError(settings: [.name], what: problem.what, hint: problem.hint ?? "")
  }

  private func validateNumbers() throws(ConfigurationError) {
    try validate(video.size, .size)
    try require(video.frameRate.framesPerSecond, in: 1...240, .fps, "1 to 240 frames per second")
    try require(video.bitrate, in: Self.bitrates, .bitrate, Self.writtenBitrates)
    try require(audio.bitrate, in: 16_000...510_000, .audioBitrate, "16k to 510k")
    try require(
      video.gop, in: MediaTime(nanoseconds: 1)...(.seconds(60)), .gop, "more than 0 and at most 60s")
    try require(
      session.duration.map { $0 > .zero } ?? true, .duration,
      what: "the broadcast would end before it begins", hint: "use more than 0")
  }

  static let bitrates = 50_000...200_000_000
  static let writtenBitrates = "50k to 200M"

  func validate(_ size: PictureSize, _ setting: Setting) throws(ConfigurationError) {
    let sides = [size.width, size.height]
    try require(
      sides.allSatisfy { (64...7680).contains($0) }, setting,
      what: "the picture is too small or too large", hint: "use a width and height of 64 to 7680")
    try require(
      sides.allSatisfy { $0 % 2 == 0 }, setting,
      what: "encoders require an even width and height",
      hint: "use \(size.width / 2 * 2)x\(size.height / 2 * 2)")
  }

  private func validateEncoder() throws(ConfigurationError) {
    try require(
      video.codec.kind == .video, .videoCodec,
      what: "\(video.codec.name) is an audio codec", hint: "choose h264, hevc or av1")
    try require(
      audio.codec.kind == .audio, .audioCodec,
      what: "\(audio.codec.name) is a video codec", hint: "choose aac or opus")
    try require(
      video.encoder.canMake(video.codec), .encoder, .videoCodec,
      what: "\(video.encoder.rawValue) supports H.264 only",
      hint: "choose the encoder auto, vaapi, qsv, nvenc or copy")
    try require(
      video.encoder != .copy || !video.source.isAlwaysRaw, .encoder, .video,
      what: "this source is not encoded, so there is nothing to copy",
      hint: "choose another encoder, a camera or a file")
  }

  private func validateSources() throws(ConfigurationError) {
    try require(
      video.source != .off || audio.source != .off, .video, .audio,
      what: "video and audio are both off", hint: "turn one of them on")
    try require(
      recording.directory != nil || !outputs.requests.isEmpty || !receivers.isEmpty, .record,
      what: "no recording and no output", hint: "choose a folder to record in, or add an output")
    try require(sourceLatency, in: .zero...(.seconds(10)), .sourceLatency, "0 to 10s")
    try require(
      !loop || video.source.isFile || audio.source.isFile, .loop,
      what: "only files can loop", hint: "leave it out, or use a file:PATH source")
  }

  private func validateOutputs() throws(ConfigurationError) {
    try require(session.resumeWindow, in: .seconds(1)...(.seconds(86_400)), .resumeWindow, "1s to 24h")
    try validate(outputs.connectTimeout, outputs.stallTimeout, outputs.giveUpAfter)
    try require(video.minBitrate, in: 50_000...video.bitrate, .minBitrate, "50k to the configured bitrate")
    let ids = outputSettings.map(\.id)
    try require(
      Set(ids).count == ids.count, .to,
      what: "two outputs have the same id", hint: "choose another id for one of them")
    // In gaps it stands for the recorder.
    try require(
      !ids.contains(Gap.recording), .to, what: "an output's id is recording", hint: "choose another id")
    try require(outputs.requests.count <= 32, .to, what: "too many outputs", hint: "use at most 32")
    for (index, request) in outputs.requests.enumerated() {
      do throws(ConfigurationError) {
        try validate(request.connectTimeout, request.stallTimeout, request.giveUpAfter)
        try validateTracks(of: request.address)
        try validateChoice(of: request.rendition)
      } catch {
        throw ConfigurationError(settings: error.settings, output: index, what: error.what, hint: error.hint)
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
      what: "negative", hint: "use 0 or more, or leave it out")
  }

  /// Rejects a codec that the protocol of `address` can't carry.
  private func validateTracks(of address: OutputAddress) throws(ConfigurationError) {
    let isVideoKnown = video.source != .off && video.encoder != .copy
    for (codec, setting) in [(video.codec, Setting.videoCodec), (audio.codec, .audioCodec)] {
      let isUsed = codec.kind == .video ? isVideoKnown : audio.source != .off
      try require(
        !isUsed || address.canCarry(codec), .to, setting,
        what: "\(address.kind.uppercased()) can't carry \(codec.name)",
        hint: "choose another codec, or RTMP, which supports all codecs")
    }
  }

  private func validateRecording() throws(ConfigurationError) {
    try require(
      recording.segment?.isLongEnough ?? true, .segment,
      what: "segments would be too short", hint: "use at least 1s or 1M")
    try require(recording.onSegmentWait, in: .zero...(.seconds(3600)), .onSegmentWait, "0 to 1h")
    try require(
      recording.keepAge.map { $0 >= .seconds(1) } ?? true, .keepAge,
      what: "nothing would be kept", hint: "use at least 1s")
    try require(
      recording.keepSize.map { $0 >= 1 << 20 } ?? true, .keepSize,
      what: "nothing would be kept", hint: "use at least 1M")
    try require(recording.diskReserve, in: 0...1 << 40, .diskReserve, "0 (off) to 1T")
    try require(
      recording.mode & 0o600 == 0o600 && recording.mode & ~0o666 == 0, .recordMode,
      what: "its owner could not record, or others could run it", hint: "use 600 to 666")
    try require(recording.syncEvery, in: .milliseconds(250)...(.seconds(60)), .syncEvery, "250ms to 60s")
    try require(recording.queue, in: .seconds(1)...(.seconds(120)), .recordQueue, "1s to 2m")
  }

  private func validateSession() throws(ConfigurationError) {
    let (timer, gate) = (session.timer, session.gate)
    for (setting, time) in [(Setting.maxDuration, timer.maxDuration), (.maxTotal, timer.maxTotal)] {
      try require(
        time, in: MediaTime(nanoseconds: 1)...SessionTimer.longest, setting,
        "more than 0 and at most 366 days")
    }
    if let maxTotal = timer.maxTotal, let maxDuration = timer.maxDuration {
      try require(
        maxTotal >= maxDuration, .maxTotal, .maxDuration,
        what: "the maximum total is shorter than the maximum duration", hint: "use a longer maximum total")
    }
    try require(timer.alertBefore, in: .zero...(.seconds(86_400)), .alertBefore, "0 to 24h")
    try require(gate.limit, in: .milliseconds(100)...(.seconds(3600)), .gateTimeout, "100ms to 1h")
    try require(
      !gate.onResume || gate.command != nil || gate.awaitsReady || gate.isSupplied, .gateOnResume,
      what: "there is no gate to ask", hint: "add a gate")
  }

  func require(
    _ condition: Bool, _ settings: Setting..., what: String, hint: String
  ) throws(ConfigurationError) {
    guard !condition else { return }
    throw ConfigurationError(settings: settings, what: what, hint: hint)
  }

  func require<Value: Comparable>(
    _ value: Value?, in range: ClosedRange<Value>, _ setting: Setting, _ written: String
  ) throws(ConfigurationError) {
    try require(value.map(range.contains) ?? true, setting, what: "out of range", hint: "use \(written)")
  }
}
