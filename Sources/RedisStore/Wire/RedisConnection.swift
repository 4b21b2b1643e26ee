import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores

/// A connection to a server, which answers each command in turn. After an error it must not be used again: a late reply
/// would be taken for another's.
struct RedisConnection: ~Copyable {
  let server: RedisAddress.Server
  private var connection: Connection
  private var reader: ReplyReader
  private var input: [UInt8] = []
  private let stop: Wakeup

  init(
    to server: RedisAddress.Server, tls: TLSSettings?, until limit: TimeLimit, stop: Wakeup
  ) throws(RedisFailure) {
    guard let reader = ReplyReader() else {
      throw .connection(.failed("there is no memory for a connection"))
    }
    connection = try wired(
      Connection(host: server.host, port: server.port, tls: tls, until: limit.deadline, stop: stop))
    self.server = server
    self.reader = reader
    self.stop = stop
  }

  /// Whether nothing has come since the last reply: neither the end nor bytes that nobody asked for.
  mutating func isQuiet() -> Bool {
    input.removeAll(keepingCapacity: true)
    return (try? connection.read(into: &input)) == .nothingYet
  }

  /// Sends commands in one go and returns the reply to each.
  mutating func ask(_ commands: [RedisCommand], until limit: TimeLimit) throws(RedisFailure) -> [RedisReply] {
    var outgoing = OutgoingBytes()
    for command in commands {
      guard let bytes = command.bytes else { throw .connection(.failed("there is no memory for a command")) }
      outgoing.append(contentsOf: bytes)
    }
    var replies: [RedisReply] = []
    while true {
      try send(&outgoing)
      while replies.count < commands.count, let reply = try parsed(from: server, reader.next()) {
        replies.append(reply)
      }
      if replies.count == commands.count { break }
      let readiness = try wired(
        connection.wait(toWrite: !outgoing.isEmpty, until: limit.deadline, also: [stop.descriptor]))
      if readiness.contains(.others) { throw .connection(.lost("the hub is stopping")) }
      // A server that sends a byte now and then has no more time than others.
      if readiness.isEmpty || limit.rest == .zero { throw .timedOut("\(server)", after: limit.length) }
      try receive()
    }
    guard outgoing.isEmpty, !reader.holdsMore else { throw .unexpected("\(server)") }
    return replies
  }

  private mutating func send(_ outgoing: inout OutgoingBytes) throws(RedisFailure) {
    while !outgoing.isEmpty {
      let taken = try outgoing.withUnsent { bytes throws(RedisFailure) in try wired(connection.write(bytes)) }
      guard taken > 0 else { return }
      outgoing.removeFirst(taken)
    }
  }

  private mutating func receive() throws(RedisFailure) {
    input.removeAll(keepingCapacity: true)
    switch try wired(connection.read(into: &input)) {
    case .nothingYet: return
    case .ended: throw .connection(.lost("\(server) has closed the connection"))
    case .bytes: break
    }
    try parsed(from: server, reader.feed(input))
  }
}

/// What cannot be read is of no server that a store is in.
private func parsed<Result>(
  from server: RedisAddress.Server, _ call: @autoclosure () throws(ReplyReader.Problem) -> Result
) throws(RedisFailure) -> Result {
  do throws(ReplyReader.Problem) {
    return try call()
  } catch {
    switch error {
    case .notRedis: throw .unexpected("\(server)")
    case .tooLarge: throw .connection(.failed("\(server) has sent an answer that is too large"))
    }
  }
}

private func wired<Result: ~Copyable>(
  _ call: @autoclosure () throws(ConnectionError) -> Result
) throws(RedisFailure) -> Result {
  try mapError(call()) { (error: ConnectionError) in RedisFailure.connection(.lost("\(error)")) }
}

/// Until when an operation may take, and how long that was in all.
struct TimeLimit {
  let deadline: MonotonicTime
  let length: MediaTime

  init(_ length: MediaTime) {
    self.length = length
    deadline = .now + length
  }

  var rest: MediaTime { max(.zero, deadline - .now) }

  /// One of `count` equal parts of what is left.
  func part(of count: Int64) -> TimeLimit {
    TimeLimit(MediaTime(nanoseconds: rest.nanoseconds / max(1, count)))
  }
}
