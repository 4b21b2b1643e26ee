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
    of source: RecordingBytes, like other: RecordingHead? = nil
  ) throws(FragmentedFileError) -> (bytes: [UInt8], inspection: RecordingInspection) {
    let head = try RecordingHead(source, like: other)
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

  /// Content of the new `mdat`, as ranges of the old file.
  private(set) var pieces: [Range<Int>] = []
  let head: [UInt8]

  init(_ kept: KeptFragment) {
    let fragment = kept.fragment
    let samples = fragment.parts.indices.map { kept.samples($0) }
    let all = samples.enumerated().flatMap { part, samples in samples.map { (part: part, sample: $0) } }
      .sorted { $0.sample.bytes.precedes($1.sample.bytes) }
    var runs: [[Run]] = samples.map { _ in [] }
    var length = 0
    var lastPart: Int?
    for (part, sample) in all {
      if lastPart == part, let last = runs[part].indices.last {
        runs[part][last].samples.append(sample)
      } else {
        runs[part].append((length, [sample]))
      }
      lastPart = part
      if let last = pieces.last, last.upperBound == sample.bytes.lowerBound {
        pieces[pieces.count - 1] = last.lowerBound..<sample.bytes.upperBound
      } else {
        pieces.append(sample.bytes)
      }
      length += sample.bytes.count
    }

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
