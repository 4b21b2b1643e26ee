package import HoldfastMediaModel
internal import HoldfastPlatform

/// When something happened, by the wall clock and by the time since the machine was booted.
///
/// The second one is right over a suspend and over a wall clock that is set, but says nothing across a reboot.
package struct JournalInstant: Hashable, Sendable {
  package var wall: WallTime
  package var sinceBoot: MediaTime
  /// What the kernel calls the boot; nil where it doesn't say.
  package var bootID: String?

  package init(wall: WallTime, sinceBoot: MediaTime, bootID: String?) {
    self.wall = wall
    self.sinceBoot = sinceBoot
    self.bootID = bootID
  }

  package static func now() -> JournalInstant {
    JournalInstant(
      wall: WallTime.now, sinceBoot: timeSinceBoot(), bootID: thisBoot)
  }

  private static let thisBoot = currentBootID()

  /// How long it is until `later`, and nil where nobody can know: the clock that would tell has gone back.
  package func elapsed(until later: JournalInstant) -> MediaTime? {
    let isSameBoot = bootID != nil && bootID == later.bootID
    let (length, isTooLarge) =
      isSameBoot
      ? later.sinceBoot.nanoseconds.subtractingReportingOverflow(sinceBoot.nanoseconds)
      : later.wall.nanoseconds.subtractingReportingOverflow(wall.nanoseconds)
    guard !isTooLarge, length >= 0 else { return nil }
    let isRebooted = bootID != nil && later.bootID != nil && !isSameBoot
    // It was another boot then, so all of this one lies in between, whatever the wall clock says.
    return isRebooted ? max(MediaTime(nanoseconds: length), later.sinceBoot) : MediaTime(nanoseconds: length)
  }
}
