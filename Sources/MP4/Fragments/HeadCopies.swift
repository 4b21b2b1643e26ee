/// Copies of the head that is being written, as it was at the latest syncs, in a `free` box before the fragments.
///
/// A power cut may tear the page of a head that has changed since it was synchronized. Its copy then still describes what
/// was safe. Two places are used in turn, so that a torn copy costs nothing either.
package struct HeadCopies: Hashable, Sendable {
  /// Where the box begins.
  let offset: Int
  private var count: UInt64 = 0

  private static let mark = Array("headcopy".utf8)
  /// Offset and length of the bytes, number of the copy, checksum.
  private static let placeHead = 32
  private static let longestHead = 2 * 4096
  private static let placeLength = placeHead + longestHead
  private static let places = 2
  /// Whole pages, so that the fragments begin at the start of one.
  private static let length = 5 * 4096

  package init(at offset: Int) { self.offset = offset }

  package var end: Int { offset + Self.length }

  /// What makes up the box before there is any copy; the rest stays a hole.
  package var beginning: Patch {
    Patch(offset: offset, bytes: Box.head("free", length: Self.length) + Self.mark)
  }

  /// The write that keeps a copy of the head of `fragment`; nil if it has no place.
  package mutating func keep(_ fragment: OpenFragment) -> Patch? {
    let head = fragment.head()
    guard head.count <= Self.longestHead else { return nil }
    count += 1
    var bytes: [UInt8] = []
    bytes.add(Int64(fragment.offset))
    bytes.add(Int64(head.count))
    bytes.add(Int64(bitPattern: count))
    bytes.add(Self.checksum(bytes, head))
    return Patch(offset: place(count), bytes: bytes + head)
  }

  private func place(_ number: UInt64) -> Int {
    offset + Box.headLength + Self.mark.count + Int(number % UInt64(Self.places)) * Self.placeLength
  }

  /// FNV-1a
  private static func checksum(_ parts: [UInt8]...) -> Int64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in part { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return Int64(bitPattern: sum)
  }
}

extension HeadCopies {
  /// Those in the boxes from `start`, the end of the file's head; nil in a file of an earlier version.
  package init?(in source: RecordingBytes, from start: Int) {
    guard let offset = source.space(marked: Self.mark, length: Self.length, from: start) else { return nil }
    self.offset = offset
    count = all(in: source).map(\.number).max() ?? 0
  }

  private func all(in source: RecordingBytes) -> [(number: UInt64, head: Patch)] {
    (0..<UInt64(Self.places)).compactMap { number in
      let bytes = source.some(Self.placeLength, at: place(number))
      var reader = BoxReader(bytes[...])
      guard let offset = try? reader.number(bytes: 8), let length = try? reader.number(bytes: 8),
        let number = try? reader.number(bytes: 8), let sum = try? reader.number(bytes: 8),
        length > 0, length <= bytes.count - Self.placeHead, let offset = Int(exactly: offset)
      else { return nil }
      let head = Array(bytes[Self.placeHead..<Self.placeHead + Int(length)])
      guard Self.checksum(Array(bytes[..<24]), head) == Int64(bitPattern: sum), offset < source.size else {
        return nil
      }
      return (number, Patch(offset: offset, bytes: head))
    }
  }

  /// The latest copy, if its fragment is unreadable without it. A whole one may have been cut since.
  func restoration(of source: RecordingBytes, _ tracks: [RecordedTrack]) -> Patch? {
    guard let head = all(in: source).max(by: { $0.number < $1.number })?.head,
      FragmentReader(source, tracks: tracks).fragment(at: head.offset) == nil
    else { return nil }
    func end(_ source: RecordingBytes) -> Int {
      let reader = FragmentReader(source, tracks: tracks)
      let fragment = reader.fragment(at: head.offset) ?? reader.cutFragment(at: head.offset)?.fragment
      return fragment?.range.upperBound ?? 0
    }
    return end(source.patched(by: head)) > end(source) ? head : nil
  }

  /// Forgets all copies: where their fragments were, others may follow.
  package var erasing: [Patch] {
    (0..<UInt64(Self.places)).map {
      Patch(offset: place($0), bytes: [UInt8](repeating: 0, count: Self.placeHead))
    }
  }
}
