internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A file that takes another source's place, and where it is: its sound finds its picture, and the other way round.
final class FilePlace: Sendable {
  let path: String
  private let clock: FileClock
  private let isOpened = Locked(false)

  /// Further on than that nobody can catch up in time.
  private static let farthest = MediaTime.seconds(10)

  /// In step with `other`, where that is the same file and has not come far.
  init(_ path: String, beside other: FilePlace?) {
    self.path = path
    if let other, other.path == path, other.clock.age(at: .now) < Self.farthest {
      clock = other.clock
    } else {
      clock = FileClock()
    }
  }

  /// Opened again, it begins anew.
  func nextClock() -> FileClock {
    let isFirst = isOpened.withLock { isOpened in
      defer { isOpened = true }
      return !isOpened
    }
    return isFirst ? clock : FileClock()
  }
}
