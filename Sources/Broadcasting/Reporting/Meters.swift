internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What the lanes count while they run.
final class Meters: Sendable {
  struct Values: Hashable, Sendable {
    var mediaTime = MediaTime.zero
    var pictures = 0
    var bytes = 0
    var droppedPictures = 0
    var xruns = 0
    /// The highest sample and the mean square since they were last taken.
    var peak: Float = 0
    var squares = 0.0
    var samples = 0
    /// In millionths; nil while nobody measures.
    var drift: Double?
  }

  private let values = Locked(Values())

  func sent(_ packet: MediaPacket) {
    values.withLock { values in
      values.mediaTime = max(values.mediaTime, packet.presentationTime + packet.duration)
      values.bytes += packet.bytes.count
      if packet.track == .video { values.pictures += 1 }
    }
  }

  /// A picture that nobody encodes.
  func saw() {
    values.withLock { $0.pictures += 1 }
  }

  func lost(_ loss: TrackLoss) {
    values.withLock { values in
      values.droppedPictures += loss.pictures
      if loss.cause == .xrun { values.xruns += 1 }
    }
  }

  func heard(_ samples: [Float], drift: Double?) {
    var peak: Float = 0
    var squares = 0.0
    for sample in samples {
      peak = max(peak, abs(sample))
      squares += Double(sample * sample)
    }
    values.withLock { values in
      values.peak = max(values.peak, peak)
      values.squares += squares
      values.samples += samples.count
      values.drift = drift
    }
  }

  /// The counts so far; the level meter begins anew.
  func take() -> Values {
    values.withLock { values in
      let result = values
      values.peak = 0
      values.squares = 0
      values.samples = 0
      return result
    }
  }
}
