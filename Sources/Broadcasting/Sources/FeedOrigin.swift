import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

struct FeedOrigin<Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
  /// The source runs from `open` on, with or without a broadcast.
  var isDevice: Bool
  var endsByItself = false
  var file: ReplacementFile?
  var device: KnownDevice?
  /// Nil for Holdfast's own sources, which limit their waits themselves.
  var limits: SourceLimits?
  /// Opens the source; a known device is found again wherever it is plugged in.
  let open: @Sendable () throws(CaptureError) -> FeedSource<Item, Properties>
}

/// How long to wait for a source whose code is the program's and may block.
struct SourceLimits: Sendable {
  var firstItem = MediaTime.seconds(5)
  /// After this time without returning, its thread is abandoned.
  var stop = MediaTime.seconds(1)
}

/// A file that replaces another source, kept in sync with the same file in the other track.
final class ReplacementFile: Sendable {
  let path: String
  private let clock: FileClock
  private let isOpened = Locked(false)

  /// The lead beyond which a second track can't catch up in time.
  private static let maxLead = MediaTime.seconds(10)

  /// Shares the clock of `other` if that is the same file, and recently started.
  init(_ path: String, beside other: ReplacementFile?) {
    self.path = path
    if let other, other.path == path, other.clock.age(at: .now) < Self.maxLead {
      clock = other.clock
    } else {
      clock = FileClock()
    }
  }

  /// The shared clock for the first opening, a new one for each reopening.
  func nextClock() -> FileClock {
    let isFirst = isOpened.withLock { isOpened in
      defer { isOpened = true }
      return !isOpened
    }
    return isFirst ? clock : FileClock()
  }
}
