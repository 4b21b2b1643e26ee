import HoldfastMediaModel

/// The bytes before a packet: FLV's for H.264 and AAC, Enhanced RTMP's for later codecs.
enum FLVTagHead {
  static func headers(_ codec: Codec) -> ChunkWriter.Head {
    var head = ChunkWriter.Head()
    switch codec {
    case .h264:
      head.append(0x17)
      head.append(bigEndian: 0)
    case .aac:
      head.append(0xAF)
      head.append(0)
    case .hevc, .av1, .opus:
      head.append(0x90)
      head.append(codec)
    }
    return head
  }

  /// `composition` is the presentation delay in milliseconds.
  static func packet(_ codec: Codec, isKeyframe: Bool, composition: Int32) -> ChunkWriter.Head {
    var head = ChunkWriter.Head()
    let frame: UInt8 = isKeyframe ? 0x10 : 0x20
    switch codec {
    case .h264:
      head.append(frame | 7)
      head.append(1)
      head.append(bigEndian: UInt32(bitPattern: composition), count: 3)
    case .aac:
      head.append(0xAF)
      head.append(1)
    case .hevc:
      // Coded frames with a composition time, or without one if it is 0.
      head.append(0x80 | frame | (composition == 0 ? 3 : 1))
      head.append(codec)
      if composition != 0 { head.append(bigEndian: UInt32(bitPattern: composition), count: 3) }
    case .av1:
      head.append(0x80 | frame | 1)
      head.append(codec)
    case .opus:
      head.append(0x91)
      head.append(codec)
    }
    return head
  }
}

extension ChunkWriter.Head {
  fileprivate mutating func append(_ codec: Codec) {
    if let fourCC = codec.fourCC { append(bigEndian: fourCC.value) }
  }
}
