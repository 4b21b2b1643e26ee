package import HoldfastMediaModel

/// What one output did not get, of all that was made.
package struct OutputLoss: Hashable, Sendable {
  /// Where the first of it lies on the media time line.
  package private(set) var mediaAt: MediaTime?
  package private(set) var video = MediaTime.zero
  package private(set) var pictures = 0
  package private(set) var audio = MediaTime.zero

  package init() {}

  package var isEmpty: Bool { mediaAt == nil }

  mutating func add(_ packet: MediaPacket) {
    add(packet.track, at: packet.decodeTime, packet.duration)
  }

  package mutating func add(_ track: TrackKind, at time: MediaTime, _ duration: MediaTime) {
    mediaAt = min(mediaAt ?? time, time)
    switch track {
    case .video:
      video += duration
      pictures += 1
    case .audio:
      audio += duration
    }
  }

  package mutating func add(_ other: OutputLoss) {
    guard let time = other.mediaAt else { return }
    mediaAt = min(mediaAt ?? time, time)
    video += other.video
    pictures += other.pictures
    audio += other.audio
  }
}

/// What one output did not get and has not reported yet.
struct LossLedger {
  private var pending = OutputLoss()
  private var nextReport = MonotonicTime(nanoseconds: 0)
  /// How much of the longer track was reported.
  private(set) var total = MediaTime.zero

  private static let interval = MediaTime.seconds(1)

  /// When what is missing is to be reported; nil where nothing is.
  var due: MonotonicTime? { pending.isEmpty ? nil : nextReport }

  mutating func add(_ loss: OutputLoss) {
    pending.add(loss)
  }

  mutating func take(at now: MonotonicTime) -> OutputLoss? {
    nextReport = now + Self.interval
    guard !pending.isEmpty else { return nil }
    defer { pending = OutputLoss() }
    total += max(pending.video, pending.audio)
    return pending
  }
}
