import HoldfastMediaModel

/// The messages since the last keyframe, with which a new player can start at once.
struct GOPCache {
  struct Entry {
    let message: StreamMessage
    let time: Int64
  }

  private(set) var entries: [Entry] = []
  private(set) var bytes = 0
  /// Overhead of an entry beyond its payload.
  static let entrySize = 128
  let capacity: Int

  /// `message` must be neither headers nor metadata. A GOP that exceeds the capacity is dropped.
  mutating func add(_ message: StreamMessage, at time: Int64) {
    if message.isKeyframe {
      clear()
    } else if entries.isEmpty {
      return
    }
    let size = message.payload.capacity + Self.entrySize
    guard bytes + size <= capacity else { return clear() }
    entries.append(Entry(message: message, time: time))
    bytes += size
  }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    bytes = 0
  }
}

/// The messages a player needs before the first packet.
struct StreamHeaders {
  private var metadata: StreamMessage?
  private var video: StreamMessage?
  private var audio: StreamMessage?
  private(set) var hasVideo = false

  /// Larger ones are passed on, but not kept for later players.
  private static let maxSize = 32 << 10

  /// Metadata first, then the codec headers.
  var messages: [StreamMessage] { [metadata, video, audio].compactMap(\.self) }

  var bytes: Int { messages.reduce(0) { $0 + $1.payload.capacity } }

  mutating func keep(_ message: StreamMessage) {
    if message.kind == .media(.video) { hasVideo = true }
    guard message.payload.count <= Self.maxSize else { return }
    switch message.kind {
    case .media(.video) where message.isHeaders: video = message
    case .media(.audio) where message.isHeaders: audio = message
    case .metadata: metadata = message
    case .media, .data: break
    }
  }
}
