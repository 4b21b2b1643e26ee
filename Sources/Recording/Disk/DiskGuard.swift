package import HoldfastMediaModel

/// Decides when to warn of a recording's disk, when to stop writing, and when to resume.
///
/// A value without clock or system calls: events in, actions out. One per run of a recorder.
package struct DiskGuard: Machine, Hashable {
  package enum Event: Hashable, Sendable {
    /// Free space, and growth of the recording. Sent once a second, and after `retry`.
    case measured(free: Int, bytesPerSecond: Int)
    /// In place of `measured` when a suspended disk is tried for the last time: at once, and without a margin, as little is
    /// left to be written.
    case measuredAtEnd(free: Int)
    /// A write, sync or open failed; `isFull` if for lack of space.
    case failed(code: Int32, isFull: Bool)
    case succeeded
  }

  package enum Action: Hashable, Sendable {
    case report(DiskState)
    /// End the file cleanly, and write nothing until `resume`.
    case finishFile
    /// Write nothing, and measure again after this time. Replaces a pending retry.
    case retry(after: MediaTime)
    /// Reopen the file, or open the next one, and report the result.
    case resume
  }

  enum State: Hashable {
    case writing
    case suspended(Trouble, until: MonotonicTime)
    case trying(Trouble)
  }

  enum Trouble: Hashable {
    case full(free: Int?)
    case failed(code: Int32)
  }

  private let limits: DiskLimits
  private(set) var state = State.writing
  private var isLow = false
  package private(set) var reported = DiskState.writing
  /// Failed attempts in a row.
  private var attempts = 0
  /// Recoveries in a row that did not last.
  private var relapses = 0
  private var resumedAt: MonotonicTime?

  package init(_ limits: DiskLimits) { self.limits = limits }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .measured(let free, let rate): measure(free, rate, now)
    case .measuredAtEnd(let free): measureAtEnd(free, now)
    case .failed(_, isFull: true): fail(.full(free: nil), now)
    case .failed(let code, isFull: false): fail(.failed(code: code), now)
    case .succeeded: succeed(now)
    }
  }

  // MARK: - Room

  private mutating func measure(_ free: Int, _ rate: Int, _ now: MonotonicTime) -> [Action] {
    isLow = isLow(free, rate)
    let isFull = limits.isReached(by: free)
    switch state {
    case .writing:
      return isFull ? fail(.full(free: free), now, finishes: true) : report(isLow ? .low : .writing)
    case .trying:
      return isFull ? fail(.full(free: free), now, finishes: true) : []
    case .suspended(let trouble, let due):
      guard now >= due else { return [] }
      return isFull || trouble.isFull && free < limits.required
        ? suspend(.full(free: free), now, for: limits.checkInterval) : resume(trouble)
    }
  }

  private mutating func measureAtEnd(_ free: Int, _ now: MonotonicTime) -> [Action] {
    switch state {
    case .writing, .trying: []
    case .suspended(let trouble, _):
      limits.isReached(by: free)
        ? suspend(.full(free: free), now, for: limits.checkInterval) : resume(trouble)
    }
  }

  private mutating func resume(_ trouble: Trouble) -> [Action] {
    state = .trying(trouble)
    return [.resume]
  }

  /// With hysteresis, so that warnings do not repeat.
  private func isLow(_ free: Int, _ rate: Int) -> Bool {
    let left = Double(max(0, free - limits.reserve)) / Double(max(1, rate))
    let factor = isLow ? 1.2 : 1
    return free < 2 * limits.reserve + (isLow ? limits.margin : 0)
      || left < limits.warning.seconds * factor
  }

  // MARK: - Failures

  /// `finishes` if the file can still be ended cleanly.
  private mutating func fail(_ trouble: Trouble, _ now: MonotonicTime, finishes: Bool = false) -> [Action] {
    var finishes = finishes
    switch state {
    case .writing:
      relapses = resumedAt.map { now - $0 < limits.relapseWindow } == true ? min(relapses + 1, 20) : 0
      if relapses == 0 { attempts = 0 }
      finishes = trouble.isFull
    case .trying: attempts = min(attempts + 1, 20)
    case .suspended(_, let due):
      // An earlier failure is that of ending the file.
      if now >= due { attempts = min(attempts + 1, 20) }
    }
    return suspend(trouble, now, for: wait(for: trouble), finishes: finishes)
  }

  private mutating func suspend(
    _ trouble: Trouble, _ now: MonotonicTime, for wait: MediaTime, finishes: Bool = false
  ) -> [Action] {
    state = .suspended(trouble, until: now + wait)
    return report(trouble.state(limits)) + (finishes ? [.finishFile] : []) + [.retry(after: wait)]
  }

  private func wait(for trouble: Trouble) -> MediaTime {
    switch trouble {
    // Space can be measured, so there is no need to back off unless the measurement proves wrong.
    case .full: limits.checkInterval.doubled(relapses, atMost: limits.maxRoomDelay)
    case .failed: limits.minRetryDelay.doubled(attempts + relapses, atMost: limits.maxRetryDelay)
    }
  }

  private mutating func succeed(_ now: MonotonicTime) -> [Action] {
    switch state {
    case .writing, .suspended: return []
    case .trying:
      state = .writing
      resumedAt = now
      return report(isLow ? .low : .writing)
    }
  }

  private mutating func report(_ new: DiskState) -> [Action] {
    guard new.name != reported.name else { return [] }
    reported = new
    return [.report(new)]
  }
}

extension DiskGuard.Trouble {
  fileprivate var isFull: Bool { if case .full = self { true } else { false } }

  fileprivate func state(_ limits: DiskLimits) -> DiskState {
    switch self {
    case .full(let free): .full(free: free, required: limits.required)
    case .failed(let code): .failed(code: code)
    }
  }
}

extension MediaTime {
  fileprivate func doubled(_ times: Int, atMost limit: MediaTime) -> MediaTime {
    min(MediaTime(nanoseconds: nanoseconds << min(times, 20)), limit)
  }
}

/// Thresholds and delays for disks that are low, full, slow or failing.
package struct DiskLimits: Hashable, Sendable {
  /// Bytes to leave free for others; 0 to use all.
  package let reserve: Int
  /// The disk is low if it would reach the reserve within this time.
  package var warning = MediaTime.seconds(600)
  /// A backlog above this is slow; at half of it, slowness ends.
  package var slowThreshold = MediaTime.seconds(1)
  /// How long a slow disk must keep up before slowness ends.
  package var quickPeriod = MediaTime.seconds(2)
  package var checkInterval = MediaTime.seconds(1)
  /// Delay before a failed disk is retried, doubled with each failure.
  package var minRetryDelay = MediaTime.milliseconds(250)
  package var maxRetryDelay = MediaTime.seconds(5)
  /// A failure within this time after a recovery counts as a relapse, which lengthens the delays.
  package var relapseWindow = MediaTime.seconds(10)
  package var maxRoomDelay = MediaTime.seconds(30)

  package init(reserve: Int) {
    // Avoids overflow in sums.
    self.reserve = min(max(0, reserve), 1 << 60)
  }

  /// Whether only the reserve is left.
  func isReached(by free: Int) -> Bool { reserve > 0 && free <= reserve }

  /// Space above the reserve that is required to resume, so that writing does not stop again at once. Small enough
  /// for a disk of a few megabytes.
  var margin: Int { reserve == 0 ? 1 << 20 : min(64 << 20, reserve / 4) }

  /// Free space that is required to resume.
  var required: Int { reserve + margin }
}
