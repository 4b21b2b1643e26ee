package import HoldfastMediaModel

/// The four letters that name a codec in Enhanced RTMP.
package struct FourCC: Hashable, Sendable, CustomStringConvertible {
  package let value: UInt32

  package init(value: UInt32) { self.value = value }

  private init(_ text: String) { value = UInt32(truncatingIfNeeded: text.bigEndian) }

  package static let known: [(fourCC: FourCC, codec: Codec)] = [
    (FourCC("avc1"), .h264), (FourCC("hvc1"), .hevc), (FourCC("av01"), .av1), (FourCC("mp4a"), .aac),
    (FourCC("Opus"), .opus),
  ]

  package var codec: Codec? { Self.known.first { $0.fourCC == self }?.codec }

  package var description: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }, as: UTF8.self)
  }
}

extension Codec {
  /// Whether a server that lists its newer codecs supports this one.
  package func isSupported(by fourCCs: [String]) -> Bool {
    fourCC.map { fourCCs.contains($0.description) } ?? true || fourCCs.contains("*")
  }

  /// Nil if the original protocol has a number for the codec.
  var fourCC: FourCC? {
    switch self {
    case .h264, .aac: nil
    case .hevc, .av1, .opus: FourCC.known.first { $0.codec == self }?.fourCC
    }
  }
}
