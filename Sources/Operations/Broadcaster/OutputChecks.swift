import HoldfastBroadcasting
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing

/// Checks whether outputs can be published to, before a broadcast.
package final class OutputChecks: Sendable {
  /// The raw values are a stable interface.
  enum State: String, Hashable, Sendable {
    case unknown, running, fine, failed
  }

  struct Check: Hashable, Sendable {
    var state = State.unknown
    var what: String?
    /// In bits per second; nil if it was not measured.
    var uploadRate: Double?
  }

  private let results = Locked<[String: Check]>([:])
  private let thread = Locked<StoppableThread?>(nil)

  private static let timeout = MediaTime.seconds(5)

  subscript(output: String) -> Check { results.withLock { $0[output] ?? Check() } }

  /// Starts checking the outputs, one after another.
  func start(_ configuration: Configuration, measuringUpload: Bool) throws(APIError) {
    let outputs = configuration.outputSettings
    let isFree = results.withLock { results in
      guard !results.values.contains(where: { $0.state == .running }) else { return false }
      results = Dictionary(uniqueKeysWithValues: outputs.map { ($0.id, Check(state: .running)) })
      return true
    }
    guard isFree else {
      throw .notPossible("the outputs are already being checked", hint: "check the results in the status")
    }
    abandon()
    do {
      let next = try StoppableThread(name: "check") { [self] stop in
        for output in outputs {
          check(output, needing: configuration.requiredBitrate(of: output.id), measuringUpload, until: stop)
        }
      }
      thread.withLock { $0 = next }
    } catch {
      results.withLock { $0 = [:] }
      throw APIError(503, "notTaken", "\(error)", hint: "try again")
    }
  }

  package func abandon() { thread.withLock { $0 }?.stop() }

  private func check(
    _ output: Output.Settings, needing required: Int?, _ measuresUpload: Bool, until stop: Wakeup
  ) {
    guard !stop.isSignalled else { return results.withLock { $0[output.id] = Check() } }
    var last: ServerCheck.Result?
    var warning: String?
    let isFine = ServerCheck(
      output.address, tls: output.tls, insecureAuth: output.insecureAuth, timeout: Self.timeout,
      measuresUpload: measuresUpload, stop: stop
    ).run {
      last = $0.outcome == .skipped ? last ?? $0 : $0
      warning = warning ?? $0.warning
    }
    guard !stop.isSignalled else { return results.withLock { $0[output.id] = Check() } }
    let check = Check(last, isFine: isFine, required: required, warning: warning)
    results.withLock { $0[output.id] = check }
  }
}

extension OutputChecks.Check {
  /// `last` is the last step that was taken.
  init(_ last: ServerCheck.Result?, isFine: Bool, required: Int?, warning: String? = nil) {
    state = isFine ? .fine : .failed
    uploadRate = last?.bitsPerSecond
    let result = last.map { last in
      guard let uploadRate else { return "\(last.step.rawValue): \(last.detail)" }
      let needed = required.map { ", the broadcast needs \(Figures.rate(Double($0)))" } ?? ""
      return "\(Figures.rate(uploadRate)) upload\(needed)"
    }
    let parts = [result, warning].compactMap(\.self)
    what = parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension Configuration {
  /// Of both of an output's tracks, in bits per second; nil if it is up to the camera.
  func requiredBitrate(of output: String) -> Int? {
    if video.source != .off, video.encoder == .copy { return nil }
    return (video.source == .off ? 0 : videoBitrate(of: output))
      + (audio.source == .off ? 0 : audio.bitrate)
  }
}
