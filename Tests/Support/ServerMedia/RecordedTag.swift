package import HoldfastMediaModel

/// A tag of an FLV file written by a server.
package struct RecordedTag: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case audio, video, data }

  package let kind: Kind
  package let timestamp: Int
  package let isKeyframe: Bool
  /// Decoder configuration rather than media.
  package let isHeader: Bool
  package let payload: [UInt8]
  package let arrival: MonotonicTime

  /// Reads legacy and FourCC (enhanced RTMP) tags; nil for any other kind.
  init?(type: UInt8, timestamp: Int, payload: ArraySlice<UInt8>, arrival: MonotonicTime) {
    let first = payload.first ?? 0
    let second = payload.dropFirst().first ?? 0
    switch type & 0x1f {
    case 8:
      kind = .audio
      isKeyframe = false
      isHeader = first >> 4 == 10 && second == 0 || first >> 4 == 9 && first & 0x0f == 0
    case 9:
      kind = .video
      let hasFourCC = first & 0x80 != 0
      isHeader = hasFourCC ? first & 0x0f == 0 : [7, 12].contains(first & 0x0f) && second == 0
      isKeyframe = !isHeader && first >> 4 & 0x07 == 1
    case 18:
      kind = .data
      isKeyframe = false
      isHeader = true
    default: return nil
    }
    self.timestamp = timestamp
    self.payload = Array(payload)
    self.arrival = arrival
  }
}
