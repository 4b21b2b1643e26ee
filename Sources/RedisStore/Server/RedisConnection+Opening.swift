import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores

extension RedisConnection {
  /// Connects to the server of `address`, or to the one that Sentinels name; the digests are those of the scripts that it
  /// has loaded. `firstSentinel` is the one that has answered last.
  static func open(
    _ address: RedisAddress, tls: TLSSettings, firstSentinel: inout Int, until limit: TimeLimit, stop: Wakeup
  ) throws(RedisFailure) -> RedisConnection {
    let tls = address.isSecure ? tls : nil
    switch address.servers {
    case .single(let server):
      return try open(server, address, tls: tls, masterOf: nil, until: limit, stop: stop)
    case .sentinels(let sentinels, let name):
      var failure: RedisFailure?
      for attempt in sentinels.indices {
        let index = (firstSentinel + attempt) % sentinels.count
        // What is left is for the server itself and for the Sentinels that have not been asked.
        let part = limit.part(of: Int64(sentinels.count - attempt + 1))
        do throws(RedisFailure) {
          var sentinel = try RedisConnection(to: sentinels[index], tls: tls, until: part, stop: stop)
          let server = try sentinel.master(name, password: address, until: part)
          let connection = try open(server, address, tls: tls, masterOf: name, until: limit, stop: stop)
          firstSentinel = index
          return connection
        } catch {
          failure = failure ?? error
          if stop.isSignalled { throw error }
        }
      }
      throw failure ?? .connection(.lost("there are no Sentinels"))
    }
  }

  private static func open(
    _ server: RedisAddress.Server, _ address: RedisAddress, tls: TLSSettings?, masterOf name: String?,
    until limit: TimeLimit, stop: Wakeup
  ) throws(RedisFailure) -> RedisConnection {
    var connection = try RedisConnection(to: server, tls: tls, until: limit, stop: stop)
    try connection.logIn(address, until: limit)
    let replies = try connection.ask(
      [["CLIENT", "SETNAME", "holdfast"], ["INFO"], ["SELECT", "\(address.database)"]], until: limit)
    if case .error(let text) = replies[1] { throw RedisFailure(text, from: "\(server)") }
    guard let information = replies[1].text else { throw .unexpected("\(server)") }
    try ServerInformation(information).check("\(server)", masterOf: name)
    if case .error(let text) = replies[2] {
      guard replies[2].errorCode == "ERR" else { throw RedisFailure(text, from: "\(server)") }
      throw .connection(
        .failed("\(server) has no database \(address.database); raise its `databases`, or choose another one")
      )
    }
    return connection
  }

  private mutating func logIn(_ address: RedisAddress, until limit: TimeLimit) throws(RedisFailure) {
    guard let password = address.password?.text else { return }
    let reply = try ask(
      [RedisCommand(["AUTH"] + (address.user.map { [$0] } ?? []) + [password])], until: limit)[0]
    // The words of another error may repeat the password.
    guard case .error(let text) = reply else { return }
    if RedisFailure.isFull(text) { throw RedisFailure(text, from: "\(server)") }
    guard ["WRONGPASS", "NOAUTH", "ERR"].contains(reply.errorCode) else {
      throw .connection(.failed("\(server) has refused to check the password"))
    }
    throw .connection(.failed(RedisFailure.password("\(server)")))
  }

  /// Asks a Sentinel; it gets the password only if it wants one, as most don't.
  private mutating func master(
    _ name: String, password address: RedisAddress, until limit: TimeLimit
  ) throws(RedisFailure) -> RedisAddress.Server {
    let question: RedisCommand = ["SENTINEL", "get-master-addr-by-name", name]
    var reply = try ask([question], until: limit)[0]
    if reply.errorCode == "NOAUTH", address.password != nil {
      try logIn(address, until: limit)
      reply = try ask([question], until: limit)[0]
    }
    switch reply {
    case .list(let parts):
      guard parts.count == 2, let host = parts[0].text, let port = parts[1].text.flatMap({ UInt16($0) })
      else {
        throw .unexpected("\(server)")
      }
      return RedisAddress.Server(host: host, port: port)
    case .nothing:
      throw .connection(
        .failed("the Sentinel \(server) knows no master named \(name); check the name in the address"))
    case .error(let text) where reply.errorCode == "ERR":
      throw .connection(
        .failed("\(server) is not a Sentinel (it answered: \(String(text.prefix(100)).printable))"))
    case .error(let text):
      throw RedisFailure(text, from: "the Sentinel \(server)")
    case .text, .garbled, .integer:
      throw .unexpected("\(server)")
    }
  }
}
