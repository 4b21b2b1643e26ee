import HoldfastMediaModel

/// Parses the tags of a growing FLV file. Skips tags truncated by a kill of the server.
struct FLVParser {
  private var pending: [UInt8] = []
  private var isPastHeader = false

  /// Parses the complete tags; keeps the rest for the next call.
  mutating func read(_ bytes: some Sequence<UInt8>, at arrival: MonotonicTime) -> [RecordedTag] {
    pending += bytes
    var offset = 0
    if !isPastHeader {
      guard pending.count >= Self.fileHeader else { return [] }
      isPastHeader = true
      offset = Self.fileHeader
    }
    var tags: [RecordedTag] = []
    while offset + Self.tagHeader <= pending.count {
      let length = number(at: offset + 1)
      let end = offset + Self.tagHeader + length
      guard isBelievable(at: offset) else {
        offset += 1
        continue
      }
      guard end + Self.backPointer <= pending.count else { break }
      guard number(at: end + 1) == Self.tagHeader + length else {
        offset += 1
        continue
      }
      let timestamp = number(at: offset + 4) | Int(pending[offset + 7]) << 24
      let payload = pending[offset + Self.tagHeader..<end]
      if let tag = RecordedTag(
        type: pending[offset], timestamp: timestamp, payload: payload, arrival: arrival)
      {
        tags.append(tag)
      }
      offset = end + Self.backPointer
    }
    pending.removeFirst(offset)
    return tags
  }

  private static let fileHeader = 13
  private static let tagHeader = 11
  private static let backPointer = 4

  /// A known tag type, and the stream ID 0.
  private func isBelievable(at offset: Int) -> Bool {
    [8, 9, 18].contains(pending[offset]) && number(at: offset + 8) == 0
  }

  private func number(at index: Int) -> Int {
    Int(pending[index]) << 16 | Int(pending[index + 1]) << 8 | Int(pending[index + 2])
  }
}
