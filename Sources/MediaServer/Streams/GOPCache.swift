/// What a stream has said since its last keyframe, so that a player who comes now can begin at once.
struct GOPCache {
  struct Entry {
    let message: StreamMessage
    let time: Int64
  }

  private(set) var entries: [Entry] = []
  private(set) var bytes = 0
  /// What an entry costs beside its payload.
  static let entrySize = 128
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Headers and metadata are kept elsewhere. What no longer fits is worth nothing without what came before it: then it is
  /// empty until the next keyframe.
  mutating func add(_ message: StreamMessage, at time: Int64) {
    if message.isKeyPicture {
      clear()
    } else if entries.isEmpty {
      return
    }
    let size = message.payload.count + Self.entrySize
    guard bytes + size <= capacity else { return clear() }
    entries.append(Entry(message: message, time: time))
    bytes += size
  }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    bytes = 0
  }
}
