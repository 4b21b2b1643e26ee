/// What a repaired recording consists of, piece by piece, from its front to the index that is added at the end.
package struct RepairedRecording: Sendable {
  package enum Piece: Hashable, Sendable {
    case new([UInt8])
    /// What lies there in the damaged file.
    case copy(Range<Int>)
  }

  let source: RecordingBytes

  /// The pieces of what is kept of a fragment.
  func pieces(of kept: KeptFragment) -> [Piece] {
    let fragment = kept.fragment
    if kept.isRewritten {
      let rewriting = FragmentRewriting(kept)
      return [.new(rewriting.head)] + rewriting.pieces.map(Piece.copy)
    }
    guard kept.isRenumbered else { return [.copy(fragment.range)] }
    return [
      .copy(fragment.movie.lowerBound..<fragment.numberOffset), .new(Box.bytes(fragment.number)),
      .copy(fragment.numberOffset + 4..<fragment.media.upperBound),
    ]
  }

  /// Reads the recording, and gives what a repaired one consists of to `write`, with `room` for the index. No piece is larger than
  /// `piece`, so that memory stays the same.
  package static func make<Failure: Error>(
    of source: RecordingBytes, head: (RecordingHead, start: Int?), room: [UInt8] = [],
    write: (Piece) throws(Failure) -> Void
  ) throws(Failure) -> RecordingInspection {
    let repaired = RepairedRecording(source: source)
    try write(.new(head.0.bytes + room))
    return try RecordingInspection(source, head: head) { (kept) throws(Failure) in
      for piece in repaired.pieces(of: kept) { try write(piece) }
    }
  }

  /// The repaired recording of one that lies in memory, without the index.
  package static func bytes(
    of source: RecordingBytes, like other: RecordingHead? = nil
  ) throws(FragmentedFileError) -> [UInt8] {
    let head = try RecordingHead.of(source, like: other)
    var result: [UInt8] = []
    _ = make(of: source, head: head) { (piece) throws(Never) in
      switch piece {
      case .new(let bytes): result += bytes
      case .copy(let range): result += source.some(range.count, at: range.lowerBound)
      }
    }
    return result
  }
}
