import HoldfastLive
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// The picture and the sound of one stream of a member, pulled from where it publishes to while somebody looks or listens.
final class MemberTile: Sendable {
  let picture = LiveTrack(missing: MemberTile.connecting)
  let sound = LiveTrack(missing: MemberTile.connecting)
  /// With a fresh key at each call.
  private let settings: @Sendable () -> NetworkSettings?
  /// Called when viewers have something to take.
  private let wake: @Sendable () -> Void
  private let stop: Wakeup
  private let relay = Locked<NetworkRelay?>(nil)
  private let still = Locked(Still())
  private let thread = ThreadSlot()

  private struct Still: Sendable {
    var wantedUntil = MonotonicTime(nanoseconds: 0)
    var jpeg: [UInt8]?
  }

  static let connecting = "connecting"
  static let unreachable = "unreachable"
  private static let pause = MediaTime.milliseconds(500)
  private static let stillWidth = 640
  private static let stillLife = MediaTime.seconds(10)

  init(
    settings: @escaping @Sendable () -> NetworkSettings?, wake: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.settings = settings
    self.wake = wake
    stop = try Wakeup()
    try thread.start(name: "tile") { [self] in pull() }
  }

  subscript(kind: TrackKind) -> LiveTrack {
    switch kind {
    case .video: picture
    case .audio: sound
    }
  }

  func end() {
    stop.signal()
    relay.withLock { $0 }?.stop()
  }

  /// After `end`: waits for its thread until `deadline`, and leaves it alone then, as a lookup of a name may block.
  func join(until deadline: MonotonicTime) { _ = thread.join(until: deadline) }

  private func pull() {
    while !stop.isSignalled {
      if let settings = settings() {
        let relay = NetworkRelay(settings)
        self.relay.withLock { $0 = relay }
        // A stop may have come before the relay was there.
        if stop.isSignalled { return }
        try? relay.run { item in take(item) }
      }
      for track in [picture, sound] { track.lose(Self.unreachable) }
      still.withLock { $0.jpeg = nil }
      wake()
      _ = stop.wait(until: .now + Self.pause)
    }
  }

  private func take(_ item: borrowing NetworkRelay.Item) {
    if self[item.media.track].offer(item.media, of: item.track) { wake() }
    guard item.media.track == .video, item.media.isKeyframe,
      still.withLock({ $0.wantedUntil > .now }), let jpeg = item.jpeg(within: Self.stillWidth)
    else { return }
    still.withLock { $0.jpeg = jpeg }
  }

  /// The newest keyframe as a JPEG file. Nil at first, as none is decoded before somebody asks.
  func still(at now: MonotonicTime) -> [UInt8]? {
    still.withLock { still in
      // None was decoded in the meantime.
      if still.wantedUntil < now { still.jpeg = nil }
      still.wantedUntil = now + Self.stillLife
      return still.jpeg
    }
  }
}
