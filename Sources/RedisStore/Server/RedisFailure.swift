import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores

/// Why a server did not do what it was asked.
enum RedisFailure: Error, Hashable {
  /// The connection is of no use any more: nobody knows what it would answer next, or it is to the wrong server.
  case connection(StoreTrouble)
  /// The server refused, and did nothing; the connection is as good as before.
  case refusal(StoreTrouble)

  var trouble: StoreTrouble {
    switch self {
    case .connection(let trouble), .refusal(let trouble): trouble
    }
  }
}

extension RedisFailure {
  /// An error reply to anything but a password.
  init(_ error: String, from server: String) {
    let code = error.prefix { $0 != " " }
    switch code {
    case "ERR" where Self.isFull(error):
      self = .connection(.lost("\(server) has as many clients as it takes; raise its maxclients"))
    case "OOM":
      self = .refusal(.full("\(server) has reached its maxmemory; raise it, or make room"))
    case "READONLY", "MASTERDOWN":
      self = .connection(.readOnly("\(server) is a replica now; a failover may be under way"))
    case "UNBLOCKED":
      self = .connection(.lost("\(server) has become a replica; a failover may be under way"))
    case "NOREPLICAS":
      self = .refusal(
        .readOnly(
          "\(server) is in touch with fewer replicas than its min-replicas-to-write; check the replicas"))
    case "MISCONF":
      self = .refusal(.readOnly("\(server) can't save its data; check its log and its disk"))
    case "LOADING":
      self = .connection(.lost("\(server) is still loading its data"))
    case "BUSY":
      self = .refusal(.lost("\(server) is busy with another program's script; see its SLOWLOG"))
    case "NOAUTH", "WRONGPASS":
      self = .connection(.failed(Self.password(server)))
    case "NOPERM":
      self = .connection(
        .failed(
          "\(server) does not let this user do what a store has to; give the user ~hf:* +@all -@dangerous +info"
        ))
    case "MOVED", "ASK", "CLUSTERDOWN", "CROSSSLOT":
      self = .connection(.failed(Self.cluster(server)))
    default:
      self = .connection(.failed("\(server) answered: \(String(error.prefix(200)).printable)"))
    }
  }

  /// It may take this connection later.
  static func isFull(_ error: String) -> Bool { error.hasPrefix("ERR max number of clients") }

  static func timedOut(_ server: String, after limit: MediaTime) -> RedisFailure {
    .connection(.lost("\(server) has not answered within \(limit.milliseconds.rounded() / 1000) s"))
  }

  static func password(_ server: String) -> String {
    "\(server) has refused the user or the password, or asks for one; write redis://USER:PASSWORD@HOST"
  }

  static func cluster(_ server: String) -> String {
    "\(server) is part of a Redis Cluster, in which sessions can't be kept; use a single server, or Redis Sentinel"
  }

  static func unexpected(_ server: String) -> RedisFailure {
    .connection(.failed("\(server) has answered what no Redis server would; check its address"))
  }
}
