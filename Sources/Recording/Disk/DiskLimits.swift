package import HoldfastMediaModel

/// When a disk is held to be low, full or slow, and how long it is left alone.
package struct DiskLimits: Hashable, Sendable {
  /// Bytes that are left free for others; 0 to write until nothing more goes in.
  package let reserve: Int
  /// Less time than this until the reserve is reached is low.
  package var warning = MediaTime.seconds(600)
  /// A disk that is so far behind is slow; at half of it, it isn't any more.
  package var slowThreshold = MediaTime.seconds(1)
  /// A disk that was slow has to be quick for so long before it is said to be.
  package var quickPeriod = MediaTime.seconds(2)
  /// How often a full disk is measured.
  package var checkInterval = MediaTime.seconds(1)
  /// How soon a disk that failed is tried again; each attempt that fails doubles it.
  package var minRetryDelay = MediaTime.milliseconds(250)
  package var maxRetryDelay = MediaTime.seconds(5)
  /// A disk that fails again so soon after its return hasn't returned: it is left alone longer and longer.
  package var probation = MediaTime.seconds(10)
  package var maxRoomDelay = MediaTime.seconds(30)

  package init(reserve: Int) {
    // Whatever somebody writes, sums of it stay numbers.
    self.reserve = min(max(0, reserve), 1 << 60)
  }

  /// So much more than the reserve has to be free before it goes on: else it would stop again at once.
  var margin: Int { reserve == 0 ? 4 << 20 : min(64 << 20, reserve / 4) }
}
