package import HoldfastMediaModel

extension WallTime {
  /// For showing only: somebody may set the clock.
  package static var now: WallTime { WallTime(nanoseconds: wallClockNanoseconds()) }
}
