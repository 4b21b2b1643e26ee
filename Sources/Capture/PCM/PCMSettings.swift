internal import HoldfastMediaModel

/// What was agreed with a capturing PCM.
struct PCMSettings: Hashable, Sendable {
  let sampleFormat: PCMSampleFormat
  let format: AudioFormat
  /// The frames between two wake-ups.
  let period: Int
  /// The frames that the device holds before it loses some.
  let buffer: Int

  static let maxChannels = 8

  /// The longest period for prompt blocks: 10 ms.
  static func longestPeriod(sampleRate: Int) -> Int { max(1, sampleRate / 100) }

  /// The longest buffer: half a second covers every hold-up that is not a stall.
  static func longestBuffer(sampleRate: Int) -> Int { max(1, sampleRate / 2) }

  /// The channel count to take: the wanted one, else the next larger, so that nothing is missing, else the
  /// largest.
  static func channels(wanted: Int, among possible: [Int]) -> Int? {
    possible.filter { $0 >= wanted }.min() ?? possible.max()
  }

  /// What was agreed on, and what was wanted where that is something else.
  func summary(pcm: String, wanted: AudioFormat) -> String {
    func milliseconds(_ frames: Int) -> Int64 {
      (format.duration(ofFrames: frames).nanoseconds + 500_000) / 1_000_000
    }
    let rhythm = "every \(milliseconds(period)) ms, buffer \(milliseconds(buffer)) ms"
    let agreed = "\(pcm): \(format), \(sampleFormat.rawValue), \(rhythm)"
    return wanted == format ? agreed : "\(agreed) (wanted \(wanted))"
  }
}
