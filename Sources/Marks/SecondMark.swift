package import HoldfastMediaModel

/// What the test picture and tone do at each whole second of the monotonic clock: a flash and a beep begin.
///
/// Where picture and sound are in step, they begin together. The beep's pitch tells which second it was,
/// modulo 8, so that the two can be up to 4 s apart and still be told by how much.
package enum SecondMark {
  /// How long flash and beep last.
  package static let length = MediaTime.milliseconds(100)

  /// Hertz. Each has a whole number of cycles in 10 ms, so a beep begins and ends at a zero crossing, and a
  /// 10 ms window tells one from the other.
  package static let pitches = [1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700]

  /// The index of the pitch that second `second` of the monotonic clock has.
  package static func pitch(ofSecond second: Int64) -> Int {
    Int(second % Int64(pitches.count))
  }

  package static func isFlashing(at instant: MonotonicTime) -> Bool {
    instant.nanoseconds % 1_000_000_000 < length.nanoseconds
  }

  /// The second with pitch `pitch` that is nearest to `instant`.
  static func second(ofPitch pitch: Int, near instant: MonotonicTime) -> MonotonicTime {
    let cycle = Int64(pitches.count) * 1_000_000_000
    let offset = Int64(pitch) * 1_000_000_000
    let cycles = Double(instant.nanoseconds - offset) / Double(cycle)
    return MonotonicTime(nanoseconds: Int64(cycles.rounded()) * cycle + offset)
  }
}
