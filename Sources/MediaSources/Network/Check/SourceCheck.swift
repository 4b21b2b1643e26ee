import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// Connects to a network source as a broadcast would, and measures what it sends for some seconds.
package struct SourceCheck: Sendable {
  package enum Step: String, Hashable, Sendable, CaseIterable {
    case connection, picture, sound, packet, keyframe, bitrate, keyframes, jitter, clock, copy
  }

  /// `took` counts from the beginning of the check; for `keyframes` and `jitter` it is what was measured.
  package typealias Result = CheckResult<Step>

  private let settings: NetworkSettings
  private let stop: Wakeup

  /// What is measured: from the first packet on, with a second in which a server sends what it has kept.
  private static let length = MediaTime.seconds(4)

  /// `stop` cancels the check.
  package init(_ settings: NetworkSettings, stop: Wakeup) { (self.settings, self.stop) = (settings, stop) }

  /// Reports each result as soon as it is known; returns why a broadcast could not use the source.
  package func run(_ observe: (Result) -> Void) -> CaptureError? {
    silenceFFmpeg()
    var reported: Set<Step> = []
    func report(_ result: Result) {
      reported.insert(result.step)
      observe(result)
    }
    let (stop, call, began) = (stop, NetworkCall(), MonotonicTime.now)
    call.begin(until: began + settings.connectTimeout)
    let exceeded: @Sendable () -> SourceFailure? = { stop.isSignalled ? .stopped : call.failure }
    var step = Step.connection
    var failure: SourceFailure?
    do throws(FFmpegError) {
      var connected: MonotonicTime?
      var input = try NetworkInput(settings.input, didConnect: { connected = .now }) { exceeded() != nil }
      report(Result(.connection, "connected", took: (connected ?? .now) - began))
      report(picture(of: input.streams[.video]))
      report(sound(of: input.streams[.audio]))
      step = .packet
      var measurement = SourceMeasurement(isAhead: input.isAhead)
      failure = try measure(&input, &measurement, call, began, report)
      if failure == nil { conclude(measurement, input.streams, isAhead: input.isAhead, report) }
    } catch {
      failure = exceeded() ?? SourceFailure(error)
    }
    let error = failure?.error(.video, settings.address)
    if let error { report(Result(step, error.what, .failed, took: .now - began)) }
    for step in Step.allCases where !reported.contains(step) {
      observe(Result(step, error == nil ? "none seen" : "not tried", .skipped))
    }
    return error
  }

  /// Reads for some seconds; returns what ended that early.
  private func measure(
    _ input: inout NetworkInput, _ measurement: inout SourceMeasurement, _ call: NetworkCall,
    _ began: MonotonicTime, _ report: (Result) -> Void
  ) throws(FFmpegError) -> SourceFailure? {
    var first: MonotonicTime?
    var hasKeyframe = input.streams[.video] == nil
    while !stop.isSignalled {
      let end = first.map { $0 + Self.length }
      if let end, end <= .now || input.isAhead && measurement.length >= Self.length { return nil }
      let patience = input.isAhead ? NetworkSettings.playlistTimeout : settings.stallTimeout
      call.begin(until: .now + patience)
      guard let packet = try input.next() else { return first == nil ? .ended : nil }
      let now = MonotonicTime.now
      let kind = packet.track.kind
      measurement.add(
        .init(
          kind: kind, decodeStamp: packet.decodeStamp, presentationStamp: packet.presentationStamp,
          isKeyframe: packet.isKeyframe, bytes: packet.byteCount, arrival: now))
      if first == nil {
        report(Result(.packet, "with the time to learn about the tracks", took: now - began))
      }
      first = first ?? now
      if kind == .video, packet.isKeyframe, !hasKeyframe {
        hasKeyframe = true
        report(Result(.keyframe, "the first picture that can be shown", took: now - began))
      }
    }
    return .stopped
  }
}

// MARK: - Results

extension SourceCheck {
  private func picture(of track: NetworkTrack?) -> Result {
    guard let track, case .video(let format) = track.format else {
      return Result(.picture, "none; use it for --audio", .skipped)
    }
    return Result(.picture, "\(track.codecName), \(format)")
  }

  private func sound(of track: NetworkTrack?) -> Result {
    guard let track, case .audio(let format) = track.format else {
      return Result(.sound, "none; use it for --video", .skipped)
    }
    return Result(.sound, "\(track.codecName), \(format)")
  }

  private func conclude(
    _ measurement: SourceMeasurement, _ streams: [TrackKind: NetworkTrack], isAhead: Bool,
    _ report: (Result) -> Void
  ) {
    let rates = TrackKind.allCases.compactMap { kind in measurement.bitsPerSecond(kind) }
    let perSecond = measurement.perSecond(.video).map { "\(Int($0.rounded())) pictures a second" }
    report(
      Result(
        .bitrate, perSecond ?? "", rates.isEmpty ? .skipped : .passed,
        bitsPerSecond: rates.isEmpty ? nil : rates.reduce(0, +)))
    if streams[.video] != nil {
      report(keyframes(measurement))
    }
    report(jitter(measurement, isAhead: isAhead))
    let problems = measurement.clockProblems
    report(
      problems.isEmpty
        ? Result(.clock, "stamps without a jump")
        : Result(.clock, "not followed everywhere", warning: problems.joined(separator: "; ")))
    if let video = streams[.video] { report(copy(video)) }
  }

  private func keyframes(_ measurement: SourceMeasurement) -> Result {
    guard let interval = measurement.keyframeInterval else {
      return Result(
        .keyframes, "fewer than two in \(Int(measurement.length.seconds.rounded())) s", .skipped,
        warning: "the picture is back only with the next keyframe: set the source to one every 1 or 2 s")
    }
    return Result(.keyframes, "between two", took: interval)
  }

  private func jitter(_ measurement: SourceMeasurement, isAhead: Bool) -> Result {
    if isAhead { return Result(.jitter, "sent ahead of its time, as a file or playlist", .skipped) }
    guard let jitter = measurement.jitter else {
      return Result(.jitter, "can't be told without stamps", .skipped)
    }
    let needed = SourceMeasurement.latency(for: jitter)
    guard needed > settings.latency else {
      return Result(.jitter, "--source-latency \(settings.latency.inMilliseconds) is enough", took: jitter)
    }
    return Result(
      .jitter, "the latest packet", took: jitter,
      warning: "packets come too late for the jitter buffer: use --source-latency \(needed.inMilliseconds)")
  }

  private func copy(_ track: NetworkTrack) -> Result {
    do {
      _ = try track.copied()
      return Result(.copy, "--encoder copy can pass the picture on")
    } catch {
      return Result(.copy, "--encoder copy can't pass on \(track.codecName)", .skipped)
    }
  }
}

extension MediaTime {
  fileprivate var inMilliseconds: String { "\(Int(milliseconds.rounded()))ms" }
}
