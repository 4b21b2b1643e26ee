/// Converts packets to Annex B, with a delimiter before each picture and parameter sets before each keyframe.
package struct AnnexBWriter: Sendable {
  private let codec: Codec
  /// An access unit delimiter for any slice type.
  private let delimiter: [UInt8]
  /// Of the track.
  private let parameterSets: [UInt8]
  /// The last packet written; the memory is reused.
  package private(set) var bytes: [UInt8] = []

  private static let startCode: [UInt8] = [0, 0, 0, 1]

  /// Nil if the track has no NAL units or valid headers.
  package init?(_ track: Track) {
    guard let sets = Self.parameterSets(track.codec, track.headers) else { return nil }
    codec = track.codec
    delimiter = Self.startCode + (codec == .h264 ? [9, 0xF0] : [70, 1, 0x50])
    parameterSets = sets
  }

  private static func parameterSets(_ codec: Codec, _ headers: [UInt8]) -> [UInt8]? {
    codec.parameterSets(headers: headers)?.flatMap { startCode + $0 }
  }

  /// Converts a packet into `bytes`, up to the first invalid length.
  package mutating func write(_ packet: MediaPacket) {
    let sets = packet.headers.flatMap { Self.parameterSets(codec, $0) } ?? parameterSets
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(delimiter.count + sets.count + packet.bytes.count)
    bytes += delimiter
    if packet.isKeyframe { bytes += sets }
    NALUnits.forEach(lengthPrefixed: packet.bytes) { unit in
      guard !isDelimiter(packet.bytes[unit.lowerBound]) else { return }
      bytes += Self.startCode
      bytes += packet.bytes[unit]
    }
  }

  private func isDelimiter(_ firstByte: UInt8) -> Bool {
    codec == .h264 ? firstByte & 0x1F == 9 : HEVCConfiguration.type(firstByte) == 35
  }
}

extension NALUnits {
  /// Calls `body` with each nonempty unit's range, without its length; stops at an invalid length.
  static func forEach(lengthPrefixed bytes: [UInt8], _ body: (Range<Int>) -> Void) {
    var index = 0
    while bytes.count - index >= 4 {
      let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
      index += 4
      guard length <= bytes.count - index else { return }
      if length > 0 { body(index..<index + length) }
      index += length
    }
  }
}
