internal import HoldfastMediaModel

/// What a player has to know of a stream before its first packet.
struct StreamHeaders {
  private var metadata: StreamMessage?
  private var video: StreamMessage?
  private var audio: StreamMessage?
  private(set) var hasVideo = false

  /// Metadata first, then the codecs' headers.
  var messages: [StreamMessage] { [metadata, video, audio].compactMap(\.self) }

  mutating func keep(_ message: StreamMessage) {
    switch message.kind {
    case .media(.video):
      hasVideo = true
      if message.isHeaders { video = message }
    case .media(.audio):
      if message.isHeaders { audio = message }
    case .metadata: metadata = message
    case .data: break
    }
  }
}
