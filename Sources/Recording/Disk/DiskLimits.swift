package import HoldfastMediaModel

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
