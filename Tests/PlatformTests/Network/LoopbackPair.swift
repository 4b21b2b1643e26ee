import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Two ends of one TCP connection on the loopback.
struct LoopbackPair: ~Copyable {
  var client: Connection
  var server: Connection

  init(to host: String = "127.0.0.1", listening: String = "127.0.0.1") throws {
    var listener = try Listener(host: listening, port: 0)
    let client = try connect(to: listener.port, host: host)
    let server = try listener.next()
    self.client = client
    self.server = server
  }
}

func connect(
  to port: UInt16, host: String = "127.0.0.1", tls: TLSSettings? = nil,
  until deadline: MonotonicTime = generousDeadline
) throws -> Connection {
  try Connection(host: host, port: port, tls: tls, until: deadline, stop: try Wakeup())
}

struct TookTooLong: Error {}

extension Listener {
  /// The next connection; waits for it.
  mutating func next() throws -> Connection {
    let deadline = generousDeadline
    while MonotonicTime.now < deadline {
      if let connection = try accept() { return connection }
      _ = try Wakeup().poll([descriptor], until: deadline)
    }
    throw TookTooLong()
  }
}

extension Connection {
  /// Reads until there are `count` bytes, or the end has come.
  mutating func read(atLeast count: Int) throws -> [UInt8] {
    let deadline = generousDeadline
    var bytes: [UInt8] = []
    while bytes.count < count {
      switch try read(into: &bytes) {
      case .bytes: break
      case .ended: return bytes
      case .nothingYet: if try wait(until: deadline).isEmpty { throw TookTooLong() }
      }
    }
    return bytes
  }

  /// Writes all of `bytes`, waiting where the network takes no more.
  mutating func write(all bytes: [UInt8]) throws {
    let deadline = generousDeadline
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try write(rest.span)
      rest = rest.dropFirst(count)
      if count == 0, try wait(toWrite: true, until: deadline).isEmpty { throw TookTooLong() }
    }
  }

  /// Writes until the network takes no more: how much it took.
  mutating func fill() throws -> Int {
    let piece = [UInt8](repeating: 7, count: 65536)
    var sum = 0
    while true {
      let count = try write(piece.span)
      if count == 0 { return sum }
      sum += count
    }
  }
}

/// Pseudorandom bytes.
func pattern(_ count: Int) -> [UInt8] {
  var state: UInt64 = 88_172_645_463_325_252
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state)
  }
}
