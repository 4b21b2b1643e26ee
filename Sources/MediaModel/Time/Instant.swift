/// One moment on each of the machine's clocks.
package struct Instant: Hashable, Sendable {
  /// What media and timers go by. It stands still while the machine sleeps.
  package var monotonic: MonotonicTime
  /// Time since the machine was booted, its sleep included.
  package var sinceBoot: MediaTime
  /// For showing only: somebody may set the clock.
  package var wall: WallTime

  package init(monotonic: MonotonicTime, sinceBoot: MediaTime, wall: WallTime) {
    self.monotonic = monotonic
    self.sinceBoot = sinceBoot
    self.wall = wall
  }
}
