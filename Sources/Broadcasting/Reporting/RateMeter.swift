internal import Glibc
internal import HoldfastMediaModel

/// Turns counts into rates: the mean of the last two seconds.
struct RateMeter {
  private struct Sample {
    let time: MonotonicTime
    let pictures: Int
    let bytes: Int
  }

  private static let window = MediaTime.seconds(2)
  private var samples: [Sample] = []

  mutating func snapshot(
    _ values: Meters.Values, state: Snapshot.State, recordedBytes: Int, at now: MonotonicTime
  ) -> Snapshot {
    samples.append(Sample(time: now, pictures: values.pictures, bytes: values.bytes))
    while samples.count > 2, now - samples[0].time > Self.window { samples.removeFirst() }
    var snapshot = Snapshot()
    snapshot.state = state
    snapshot.mediaTime = values.mediaTime
    let seconds = (now - samples[0].time).seconds
    if seconds > 0 {
      snapshot.framesPerSecond = Double(values.pictures - samples[0].pictures) / seconds
      snapshot.bitsPerSecond = Double(values.bytes - samples[0].bytes) * 8 / seconds
    }
    snapshot.droppedFrames = values.droppedPictures
    snapshot.xruns = values.xruns
    if values.samples > 0 {
      snapshot.audioPeak = decibels(Double(values.peak))
      snapshot.audioLevel = decibels((values.squares / Double(values.samples)).squareRoot())
    }
    snapshot.driftPPM = values.drift
    snapshot.recordedBytes = Int64(recordedBytes)
    return snapshot
  }

  private func decibels(_ amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-6)) }
}
