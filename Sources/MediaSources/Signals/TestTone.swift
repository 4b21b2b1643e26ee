import HoldfastMarks
package import HoldfastMediaModel
package import HoldfastPlatform

/// A quiet tone with a beep at each whole second of the monotonic clock, in real time; sample 0 is at the
/// clock's zero.
package struct TestTone: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = false
  package var summary: String { "test tone, \(format)" }

  private let signal: ToneSignal

  package init(format: AudioFormat = AudioFormat(sampleRate: 48000, channels: 2)) {
    self.format = format
    signal = ToneSignal(sampleRate: format.sampleRate)
  }

  /// Later samples are skipped.
  private static let maxLateness = MediaTime.seconds(2)

  /// Delivers blocks of 20 ms, each once its last sample is due.
  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    let length = Int64(max(1, format.sampleRate / 50))
    var next = sample(at: .now) + 1
    var lost = MediaTime.zero
    while !stop.wait(until: instant(ofSample: next + length)) {
      if .now - instant(ofSample: next + length) > Self.maxLateness {
        let current = sample(at: .now) - length
        lost = format.duration(ofFrames: Int(current - next))
        next = current
      }
      deliver(
        AudioBlock(
          format: format, captureTime: instant(ofSample: next),
          samples: signal.samples(next..<next + length, channels: format.channels), lostBefore: lost))
      lost = .zero
      next += length
    }
  }

  private func instant(ofSample index: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + MediaTime(ticks: index, timescale: format.sampleRate)
  }

  private func sample(at instant: MonotonicTime) -> Int64 {
    (instant - MonotonicTime(nanoseconds: 0)).ticks(timescale: format.sampleRate)
  }
}
