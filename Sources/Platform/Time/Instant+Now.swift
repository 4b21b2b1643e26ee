package import HoldfastMediaModel

extension Instant {
  package static var now: Instant {
    Instant(monotonic: .now, sinceBoot: timeSinceBoot(), wall: .now)
  }
}
