package import HoldfastMediaModel

/// Maps the stamps of a network source to our clock.
///
/// A live source sends what it captures: its least delayed packets show its clock, which is followed slowly enough
/// for sound to follow by stretching. Media that is there ahead of its time, in a file or a playlist, begins with
/// the earliest of its first arrivals and runs at our clock.
package struct SourceClock: Hashable, Sendable {
  package enum Pace: Hashable, Sendable { case live, ahead }

  private struct Lock: Hashable {
    /// When its first packet arrived.
    let began: Double
    /// Our time minus that of the source, at `anchor`.
    var offset: Double
    var anchor: Double
    /// Seconds by which the source falls behind per second.
    var slowness = 0.0
    /// Until then the offset follows each earlier arrival at once; of media ahead of its time, each that comes later than expected.
    var acquiresUntil: Double
    var window: Window?
  }

  private struct Window: Hashable {
    let end: Double
    /// The smallest error in the window.
    var error: Double
    /// The smallest error in the window before.
    var errorBefore = 0.0
  }

  private let pace: Pace
  private let latency: MediaTime
  private var lock: Lock?
  private var lastStamp: Double?
  /// How often the stamps have jumped.
  package private(set) var jumps = 0
  /// For media that arrived before the last jumps, by their number.
  private var formerLocks: [Int: Lock] = [:]

  /// A larger error is a jump.
  private static let maxError = 1.0
  /// What follows is placed behind what has been passed on by then, so that a later step would pull sound and picture
  /// apart.
  private static let minAcquisition = 0.3
  private static let windowLength = 1.0
  /// Gains of a critically damped loop of 0.02 rad/s.
  private static let (gain, driftGain) = (0.04, 0.0004)
  /// Sound can follow by 1 in 1000: half for the drift, and less for the rest.
  private static let (maxSlowness, maxCorrection) = (0.0005, 0.0004)
  /// Larger errors come from the network, not from the clock.
  private static let maxDriftError = 0.05
  /// The stamps of media ahead of its time may skip this far before they count as a jump.
  private static let maxSkip = 10.0
  private static let maxFormerLocks = 8

  package init(_ pace: Pace, latency: MediaTime) {
    self.pace = pace
    self.latency = latency
  }

  /// In parts per million; positive if the source's clock runs fast.
  package var drift: Double { -(lock?.slowness ?? 0) * 1e6 }

  /// Takes note of an arrival.
  package mutating func add(_ stamp: MediaTime, arrival: MonotonicTime) {
    let (stamp, arrival) = (stamp.seconds, MediaTime(nanoseconds: arrival.nanoseconds).seconds)
    defer { lastStamp = stamp }
    guard let error = lock.map({ arrival - Self.map(stamp, $0) }) else { return begin(stamp, arrival) }
    switch pace {
    case .live:
      guard abs(error) <= Self.maxError else { return jump(stamp, arrival) }
      follow(stamp, error, arrival)
    case .ahead:
      if lastStamp.map({ abs(stamp - $0) > Self.maxSkip }) == true { return jump(stamp, arrival) }
      if let acquiresUntil = lock?.acquiresUntil, arrival < acquiresUntil {
        // One track's first stamp may be earlier than that of the other, which came before it.
        lock?.offset += max(0, error)
      } else if error > latency.seconds {
        // It comes too late to be shown in time.
        jump(stamp, arrival)
      }
    }
  }

  /// When the media of `stamp`, which arrived after so many jumps, was captured, by our clock; nil if that is unknown.
  package func time(of stamp: MediaTime, afterJumps count: Int? = nil) -> MonotonicTime? {
    lock(afterJumps: count ?? jumps).map {
      MonotonicTime(nanoseconds: MediaTime(seconds: Self.map(stamp.seconds, $0)).nanoseconds)
    }
  }

  /// Like `time`, but by the least delayed packets of the last two windows, which the clock may still be following.
  fileprivate func earliestTime(of stamp: MediaTime, afterJumps count: Int?) -> MonotonicTime? {
    guard let time = time(of: stamp, afterJumps: count) else { return nil }
    let window = lock(afterJumps: count ?? jumps)?.window
    return time + MediaTime(seconds: min(0, window?.error ?? 0, window?.errorBefore ?? 0))
  }

  /// When the first packet after so many jumps arrived.
  fileprivate func began(afterJumps count: Int?) -> Double? { lock(afterJumps: count ?? jumps)?.began }

  private func lock(afterJumps count: Int) -> Lock? { count == jumps ? lock : formerLocks[count] }

  private static func map(_ stamp: Double, _ lock: Lock) -> Double {
    stamp + lock.offset + lock.slowness * (stamp - lock.anchor)
  }

  private mutating func begin(_ stamp: Double, _ arrival: Double) {
    lock = Lock(
      began: arrival, offset: arrival - stamp, anchor: stamp, slowness: lock?.slowness ?? 0,
      acquiresUntil: arrival + max(latency.seconds, Self.minAcquisition))
  }

  private mutating func jump(_ stamp: Double, _ arrival: Double) {
    formerLocks[jumps] = lock
    formerLocks[jumps - Self.maxFormerLocks] = nil
    jumps += 1
    begin(stamp, arrival)
  }

  private mutating func follow(_ stamp: Double, _ error: Double, _ arrival: Double) {
    guard var lock else { return }
    if arrival < lock.acquiresUntil {
      lock.offset += min(0, error)
    } else if var window = lock.window, arrival < window.end {
      window.error = min(window.error, error)
      lock.window = window
    } else {
      if let error = lock.window?.error {
        lock.offset += lock.slowness * (stamp - lock.anchor)
        lock.anchor = stamp
        let correction = error * Self.gain
        lock.offset += min(max(correction, -Self.maxCorrection), Self.maxCorrection)
        if abs(error) < Self.maxDriftError {
          let slowness = lock.slowness + error * Self.driftGain
          lock.slowness = min(max(slowness, -Self.maxSlowness), Self.maxSlowness)
        }
      }
      lock.window = Window(
        end: arrival + Self.windowLength, error: error, errorBefore: lock.window?.error ?? 0)
    }
    self.lock = lock
  }
}

