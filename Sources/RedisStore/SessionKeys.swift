import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// Where a store keeps what: the keys that all sessions share, and those of one session.
enum StoreKeys {
  /// The epoch, and the numbers that all sessions share.
  static let epoch = "hf:epoch"
  static let due = "hf:due"
  static let changed = "hf:changed"
  /// A sorted set: ids of revoked tokens by the second at which the tokens expire.
  static let revoked = "hf:revoked"
  /// Held by whoever looks for sessions that `due` lacks.
  static let scan = "hf:scan"
  static let allStates = "hf:{*}:state"
}

struct SessionKeys {
  private let prefix: String

  init(_ name: Session.Name) {
    let digest = sha256(Array(name.folded.composed.utf8))
    prefix = "hf:{\(hexadecimal(Array(digest.prefix(8))))}:"
  }

  /// A hash: `name` as it was first written, `blob`, its version `v`, the epoch of that, and the number of the last event.
  var state: String { prefix + "state" }
  /// A sorted set: leases by the instant of their last beat.
  var beat: String { prefix + "beat" }
  /// A hash: what came with the beats, by lease.
  var statistics: String { prefix + "stats" }
  /// A hash: scores by lease, each with its instant. It outlives the last of them by a second.
  var levels: String { prefix + "levels" }
  /// A stream: events by epoch and number.
  var events: String { prefix + "events" }

  /// What was answered to a request, as `KnownAnswer` writes it.
  func asked(_ request: StoreRequest) -> String {
    // The length keeps ("a", "bc") apart from ("ab", "c").
    let sender = request.sender
    return prefix + "asked:" + shortDigest("\(sender.utf8.count) \(sender)\(request.id)")
  }
}

/// What is kept of a request: the instant in microseconds, a digest of the command, whether a replica must have it, the
/// answer. The command itself may hold a password.
struct KnownAnswer {
  let known: KnownRequest
  let needsReplica: Bool

  static func digest(of request: StoreRequest) -> String { shortDigest(request.command) }

  /// Nil if it is damaged.
  init?(_ stored: String, to request: StoreRequest) {
    let parts = stored.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    known = parts[1] == Self.digest(of: request) ? .answered(String(parts[3])) : .idUsed
    needsReplica = parts[2] == "1"
  }
}

private func shortDigest(_ text: String) -> String { hexadecimal(Array(sha256(Array(text.utf8)).prefix(16))) }
