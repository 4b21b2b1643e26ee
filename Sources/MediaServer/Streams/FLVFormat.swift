import HoldfastMediaModel

enum FLVFormat {
  /// The file header plus the first PreviousTagSize, which is 0.
  static let headerSize = 13
  static let tagHeaderSize = 11
  /// Each tag is followed by its size.
  static let trailerSize = 4

  static let audioFlag: UInt8 = 4
  static let videoFlag: UInt8 = 1
  /// Offset of the track flags in the header.
  static let flagsOffset = 4

  static func header(flags: UInt8) -> [UInt8] { Array("FLV".utf8) + [1, flags, 0, 0, 0, 9, 0, 0, 0, 0] }

  static func isHeader(_ bytes: [UInt8]) -> Bool {
    bytes.count >= headerSize && bytes.starts(with: Array("FLV".utf8) + [1])
      && bytes[5..<headerSize].elementsEqual([0, 0, 0, 9, 0, 0, 0, 0])
  }

  static func typeID(_ kind: StreamMessage.Kind) -> UInt8 {
    switch kind {
    case .media(.audio): 8
    case .media(.video): 9
    case .metadata, .data: 18
    }
  }

  /// Times wrap after 2^32 milliseconds.
  static func append(_ message: StreamMessage, at time: Int64, to bytes: inout [UInt8]) {
    let size = UInt32(truncatingIfNeeded: message.payload.count)
    let time = UInt32(truncatingIfNeeded: time)
    bytes.append(typeID(message.kind))
    append(size, 3, to: &bytes)
    append(time, 3, to: &bytes)
    bytes.append(UInt8(truncatingIfNeeded: time >> 24))
    append(0, 3, to: &bytes)
    bytes.append(contentsOf: message.payload)
    append(size + UInt32(tagHeaderSize), 4, to: &bytes)
  }

  private static func append(_ value: UInt32, _ count: Int, to bytes: inout [UInt8]) {
    for place in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(place))))
    }
  }

  static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  struct TagHeader: Hashable {
    let typeID: UInt8
    let size: Int
    let time: Int64

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= tagHeaderSize, [8, 9, 18].contains(bytes[0]),
        bytes[8..<11].elementsEqual([0, 0, 0])
      else { return nil }
      typeID = bytes[0]
      size = number(bytes[1..<4])
      time = Int64(number(bytes[4..<7]) | Int(bytes[7]) << 24)
    }

    /// Size including the tag header and trailer.
    var wholeSize: Int { tagHeaderSize + size + trailerSize }
  }
}
