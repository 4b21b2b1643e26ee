/// A recording for a demuxer that must not trust it: its head and its whole fragments, both made anew from what was
/// understood of them, piece by piece.
package struct CheckedStream {
  private let source: RecordingBytes
  private let reader: FragmentReader
  private let end: Int
  private var offset: Int
  private var pieces: ArraySlice<RepairedRecording.Piece>

  private static let maxPiece = 1 << 20

  /// `end` is where the fragments end that have been checked.
  package init(_ source: RecordingBytes, head: RecordingHead, until end: Int) throws(FragmentedFileError) {
    self.source = source
    reader = FragmentReader(source, tracks: head.tracks)
    self.end = end
    offset = head.start ?? end
    pieces = [.new(try head.plain())]
  }

  /// Nil at the end, and where the file has changed.
  package mutating func next() -> [UInt8]? {
    while true {
      switch pieces.popFirst() {
      case .new(let bytes): return bytes
      case .copy(let range):
        let part = range.prefix(Self.maxPiece)
        if part.count < range.count { pieces = [.copy(part.endIndex..<range.upperBound)] + pieces }
        return try? source.all(part.startIndex..<part.endIndex)
      case nil:
        guard readFragment() else { return nil }
      }
    }
  }

  private mutating func readFragment() -> Bool {
    while offset < end {
      if let fragment = reader.fragment(at: offset) {
        offset = fragment.range.upperBound
        pieces = KeptFragment(remaking: fragment).pieces[...]
        return true
      }
      guard let box = source.boxHead(at: offset), box.type != "moof", let length = box.length,
        length <= end - offset
      else { return false }
      offset += length
    }
    return false
  }
}

extension KeptFragment {
  fileprivate init(remaking fragment: Fragment) {
    let isKept = fragment.parts.map { $0.samples.map { _ in true } }
    self.init(fragment: fragment, isKept: isKept, isRewritten: true)
  }
}
