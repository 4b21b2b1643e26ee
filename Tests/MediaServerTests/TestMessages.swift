import HoldfastMediaModel

@testable import HoldfastMediaServer

/// Messages as they come from publishers, small and recognisable.
enum TestMessages {
  static func picture(isKey: Bool, _ content: [UInt8] = [1]) -> StreamMessage {
    StreamMessage(.video, [isKey ? 0x17 : 0x27, 1, 0, 0, 0] + content)
  }

  static func sound(_ content: [UInt8] = [1]) -> StreamMessage { StreamMessage(.audio, [0xAF, 1] + content) }
  static let videoHeaders = StreamMessage(.video, [0x17, 0, 0, 0, 0, 1, 100, 0, 30])
  static let audioHeaders = StreamMessage(.audio, [0xAF, 0, 0x12, 0x10])
}
