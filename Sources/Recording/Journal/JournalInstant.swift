package import HoldfastMediaModel
import HoldfastPlatform

/// An instant by the wall clock and by the time since boot.
///
/// The latter survives a suspend and a clock change, but not a reboot.
package struct JournalInstant: Hashable, Sendable {
  package var wall: WallTime
  package var sinceBoot: MediaTime
  /// The kernel's boot id; nil if unavailable.
  package var bootID: String?

  package init(wall: WallTime, sinceBoot: MediaTime, bootID: String?) {
    self.wall = wall
    self.sinceBoot = sinceBoot
    self.bootID = bootID
  }

  package static func now() -> JournalInstant {
    JournalInstant(wall: WallTime.now, sinceBoot: timeSinceBoot(), bootID: thisBoot)
  }

  private static let thisBoot = currentBootID()

  package static func - (instant: JournalInstant, length: MediaTime) -> JournalInstant {
    instant.moved(by: .zero - length)
  }

  /// By the same clocks.
  package func moved(by length: MediaTime) -> JournalInstant {
    JournalInstant(
      wall: wall.moved(by: length),
      sinceBoot: MediaTime(nanoseconds: sinceBoot.nanoseconds &+ length.nanoseconds),
      bootID: bootID)
  }

  /// By how much the wall clock was set until `later`; zero if nobody knows.
  package func clockStep(until later: JournalInstant) -> MediaTime {
    guard bootID != nil, bootID == later.bootID else { return .zero }
    let byWall = later.wall.nanoseconds &- wall.nanoseconds
    return MediaTime(nanoseconds: byWall &- (later.sinceBoot.nanoseconds &- sinceBoot.nanoseconds))
  }

  /// The time until `later`; nil if the clock in question went back.
  package func elapsed(until later: JournalInstant) -> MediaTime? {
    let isSameBoot = bootID != nil && bootID == later.bootID
    let (length, isTooLarge) =
      isSameBoot
      ? later.sinceBoot.nanoseconds.subtractingReportingOverflow(sinceBoot.nanoseconds)
      : later.wall.nanoseconds.subtractingReportingOverflow(wall.nanoseconds)
    guard !isTooLarge, length >= 0 else { return nil }
    let isRebooted = bootID != nil && later.bootID != nil && !isSameBoot
    // At least the whole of this boot has passed, whatever the wall clock says.
    return isRebooted ? max(MediaTime(nanoseconds: length), later.sinceBoot) : MediaTime(nanoseconds: length)
  }
}

extension WallTime {
  /// A journal may hold any time, and an overflow is only a wrong one.
  package func moved(by step: MediaTime) -> WallTime {
    WallTime(nanoseconds: nanoseconds &+ step.nanoseconds)
  }
}
