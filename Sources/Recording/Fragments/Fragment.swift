/// One fragment of a file: a `moof` box and the `mdat` box behind it.
package struct Fragment: Hashable, Sendable {
  /// What it holds of one track.
  package struct Part: Hashable, Sendable {
    package let track: UInt32
    /// Which of the fragment's parts it is, from 1.
    package let number: Int
    /// When the first sample is decoded, in the track's ticks.
    package let start: Int64
    /// When the sample that follows is decoded.
    package internal(set) var end: Int64
    package internal(set) var samples = 0
    var bytes = 0
    /// The first sample that a player can begin with.
    package internal(set) var keyframe: Keyframe?
  }

  package struct Keyframe: Hashable, Sendable {
    /// When it is shown.
    package let time: Int64
    /// In which run of the part, and which sample of it, from 1.
    package let run: Int
    package let sample: Int
  }

  /// Where it begins in the file.
  package let offset: Int
  /// With both boxes.
  package let length: Int
  package let sequenceNumber: UInt32
  package let parts: [Part]

  package var end: Int { offset + length }
}

extension Fragment {
  /// Reads a `moof` box's content. `length` and `mediaLength` are those of the two boxes and of what the second holds.
  init(
    _ movie: BoxBytes, tracks: [RecordedTrack], offset: Int, length: Int, mediaLength: Int
  ) throws(FragmentedFileError) {
    var number: UInt32?
    var parts: [Part] = []
    for box in try movie.boxes() {
      switch box.type {
      case FourCharacters("mfhd"):
        var content = box.content
        try content.skip(4)
        number = try content.uint32()
      case FourCharacters("traf"):
        var reading = FragmentPartReading(tracks: tracks, number: parts.count + 1, length: length)
        parts.append(try reading.part(box.content))
      default: break
      }
    }
    guard let number else { throw .damaged("a fragment without a number") }
    let bytes = parts.reduce(0) { $0 + $1.bytes }
    guard bytes <= mediaLength else { throw .damaged("a fragment's samples are not in it") }
    self.offset = offset
    self.length = length
    sequenceNumber = number
    self.parts = parts
  }
}
