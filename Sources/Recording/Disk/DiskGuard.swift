package import HoldfastMediaModel

/// Watches over the disk of a recording: when it is warned of, when the recording stops for it, when it goes on.
///
/// A value without a clock or a system call: what was found out comes in as events, what is to be done goes out as
/// actions. It holds for one run of a recorder.
package struct DiskGuard: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// So many bytes are free for us, and so many come each second. Asked once a second, and after `retry`.
    case measured(free: Int, bytesPerSecond: Int)
    /// A write, a sync or an opening has failed; `isFull` for want of room.
    case failed(code: Int32, isFull: Bool)
    /// One has done what it should.
    case succeeded
  }

  package enum Action: Hashable, Sendable {
    case report(DiskState)
    /// End the file cleanly, and write nothing until `resume`.
    case finishFile
    /// Write nothing; after this time measure anew. A later one takes the place of one that still waits.
    case retry(after: MediaTime)
    /// Open the next file, or the same one again, and write to it; say whether that has succeeded.
    case resume
  }

  enum State: Hashable {
    case writing
    /// Nothing is written until a `retry` is due.
    case holding(Trouble, until: MonotonicTime)
    /// It has been told to resume, and nothing has come of it yet.
    case trying(Trouble)
  }

  enum Trouble: Hashable {
    case full
    case failed(code: Int32)
  }

  private let limits: DiskLimits
  private(set) var state = State.writing
  private var isLow = false
  /// As it was reported last.
  package private(set) var reported = DiskState.writing
  /// Attempts in a row that led to nothing.
  private var attempts = 0
  /// Returns in a row that didn't last.
  private var relapses = 0
  private var resumedAt: MonotonicTime?

  package init(_ limits: DiskLimits) {
    self.limits = limits
  }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .measured(let free, let rate): measure(free, rate, now)
    case .failed(_, isFull: true): fail(.full, now)
    case .failed(let code, isFull: false): fail(.failed(code: code), now)
    case .succeeded: succeed(now)
    }
  }

  // MARK: - Room

  private mutating func measure(_ free: Int, _ rate: Int, _ now: MonotonicTime) -> [Action] {
    isLow = isLow(free, rate)
    let isFull = limits.reserve > 0 && free <= limits.reserve
    switch state {
    case .writing:
      return isFull ? fail(.full, now, finishes: true) : report(isLow ? .low : .writing)
    case .trying:
      return isFull ? fail(.full, now, finishes: true) : []
    case .holding(let trouble, let due):
      guard now >= due else { return [] }
      return isFull || trouble == .full && free < limits.reserve + limits.margin
        ? hold(.full, now, for: limits.checkInterval) : resume(trouble)
    }
  }

  private mutating func resume(_ trouble: Trouble) -> [Action] {
    state = .trying(trouble)
    return [.resume]
  }

  /// With some distance between the two sides, so that it isn't warned of over and over.
  private func isLow(_ free: Int, _ rate: Int) -> Bool {
    let left = Double(max(0, free - limits.reserve)) / Double(max(1, rate))
    let factor = isLow ? 1.2 : 1
    return free < 2 * limits.reserve + (isLow ? limits.margin : 0)
      || left < limits.warning.seconds * factor
  }

  // MARK: - Failures

  /// `finishes` where the file can still be ended as it should.
  private mutating func fail(_ trouble: Trouble, _ now: MonotonicTime, finishes: Bool = false) -> [Action] {
    var finishes = finishes
    switch state {
    case .writing:
      relapses = resumedAt.map { now - $0 < limits.probation } == true ? min(relapses + 1, 20) : 0
      if relapses == 0 { attempts = 0 }
      finishes = trouble == .full
    case .trying:
      attempts = min(attempts + 1, 20)
    case .holding(_, let due):
      // Before that it is only the file's end that has failed.
      if now >= due { attempts = min(attempts + 1, 20) }
    }
    return hold(trouble, now, for: wait(for: trouble), finishes: finishes)
  }

  private mutating func hold(
    _ trouble: Trouble, _ now: MonotonicTime, for wait: MediaTime, finishes: Bool = false
  ) -> [Action] {
    state = .holding(trouble, until: now + wait)
    return report(trouble.state) + (finishes ? [.finishFile] : []) + [.retry(after: wait)]
  }

  private func wait(for trouble: Trouble) -> MediaTime {
    switch trouble {
    // A disk that is full can be seen to have room again: nothing is gained by waiting, but for one that lies.
    case .full: limits.checkInterval.doubled(relapses, atMost: limits.maxRoomDelay)
    case .failed: limits.minRetryDelay.doubled(attempts + relapses, atMost: limits.maxRetryDelay)
    }
  }

  private mutating func succeed(_ now: MonotonicTime) -> [Action] {
    switch state {
    case .writing, .holding:
      return []
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
  fileprivate var state: DiskState {
    switch self {
    case .full: .full
    case .failed(let code): .failed(code: code)
    }
  }
}

extension MediaTime {
  fileprivate func doubled(_ times: Int, atMost limit: MediaTime) -> MediaTime {
    min(MediaTime(nanoseconds: nanoseconds << min(times, 20)), limit)
  }
}