/// The clock of a source's two tracks: one, unless their stamps have nothing to do with each other.
package struct SourceClocks: Hashable, Sendable {
  /// The time between two jumps of the stamps.
  package struct Era: Hashable, Sendable {
    fileprivate let sharedJumps: Int
    fileprivate let ownJumps: [TrackKind: Int]
  }

  private var shared: SourceClock
  private var own: [TrackKind: SourceClock] = [:]

  /// Tracks further apart than this are not of one clock.
  private static let maxDifference = MediaTime.seconds(1)

  package init(_ pace: SourceClock.Pace, latency: MediaTime) {
    shared = SourceClock(pace, latency: latency)
    for kind in TrackKind.allCases { own[kind] = shared }
  }

  /// Takes note of an arrival; returns the era that its stamp belongs to.
  @discardableResult
  package mutating func add(_ stamp: MediaTime, of kind: TrackKind, arrival: MonotonicTime) -> Era {
    shared.add(stamp, arrival: arrival)
    own[kind]?.add(stamp, arrival: arrival)
    return era
  }

  private var era: Era { Era(sharedJumps: shared.jumps, ownJumps: own.mapValues(\.jumps)) }

  /// Without an era, of the current one.
  package func time(of stamp: MediaTime, _ kind: TrackKind, _ era: Era? = nil) -> MonotonicTime? {
    let era = era ?? self.era
    guard let alone = own[kind]?.time(of: stamp, afterJumps: era.ownJumps[kind]) else { return nil }
    // Tracks that are not of one clock make the shared one jump all the time.
    let together = shared.time(of: stamp, afterJumps: era.sharedJumps)
    let others = own.filter { !isBehind($0.key, kind, era) }
    let times = others.map { $1.time(of: stamp, afterJumps: era.ownJumps[$0]) } + [together, alone]
    // A clock that began with late packets stays late for minutes.
    let earliest = others.map { $1.earliestTime(of: stamp, afterJumps: era.ownJumps[$0]) } + [together]
    let isOneClock = [times, earliest].contains { times in
      let times = times.compactMap(\.self)
      return (times.max() ?? alone) - (times.min() ?? alone) <= Self.maxDifference
    }
    return isOneClock ? together ?? alone : alone
  }

  /// The other track has not followed a jump of this one yet, so its clock knows nothing of the new stamps.
  private func isBehind(_ other: TrackKind, _ kind: TrackKind, _ era: Era) -> Bool {
    guard let jump = shared.began(afterJumps: era.sharedJumps),
      let began = own[kind]?.began(afterJumps: era.ownJumps[kind]),
      let otherBegan = own[other]?.began(afterJumps: era.ownJumps[other])
    else { return false }
    return began >= jump && otherBegan < jump
  }
}
