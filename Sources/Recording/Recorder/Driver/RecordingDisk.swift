import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// Whether the disk of a recording accepts writes, and what is known of its last failure.
struct RecordingDisk: Sendable {
  /// The last attempt on a failing disk, once no more media is offered.
  private enum FinalAttempt {
    case notDue, due, failed, succeeded
  }

  private enum Sync {
    case idle
    /// `counts` unless the file has been opened again since.
    case running(Int, since: MonotonicTime, counts: Bool)
    case failed(RecordingError)
  }

  enum Readiness {
    case ready, suspended, retryDue
    /// No further packet is written.
    case ended
  }

  private let limits: DiskLimits
  private var monitor: DiskGuard
  private var finalAttempt = FinalAttempt.notDue
  private var sync = Sync.idle
  private var syncs = 0
  private var growth = Growth()
  private(set) var failure: RecordingError?

  init(_ limits: DiskLimits) {
    self.limits = limits
    monitor = DiskGuard(limits)
  }

  var isWriting: Bool { monitor.state == .writing }

  var isSuspended: Bool { retryTime != nil }

  private var retryTime: MonotonicTime? {
    guard case .suspended(_, let until) = monitor.state, finalAttempt != .succeeded else { return nil }
    return until
  }

  /// Takes the next write of a suspended disk as the final attempt if that is due, or its measurement if no file is open.
  mutating func readiness(at now: MonotonicTime, isFileOpen: Bool) -> Readiness {
    guard let retryTime else { return .ready }
    switch finalAttempt {
    case .notDue: return now < retryTime ? .suspended : .retryDue
    case .due:
      finalAttempt = .failed
      return isFileOpen ? .ready : .retryDue
    case .failed, .succeeded: return .ended
    }
  }

  mutating func mediaEnded() {
    if finalAttempt == .notDue { finalAttempt = .due }
  }

  mutating func failed(_ error: RecordingError, at now: MonotonicTime) -> [DiskGuard.Action] {
    if finalAttempt == .succeeded { finalAttempt = .failed }
    failure = error
    return monitor.handle(.failed(code: error.code ?? EIO, isFull: error.isOutOfSpace), at: now)
  }

  mutating func written(at now: MonotonicTime) -> [DiskGuard.Action] {
    if finalAttempt == .failed { finalAttempt = .succeeded }
    return monitor.handle(.succeeded, at: now)
  }

  /// `bytes` is the size of the recording at `path`.
  mutating func measured(free: Int, bytes: Int, path: String, at now: MonotonicTime) -> [DiskGuard.Action] {
    if limits.isReached(by: free) { failure = .reserveReached(at: path) }
    let rate = growth.bytesPerSecond(bytes, at: now)
    let isFinal = finalAttempt == .failed && isSuspended
    return monitor.handle(
      isFinal ? .measuredAtEnd(free: free) : .measured(free: free, bytesPerSecond: rate), at: now)
  }

  // MARK: - Syncs

  /// The number of a new sync; nil while one is running or its failure has not been taken.
  mutating func beginSync(at now: MonotonicTime) -> Int? {
    guard case .idle = sync else { return nil }
    syncs += 1
    sync = .running(syncs, since: now, counts: true)
    return syncs
  }

  var isSyncing: Bool { if case .running = sync { true } else { false } }

  /// When the sync with this number began, and whether it says something of the present file; nil if it is not awaited.
  /// While the disk is suspended, its failure is known.
  mutating func synchronized(
    _ number: Int, _ failure: RecordingError?
  ) -> (since: MonotonicTime, counts: Bool)? {
    guard case .running(number, let since, let counts) = sync else { return nil }
    sync = .idle
    if let failure, counts, !isSuspended { sync = .failed(failure) }
    return (since, counts)
  }

  mutating func fileReopened() {
    switch sync {
    case .idle: break
    case .running(let number, let since, _): sync = .running(number, since: since, counts: false)
    case .failed: sync = .idle
    }
  }

  mutating func takeSyncFailure() -> RecordingError? {
    guard case .failed(let error) = sync else { return nil }
    sync = .idle
    return error
  }
}

/// The growth rate of a recording, smoothed.
private struct Growth: Sendable {
  private var rate = 0.0
  private var measured: (bytes: Int, at: MonotonicTime)?

  mutating func bytesPerSecond(_ bytes: Int, at now: MonotonicTime) -> Int {
    let before = measured
    measured = (bytes, now)
    // The first measurement has no rate yet. Smoothing hides keyframes, whose seconds are much larger.
    guard let before, before.bytes > 0, now - before.at >= .milliseconds(500) else { return Int(rate) }
    let latest = Double(max(0, bytes - before.bytes)) / (now - before.at).seconds
    rate += (latest - rate) / (rate == 0 ? 1 : 30)
    return Int(rate)
  }
}
