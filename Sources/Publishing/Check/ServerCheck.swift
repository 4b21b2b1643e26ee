import HoldfastFFmpeg
import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// Checks an address step by step, as a publish would proceed.
package struct ServerCheck: Sendable {
  package enum Step: String, Hashable, Sendable, CaseIterable {
    case name, connection, tls, handshake, publish, roundTrip, upload
  }

  /// `took` is the measured time for `roundTrip`; `warning` is what the server is known to drop silently.
  package typealias Result = CheckResult<Step>

  let address: OutputAddress
  let tls: TLSSettings
  let insecureAuth: Bool
  let timeout: MediaTime
  let measuresUpload: Bool
  let stop: Wakeup

  /// A server that refuses may accept first and close then.
  static let watchTime = MediaTime.seconds(1)

  /// Each step may take `timeout`; `stop` cancels the check. To measure the upload rate, media is published.
  package init(
    _ address: OutputAddress, tls: TLSSettings, insecureAuth: Bool = false, timeout: MediaTime,
    measuresUpload: Bool = false, stop: Wakeup
  ) {
    self.address = address
    self.tls = tls
    self.insecureAuth = insecureAuth
    self.timeout = timeout
    self.measuresUpload = measuresUpload
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
      observe(Result(step, isFine ? reason(for: step) : "not tried", .skipped))
    }
    return isFine
  }

  private func reason(for step: Step) -> String {
    switch step {
    case .tls: "not requested by the address"
    case .upload where address.kind == "rtmp": "only measured on request, with a publish that goes on air"
    case .upload: "measured over RTMP only"
    case .name, .connection, .handshake, .publish, .roundTrip: "part of the next step"
    }
  }

  private func checkBySink(_ report: (Result) -> Void) {
    let began = MonotonicTime.now
    do {
      var settings = Output.Settings(id: "check", address: address)
      settings.tls = tls
      settings.insecureAuth = insecureAuth
      let sink = address.makeSink(settings)
      defer { sink.close(until: .now + .seconds(1)) }
      let request = PublishRequest(type: .live, tracks: try SampleMedia().tracks, isTrial: true)
      try sink.open(request, until: began + timeout, stop: stop)
      let accepted = MonotonicTime.now
      try watch(sink, until: accepted + Self.watchTime)
      let warning = SilentLoss.warning(ofServer: sink.serverName, over: address.kind)
      report(Result(.publish, "accepted", took: accepted - began, warning: warning))
      if let roundTrip = sink.health.roundTrip {
        report(Result(.roundTrip, "there and back", took: roundTrip))
      }
    } catch let error as SinkError {
      report(Result(error, took: .now - began))
    } catch {
      report(Result(.publish, "\(error)", .failed))
    }
  }

  /// Throws if the server ends the connection.
  private func watch(_ sink: any ServerSink, until end: MonotonicTime) throws {
    let wakeup = try Wakeup()
    do throws(SinkError) {
      while .now < end, !stop.isSignalled {
        try sink.exchange(until: min(end, .now + .milliseconds(50)), wakeup: wakeup)
      }
    } catch {
      throw error.kind == .closed ? SinkError(.closedBeforeAccepted, error.what) : error
    }
  }
}

extension CheckResult<ServerCheck.Step> {
  init(_ error: SinkError, took: MediaTime? = nil) {
    let isAmbiguous = error.kind == .closedBeforeAccepted
    self.init(
      Self.step(of: error.kind), isAmbiguous ? "refused, or the name is taken: \(error.what)" : error.what,
      .failed, took: took)
  }

  private static func step(of kind: SinkError.Kind) -> ServerCheck.Step {
    switch kind {
    case .unresolved: .name
    case .unreachable, .system: .connection
    case .certificate: .tls
    case .timedOut, .violated: .handshake
    case .closed, .closedBeforeAccepted, .noProgress, .nameTaken, .refused, .unsupported, .moved, .stopped:
      .publish
    }
  }
}
