/// A fragment: a `moof` box, which describes each sample, and the `mdat` box after it.
package struct Fragment: Hashable, Sendable {
  package struct Sample: Hashable, Sendable {
    /// Decode time, in ticks of the track.
    package internal(set) var time: Int64
    package internal(set) var duration: Int64
    /// Presentation time minus decode time.
    package let delay: Int64
    let flags: UInt32
    /// Range of its data in the file.
    package let bytes: Range<Int>

    package var isKeyframe: Bool { flags & 0x1_0000 == 0 }
    var end: Int64 { time + duration }
  }

  /// The samples of one track.
  package struct Part: Hashable, Sendable {
    package let track: UInt32
    package internal(set) var start: Int64
    package internal(set) var samples: [Sample] = []
    /// Number of samples in each run.
    var runs: [Int] = []

    var end: Int64 { samples.last?.end ?? start }
  }

  let movie: Range<Int>
  /// Range of the samples: the content of the `mdat` box, or what is taken for it in a damaged file.
  var media: Range<Int>
  let numberOffset: Int
  package internal(set) var number: UInt32
  package internal(set) var parts: [Part]
  /// Data offsets count from the start of the file, so the fragment cannot be moved.
  let isBoundToPlace: Bool
  /// Boxes of unknown types were ignored; they may be damaged known ones.
  let hasUnknownBoxes: Bool

  package var range: Range<Int> { movie.lowerBound..<media.upperBound }
  var samples: Int { parts.reduce(0) { $0 + $1.samples.count } }

  var samplesEnd: Int {
    parts.reduce(media.lowerBound) { max($0, $1.samples.reduce(0) { max($0, $1.bytes.upperBound) }) }
  }

  /// All samples are within the fragment, at plausible times.
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
