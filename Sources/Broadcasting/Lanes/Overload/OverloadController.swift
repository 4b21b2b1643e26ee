import HoldfastMediaModel

/// Decides how much less than usual an encoder does while the machine is overloaded: in steps, down while
/// pictures pile up before the encoder, and up again after a calm time.
struct OverloadController: Hashable, Sendable {
  /// The number of steps taken; 0 without overload.
  private(set) var level = 0
  private let maxLevel: Int
  private var overloadedSince: MonotonicTime?
  private var calmSince: MonotonicTime?
  private var lastStepUp: MonotonicTime?
  private var calmTime = minCalmTime

  /// More pictures behind the current one are an overload; one is calm.
  static let maxWaiting = 2
  /// The machine may be busy for this long.
  static let patience = MediaTime.milliseconds(250)
  /// Time until a step shows an effect.
  static let delayAfterStep = MediaTime.milliseconds(500)
  static let minCalmTime = MediaTime.seconds(10)
  static let maxCalmTime = MediaTime.seconds(160)
  /// An overload this soon after a step up was caused by that step.
  static let probation = MediaTime.seconds(20)

  init(maxLevel: Int) { self.maxLevel = maxLevel }

  /// Handles a picture that is to be encoded: `waiting` are the pictures behind it, `dropped` those that did
  /// not fit in the queue before it. Returns the new level; nil if it does not change.
  mutating func handle(waiting: Int, dropped: Int, at now: MonotonicTime) -> Int? {
    if waiting > Self.maxWaiting || dropped > 0 { return stepDown(now) }
    guard waiting <= 1 else {
      calmSince = nil
      return nil
    }
    overloadedSince = nil
    return stepUp(now)
  }

  private mutating func stepDown(_ now: MonotonicTime) -> Int? {
    calmSince = nil
    let since = overloadedSince ?? now
    overloadedSince = since
    guard level < maxLevel, now - since >= Self.patience else { return nil }
    if let last = lastStepUp.take() {
      calmTime = now - last < Self.probation ? min(calmTime + calmTime, Self.maxCalmTime) : Self.minCalmTime
    }
    overloadedSince = now + Self.delayAfterStep
    level += 1
    return level
  }

  private mutating func stepUp(_ now: MonotonicTime) -> Int? {
    let since = calmSince ?? now
    calmSince = since
    guard level > 0, now - since >= calmTime else { return nil }
    (calmSince, lastStepUp) = (now, now)
    level -= 1
    return level
  }
}
