/// The room that a recording's file has for the index of one track, in front of the fragments.
///
/// While the recording goes on, it is a `free` box, which players skip, though the index stands in it already: whoever
/// goes on with the file after a crash finds it there. At a clean end it becomes a `sidx` box and a shorter `free` box.
package struct SeekIndexRoom: Hashable, Sendable {
  let offset: Int
  let length: Int
  let track: RecordedTrack

  /// Of the head, and of all that a `sidx` box has in front of its list.
  static let fixedLength = 40
  static let entryLength = 12
  /// Begins with a keyframe.
  private static let access: UInt32 = 0x9000_0000
  /// A `sidx` box counts its entries with 16 bits.
  private static let maxEntries = 0xFFFF

  var end: Int { offset + length }

  /// Behind the list there is always a `free` box.
  var capacity: Int {
    min(max(0, (length - Self.fixedLength - Box.headLength) / Self.entryLength), Self.maxEntries)
  }

  /// As much as so many stretches take at least.
  static func length(for stretches: Int) -> Int {
    fixedLength + stretches * entryLength + Box.headLength
  }

  private func fixed(_ index: SeekIndex, type: FourCC, length: Int, spare: UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.addHead(of: type, length: length)
    bytes.add(UInt32(0x0100_0000))
    bytes.add(track.id)
    bytes.add(UInt32(track.timescale))
    bytes.add(index.start?.time ?? 0)
    bytes.add(Int64((index.start?.offset ?? end) - (offset + length)))
    bytes.add(spare)
    bytes.add(UInt16(index.stretches.count))
    return bytes
  }

  private func entry(_ stretch: SeekIndex.Stretch) -> [UInt8] {
    Box.bytes(stretch.bytes) + Box.bytes(stretch.duration) + Box.bytes(Self.access)
  }

  private func place(of entry: Int) -> Int { offset + Self.fixedLength + entry * Self.entryLength }

  private var emptyHead: [UInt8] {
    fixed(SeekIndex(capacity: capacity), type: "free", length: length, spare: 1)
  }

  /// The room without an index.
  var emptyBox: [UInt8] {
    let head = emptyHead
    return head + [UInt8](repeating: 0, count: length - head.count)
  }

  var beginning: Patch { Patch(offset: offset, bytes: emptyHead) }

  /// What has changed, for whoever goes on after a crash.
  func patches(for change: SeekIndex.Change, of index: SeekIndex) -> [Patch] {
    let spare = UInt16(clamping: index.keyframesPerStretch)
    let head = Patch(offset: offset, bytes: fixed(index, type: "free", length: length, spare: spare))
    switch change {
    case .nothing: return []
    case .added:
      let last = index.stretches.count - 1
      return [Patch(offset: place(of: last), bytes: entry(index.stretches[last])), head]
    case .all:
      // Meanwhile there is none.
      return [beginning, Patch(offset: place(of: 0), bytes: index.stretches.flatMap(entry)), head]
    }
  }

  /// Makes it the index that players read.
  func closing(_ index: SeekIndex) -> [Patch] {
    guard !index.stretches.isEmpty else { return [] }
    let all = Self.length(for: index.stretches.count) - Box.headLength
    return [
      Patch(offset: offset + all, bytes: Box.head("free", length: length - all)),
      Patch(offset: offset, bytes: fixed(index, type: "sidx", length: all, spare: 0)),
    ]
  }
}
