/// One fragment of a recording with each of its samples: what its `moof` box says.
struct MovieFragment: Hashable, Sendable {
  struct Sample: Hashable, Sendable {
    /// When it is decoded, in the track's ticks.
    var time: Int64
    var duration: Int64
    /// How much later it is shown.
    let delay: Int64
    let flags: UInt32
    /// Where its bytes are in the file.
    let bytes: Range<Int>

    /// A decoder can begin with it.
    var isKeyframe: Bool { flags & 0x1_0000 == 0 }
    var end: Int64 { time + duration }
  }

  /// What it holds of one track.
  struct Part: Hashable, Sendable {
    let track: UInt32
    var start: Int64
    var samples: [Sample] = []
    /// How many samples each run has, in order.
    var runs: [Int] = []

    var end: Int64 { samples.last?.end ?? start }
  }

  /// Where the `moof` box lies.
  let movie: Range<Int>
  /// Where the samples lie: what the `mdat` box holds, or what has to be taken for it.
  var media: Range<Int>
  /// Where its number stands.
  let numberOffset: Int
  var number: UInt32
  var parts: [Part]
  /// Samples lie somewhere in the file, and not where their fragment is.
  let isBoundToPlace: Bool

  /// Of both boxes.
  var range: Range<Int> { movie.lowerBound..<media.upperBound }
  var samples: Int { parts.reduce(0) { $0 + $1.samples.count } }

  /// Where the last of the samples ends.
  var samplesEnd: Int {
    parts.reduce(media.lowerBound) { max($0, $1.samples.reduce(0) { max($0, $1.bytes.upperBound) }) }
  }
}
