import HoldfastMediaModel
import HoldfastPlatform

/// What may end a call into libavformat from outside. Asked before each of its reads, so mostly without a system call.
final class NetworkCall: Sendable {
  private let state = Locked((limits: CallLimits(), isStopped: false))

  /// For good.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Begins a call, which is to be given up at `deadline`.
  func begin(until deadline: MonotonicTime?) {
    state.withLock { $0.limits.begin(until: deadline, at: .now) }
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Why the current call is to be given up; nil if it is not.
  var failure: SourceFailure? {
    state.withLock { $0.isStopped ? .stopped : $0.limits.failure(at: .now) }
  }
}
