internal import HoldfastMediaModel

/// Where a capturing PCM is, as its driver said at one instant.
struct PCMPosition: Hashable {
  enum Condition: Hashable {
    case running
    /// It stands still because of an overrun or a suspend, and can be started again.
    case interrupted
    /// Its device has been taken away.
    case disconnected
  }

  var condition: Condition
  /// The frames that can be read now.
  var available: Int
  /// The age, in frames, of the one that is read next; more than `available` where there is a pipeline before
  /// the buffer.
  var delay: Int
  /// When the driver looked, on its own clock; 0 where it does not say.
  var stamp: MonotonicTime
  /// When we asked.
  var now: MonotonicTime

  /// When the frame that is read next was heard. A stamp far from now is from another clock, so it does not
  /// count.
  func captureTime(sampleRate: Int) -> MonotonicTime {
    let isOnOurClock = (stamp - now).nanoseconds.magnitude <= 1_000_000_000
    return (isOnOurClock ? stamp : now) - MediaTime(ticks: Int64(delay), timescale: sampleRate)
  }
}
