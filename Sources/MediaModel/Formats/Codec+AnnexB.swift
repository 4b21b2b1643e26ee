/// From a codec's own stream form to what packets and tracks hold.
extension Codec {
  /// The stream comes as NAL units.
  package var hasNALUnits: Bool {
    switch self {
    case .h264, .hevc: true
    case .av1, .aac, .opus: false
    }
  }

  /// A packet's bytes, from those of an encoder, a camera or a transport stream.
  package func packetBytes(annexB bytes: borrowing Span<UInt8>) -> [UInt8] {
    switch self {
    case .h264: NALUnits.lengthPrefixed(annexB: bytes, keep: AVCConfiguration.belongsInPackets)
    case .hevc: NALUnits.lengthPrefixed(annexB: bytes, keep: HEVCConfiguration.belongsInPackets)
    case .av1, .aac, .opus: unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// A track's headers, from the parameter sets in `bytes`; nil where they are not whole.
  package func headers(annexB bytes: borrowing Span<UInt8>) -> [UInt8]? {
    switch self {
    case .h264: AVCConfiguration.record(annexB: bytes)
    case .hevc: HEVCConfiguration.record(annexB: bytes)
    case .av1: AV1Configuration.headers(in: bytes)
    case .aac, .opus: bytes.isEmpty ? nil : unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }
}
