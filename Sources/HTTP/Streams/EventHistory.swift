import HoldfastMediaModel
package import HoldfastPlatform

/// The newest events, each as bytes shared by all readers. Thread-safe. An event's id is `EPOCH-N`: N counts
/// up, and the epoch distinguishes this history from those of other processes.
package final class EventHistory: Sendable {
  package static let maxEvents = 1000
  package static let maxBytes = 1024 * 1024

  let epoch: String
  private let wakeup: Wakeup
  private let ring = Locked(Ring())

  private struct Ring {
    /// The event `n` is at `n % maxEvents`.
    var slots = [[UInt8]](repeating: [], count: EventHistory.maxEvents)
    var oldest = 1
    /// 0 before the first event.
    var newest = 0
    var bytes = 0

    mutating func removeOldest() {
      let index = oldest % slots.count
      bytes -= slots[index].count
      slots[index] = []
      oldest += 1
    }
  }

  /// `wakeup` is that of the server whose streams read this.
  package init(wakeup: Wakeup) {
    self.wakeup = wakeup
    epoch = hexadecimal(randomBytes(4))
  }

  package func append(name: String, data: String) {
    let rest = Self.frame(name: name, data: data)
    ring.withLock { ring in
      ring.newest += 1
      let frame = Array("id: \(epoch)-\(ring.newest)\n".utf8) + rest
      if ring.newest - ring.oldest >= Self.maxEvents { ring.removeOldest() }
      ring.slots[ring.newest % Self.maxEvents] = frame
      ring.bytes += frame.count
      while ring.bytes > Self.maxBytes, ring.oldest < ring.newest { ring.removeOldest() }
    }
    wakeup.signal()
  }

  /// A serialized event without an id.
  package static func frame(name: String, data: String) -> [UInt8] {
    var bytes = Array("event: \(name)\n".utf8)
    // A line break would end the field.
    for line in data.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      bytes += Array("data: ".utf8) + line + [0x0A]
    }
    return bytes + [0x0A]
  }

  enum Next {
    case event([UInt8])
    case nothing
    case expired
  }

  func event(after number: Int) -> Next {
    ring.withLock { ring in
      if number >= ring.newest { return .nothing }
      return number + 1 < ring.oldest ? .expired : .event(ring.slots[(number + 1) % Self.maxEvents])
    }
  }

  var newest: Int { ring.withLock { $0.newest } }

  /// The number in an id that can be resumed from; nil for any other id.
  func number(of id: String) -> Int? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == epoch, let number = Int(parts[1]) else { return nil }
    return ring.withLock { number <= $0.newest && number + 1 >= $0.oldest ? number : nil }
  }
}
