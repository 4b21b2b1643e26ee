import HoldfastFFmpeg
import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// Checks an address step by step, as a publish would proceed.
package struct ServerCheck: Sendable {
  package enum Step: String, Hashable, Sendable, CaseIterable {
    case name, connection, tls, handshake, publish, roundTrip, upload
  }

  package enum Outcome: Hashable, Sendable {
    case passed
    case failed
    case skipped
  }

  package struct Result: Hashable, Sendable {
    package var step: Step
    package var outcome: Outcome
    package var detail: String
    /// Duration; for `roundTrip` the measured time.
    package var took: MediaTime?
    package var bitsPerSecond: Double?

    init(
      _ step: Step, _ outcome: Outcome, _ detail: String, took: MediaTime? = nil, bitsPerSecond: Double? = nil
    ) {
      self.step = step
      self.outcome = outcome
      self.detail = detail
      self.took = took
      self.bitsPerSecond = bitsPerSecond
    }
  }

  let address: OutputAddress
  let tls: TLSSettings
  let timeout: MediaTime
  let stop: Wakeup

  /// Each step may take `timeout`; `stop` cancels the check.
  package init(_ address: OutputAddress, tls: TLSSettings, timeout: MediaTime, stop: Wakeup) {
    self.address = address
    self.tls = tls
    self.timeout = timeout
    self.stop = stop
  }

  /// Reports each result as soon as it is known; true if a publish would be accepted.
  package func run(_ observe: (Result) -> Void) -> Bool {
    silenceFFmpeg()
    var reported: Set<Step> = []
    var isFine = true
    func report(_ result: Result) {
      reported.insert(result.step)
      if result.outcome == .failed { isFine = false }
      observe(result)
    }
    switch address {
    case .rtmp(let url): RTMPCheck(url: url, check: self).run(report)
    case .rtsp, .srt: checkBySink(report)
    }
    for step in Step.allCases where !reported.contains(step) {
      observe(Result(step, .skipped, isFine ? reason(for: step) : "not tried"))
    }
    return isFine
  }

  private func reason(for step: Step) -> String {
    switch step {
    case .tls: "not requested by the address"
    case .upload: "this protocol can't be measured without going on air"
    case .name, .connection, .handshake, .publish, .roundTrip: "part of the next step"
    }
  }

  private func checkBySink(_ report: (Result) -> Void) {
    let began = MonotonicTime.now
    do {
      var settings = Output.Settings(id: "check", address: address)
      settings.tls = tls
      let sink = address.makeSink(settings)
      defer { sink.close(until: .now + .seconds(1)) }
      let request = PublishRequest(type: .live, tracks: try Self.sampleTracks(), isTrial: true)
      try sink.open(request, until: began + timeout, stop: stop)
      report(Result(.publish, .passed, "accepted", took: .now - began))
      try measureRoundTrip(sink, report)
    } catch let error as SinkError {
      report(Result(Self.step(of: error.kind), .failed, error.what, took: .now - began))
    } catch {
      report(Result(.publish, .failed, "\(error)"))
    }
  }

  private func measureRoundTrip(_ sink: any ServerSink, _ report: (Result) -> Void) throws {
    let wakeup = try Wakeup()
    let deadline = MonotonicTime.now + .seconds(2)
    while sink.health.roundTrip == nil, .now < deadline, !stop.isSignalled {
      try sink.exchange(until: .now + .milliseconds(50), wakeup: wakeup)
    }
    guard let roundTrip = sink.health.roundTrip else { return }
    report(Result(.roundTrip, .passed, "there and back", took: roundTrip))
  }

  static func step(of kind: SinkError.Kind) -> Step {
    switch kind {
    case .unresolved: .name
    case .unreachable, .system: .connection
    case .certificate: .tls
    case .timedOut, .violated: .handshake
    case .closed, .closedBeforeAccepted, .noProgress, .nameTaken, .refused, .unsupported, .moved, .stopped:
      .publish
    }
  }

  /// The tracks of a typical broadcast.
  private static func sampleTracks() throws(FFmpegError) -> [Track] {
    let picture = VideoFormat(size: PictureSize(width: 640, height: 360), frameRate: .thirty)
    let video = try VideoEncoder(
      .software,
      VideoEncoder.Settings(
        codec: .h264, format: picture, bitrate: 1_000_000, keyframeInterval: .seconds(2)),
      source: .yuv420p)
    let sound = AudioFormat(sampleRate: 48_000, channels: 2)
    let audio = try AudioEncoder(.aac, format: sound, bitrate: 128_000)
    let tracks = [video.track, audio.track]
    return tracks.compactMap { $0 }
  }
}
