import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Measures the sources while there is no broadcast.
struct Preview {
  private let meters = Meters()
  private var rates = RateMeter()
  private(set) var nextSnapshot = MonotonicTime.now

  private static let interval = MediaTime.milliseconds(250)

  init(_ feeds: Feeds) {
    let meters = meters
    switch feeds.video {
    case .pictures(let feed): feed.watch(FeedReceiver(receive: { _, _ in meters.addPicture() }))
    case .packets(let feed): feed.watch(FeedReceiver(receive: { _, _ in meters.addPicture() }))
    case nil: break
    }
    switch feeds.audio {
    case .sound(let feed):
      feed.watch(FeedReceiver(receive: { block, _ in meters.addSound(block.samples, drift: nil) }))
    // Encoded sound has no level.
    case .packets, nil: break
    }
  }

  mutating func snapshot(at now: MonotonicTime) -> Snapshot? {
    guard nextSnapshot <= now else { return nil }
    nextSnapshot = now + Self.interval
    return rates.snapshot(meters.take(), state: .previewing, recordedBytes: 0, at: now)
  }
}
