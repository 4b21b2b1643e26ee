import HoldfastMediaModel
import HoldfastPlatform

/// The status as an event shared by all readers, renewed on request when it is old.
package final class LatestStatus: Sendable {
  private let make: @Sendable () -> String
  private let made = Locked<(frame: [UInt8], at: MonotonicTime)?>(nil)

  static let maxAge = MediaTime.milliseconds(100)

  package init(_ make: @escaping @Sendable () -> String) {
    self.make = make
  }

  func frame(at now: MonotonicTime) -> [UInt8] {
    if let made = made.withLock({ $0 }), now < made.at + Self.maxAge { return made.frame }
    let frame = EventHistory.frame(name: "status", data: make())
    made.withLock { $0 = (frame, now) }
    return frame
  }
}
