/// The contents of a repaired recording, piece by piece, without its final index.
package enum RepairedRecording {
  package enum Piece: Hashable, Sendable {
    case new([UInt8])
    /// A range of the damaged file.
    case copy(Range<Int>)
  }

  private static let mark = Array("repaired".utf8)
  /// A box before the fragments that tells of the repair.
  private static let note = Box.make("free", mark)

  /// Whether a repair has written the recording, or finished it.
  static func isRepaired(_ source: RecordingBytes, from start: Int) -> Bool {
    source.space(marked: mark, from: start) != nil
  }

  /// The write that notes the repair of a recording in its place; nil in one of an earlier version, without room for it.
  /// Nobody needs the copies of heads in a finished recording, whose box it takes.
  package static func note(in source: RecordingBytes, from start: Int) -> Patch? {
    HeadCopies(in: source, from: start).map { Patch(offset: $0.offset + Box.headLength, bytes: mark) }
  }

  /// Inspects the recording and passes the repaired pieces to `write`; `space` is reserved for the index.
  package static func make<Failure: Error>(
    of source: RecordingBytes, head: RecordingHead, space: [UInt8] = [],
    write: (Piece) throws(Failure) -> Void
  ) throws(Failure) -> RecordingInspection {
    try write(.new(head.bytes + space + note))
    return try RecordingInspection(source, head: head) { (kept) throws(Failure) in
      for piece in kept.pieces { try write(piece) }
    }
  }

  /// The repaired recording in memory, without the index.
  package static func bytes(
    of source: RecordingBytes
  ) throws(FragmentedFileError) -> (bytes: [UInt8], inspection: RecordingInspection) {
    let head = try RecordingHead(source)
    var result: [UInt8] = []
    let inspection = make(of: source, head: head) { (piece) throws(Never) in
      switch piece {
      case .new(let bytes): result += bytes
      case .copy(let range): result += source.some(range.count, at: range.lowerBound)
      }
    }
    return (result, inspection)
  }
}

extension KeptFragment {
  var pieces: [RepairedRecording.Piece] {
    if isRewritten {
      let rewriting = FragmentRewriting(self)
      return [.new(rewriting.head)] + rewriting.pieces.map(RepairedRecording.Piece.copy)
    }
    guard isRenumbered else { return [.copy(fragment.range)] }
    return [
      .copy(fragment.movie.lowerBound..<fragment.numberOffset), .new(Box.bytes(fragment.number)),
      .copy(fragment.numberOffset + 4..<fragment.media.upperBound),
    ]
  }
}

/// A new `moof` for the samples that are kept.
private struct FragmentRewriting {
  typealias Run = (offset: Int, samples: [Fragment.Sample])
  /// Where a sample is in the new `mdat`, and the number of samples before it.
  private typealias Place = (rank: Int, offset: Int)

  /// Content of the new `mdat`, as ranges of the old file.
  private(set) var pieces: [Range<Int>] = []
  let head: [UInt8]

  init(_ kept: KeptFragment) {
    let fragment = kept.fragment
    let samples = fragment.parts.indices.map { kept.samples($0) }
    let all = samples.enumerated().flatMap { part, samples in
      samples.indices.map { (part: part, index: $0, bytes: samples[$0].bytes) }
    }.sorted { $0.bytes.precedes($1.bytes) }
    var places = samples.map { $0.map { _ in (rank: 0, offset: 0) as Place } }
    var length = 0
    for (rank, (part, index, bytes)) in all.enumerated() {
      places[part][index] = (rank, length)
      if let last = pieces.last, last.upperBound == bytes.lowerBound {
        pieces[pieces.count - 1] = last.lowerBound..<bytes.upperBound
      } else {
        pieces.append(bytes)
      }
      length += bytes.count
    }
    let runs = samples.indices.map { Self.runs(samples[$0], at: places[$0]) }

    func movie(_ mediaOffset: Int) -> [UInt8] {
      let number = Box.make("mfhd", Box.bytes(UInt32(0)) + Box.bytes(fragment.number))
      let content = samples.indices.filter { !samples[$0].isEmpty }.flatMap { index in
        Self.part(
          fragment.parts[index].track, start: samples[index][0].time, runs[index], mediaOffset: mediaOffset)
      }
      return Box.make("moof", number + content)
    }
    // The length of the `moof` does not depend on the offset in it.
    let description = movie(movie(0).count + Box.headLength)
    head =
      description + Box.bytes(UInt32(truncatingIfNeeded: length + Box.headLength))
      + Box.bytes(BoxType("mdat").code)
  }

  /// In the order of decoding, which a damaged file's bytes need not have; each run in the order of both.
  private static func runs(_ samples: [Fragment.Sample], at places: [Place]) -> [Run] {
    var runs: [Run] = []
    var last: Int?
    for (sample, place) in zip(samples, places) {
      if let last, place.rank == last + 1 {
        runs[runs.count - 1].samples.append(sample)
      } else {
        runs.append((place.offset, [sample]))
      }
      last = place.rank
    }
    return runs
  }

  private static func part(_ track: UInt32, start: Int64, _ runs: [Run], mediaOffset: Int) -> [UInt8] {
    let head = Box.make("tfhd", Box.bytes(UInt32(0x02_0000)) + Box.bytes(track))
    let time = Box.make("tfdt", Box.bytes(UInt32(1 << 24)) + Box.bytes(UInt64(bitPattern: start)))
    let all = runs.flatMap { run in
      var content = Box.bytes(UInt32(1 << 24 | 0xF01)) + Box.bytes(UInt32(run.samples.count))
      content += Box.bytes(UInt32(truncatingIfNeeded: run.offset + mediaOffset))
      for sample in run.samples {
        content += Box.bytes(UInt32(clamping: sample.duration)) + Box.bytes(UInt32(sample.bytes.count))
        content += Box.bytes(sample.flags) + Box.bytes(Int32(clamping: sample.delay))
      }
      return Box.make("trun", content)
    }
    return Box.make("traf", head + time + all)
  }
}
