import HoldfastBroadcasting
import HoldfastControl
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing

/// Checks whether outputs can be published to, before a broadcast.
final class OutputChecks: Sendable {
  /// The raw values are a stable interface.
  enum State: String, Hashable, Sendable {
    case unknown, running, fine, failed
  }

  struct Check: Hashable, Sendable {
    var state = State.unknown
    var what: String?
  }

  private let results = Locked<[String: Check]>([:])
  private let isRunning = Locked(false)
  private let thread = Locked<StoppableThread?>(nil)

  private static let timeout = MediaTime.seconds(5)

  subscript(output: String) -> Check { results.withLock { $0[output] ?? Check() } }

  /// Starts checking the outputs, one after another.
  func start(_ configuration: Configuration) throws(APIError) {
    let isFree = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
    guard isFree else {
      throw .notPossible("the outputs are already being checked", hint: "check the results in the status")
    }
    let outputs = configuration.outputSettings
    results.withLock {
      $0 = Dictionary(uniqueKeysWithValues: outputs.map { ($0.id, Check(state: .running)) })
    }
    abandon()
    do {
      let next = try StoppableThread(name: "check") { [self] stop in
        for output in outputs { check(output, until: stop) }
        isRunning.withLock { $0 = false }
      }
      thread.withLock { $0 = next }
    } catch {
      isRunning.withLock { $0 = false }
      throw APIError(503, "notTaken", "\(error)", hint: "try again")
    }
  }

  func abandon() {
    thread.withLock { $0 }?.stop()
  }

  private func check(_ output: Output.Settings, until stop: Wakeup) {
    guard !stop.isSignalled else { return results.withLock { $0[output.id] = Check() } }
    let last = Locked<ServerCheck.Result?>(nil)
    let isFine = ServerCheck(output.address, tls: output.tls, timeout: Self.timeout, stop: stop).run {
      result in
      last.withLock { $0 = result.outcome == .skipped ? $0 ?? result : result }
    }
    guard !stop.isSignalled else { return results.withLock { $0[output.id] = Check() } }
    let what = last.withLock { $0 }.map { "\($0.step.rawValue): \($0.detail)" }
    results.withLock { $0[output.id] = Check(state: isFine ? .fine : .failed, what: what) }
  }
}
