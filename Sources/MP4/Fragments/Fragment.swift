/// One fragment of a recording: a `moof` box, which describes each of its samples, and the `mdat` box behind it.
package struct Fragment: Hashable, Sendable {
  package struct Sample: Hashable, Sendable {
    /// When it is decoded, in the track's ticks.
    package internal(set) var time: Int64
    package internal(set) var duration: Int64
    /// How much later it is shown.
    package let delay: Int64
    let flags: UInt32
    /// Where its bytes are in the file.
    package let bytes: Range<Int>

    /// A decoder can begin with it.
    package var isKeyframe: Bool { flags & 0x1_0000 == 0 }
    var end: Int64 { time + duration }
  }

  /// What it holds of one track.
  package struct Part: Hashable, Sendable {
    package let track: UInt32
    package internal(set) var start: Int64
    package internal(set) var samples: [Sample] = []
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
  package internal(set) var number: UInt32
  package internal(set) var parts: [Part]
  /// Samples lie somewhere in the file, and not where their fragment is.
  let isBoundToPlace: Bool
  /// Boxes of kinds that are not known have been left out of account: they may be what a damage has made of known ones.
  let hasUnknownBoxes: Bool

  /// Of both boxes.
  package var range: Range<Int> { movie.lowerBound..<media.upperBound }
  var samples: Int { parts.reduce(0) { $0 + $1.samples.count } }

  /// Where the last of the samples ends.
  var samplesEnd: Int {
    parts.reduce(media.lowerBound) { max($0, $1.samples.reduce(0) { max($0, $1.bytes.upperBound) }) }
  }

  /// All samples are in it, at times that a recording can have.
  func isWhole(_ tracks: [RecordedTrack]) -> Bool {
    let bytes = parts.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.bytes.count } }
    return bytes <= media.count
      && parts.allSatisfy { part in
        part.end < tracks.first { $0.id == part.track }?.latest ?? 0
          && part.samples.allSatisfy {
            $0.bytes.lowerBound >= movie.lowerBound && $0.bytes.upperBound <= media.upperBound
          }
      }
  }
}
