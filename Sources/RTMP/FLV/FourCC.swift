package import HoldfastMediaModel

/// The four letters that Enhanced RTMP names a codec by.
package struct FourCC: Hashable, Sendable {
  package let value: UInt32

  package init(value: UInt32) {
    self.value = value
  }

  private init(_ text: StaticString) {
    value = text.withUTF8Buffer { bytes in unsafe bytes.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static let avc = FourCC("avc1")
  static let hevc = FourCC("hvc1")
  static let av1 = FourCC("av01")
  static let aac = FourCC("mp4a")
  static let opus = FourCC("Opus")

  /// All that we can send and take.
  package static let known: [(fourCC: FourCC, codec: Codec)] = [
    (.avc, .h264), (.hevc, .hevc), (.av1, .av1), (.aac, .aac), (.opus, .opus),
  ]

  package var codec: Codec? { Self.known.first { $0.fourCC == self }?.codec }
}

extension FourCC: CustomStringConvertible {
  package var description: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }, as: UTF8.self)
  }
}

extension Codec {
  /// Whether a server takes it that says of the newer codecs which ones it does.
  package func isTaken(by fourCCs: [String]) -> Bool {
    fourCC.map { fourCCs.contains($0.description) } ?? true || fourCCs.contains("*")
  }

  /// Nil where the plain protocol has a number for it.
  var fourCC: FourCC? {
    switch self {
    case .h264, .aac: nil
    case .hevc: .hevc
    case .av1: .av1
    case .opus: .opus
    }
  }
}
