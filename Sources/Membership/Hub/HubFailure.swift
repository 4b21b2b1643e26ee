package import HoldfastMediaModel
package import HoldfastSession

/// Why a request to a hub has no result.
package enum HubFailure: Error, Hashable, Sendable {
  /// No answer that can be understood: the network, TLS, a time limit, or not a hub; why, for people.
  case unreachable(String)
  case refused(HubRefusal)

  /// A word for programs: the hub's, where it has answered.
  package var code: String {
    switch self {
    case .unreachable: "unreachable"
    case .refused(let refusal): refusal.code
    }
  }

  /// For people.
  package var reason: String {
    switch self {
    case .unreachable(let reason): "the hub can't be reached: \(reason)"
    case .refused(let refusal): refusal.message
    }
  }
}

/// A hub's refusal as it came.
package struct HubRefusal: Hashable, Sendable {
  package let status: Int
  package let code: String
  package let message: String
  package var hint: String?
  package var retryAfter: MediaTime?
  /// Why a session is over, where the hub says so.
  package var end: Session.EndReason?

  package init(_ status: Int, _ code: String, _ message: String, hint: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// Nil if it is not a refusal of a hub's.
  package init?(_ status: Int, _ json: JSONValue, retryAfter: MediaTime? = nil) {
    guard let error = json.field("error"), let code = error.field("code")?.text,
      let message = error.field("message")?.text
    else { return nil }
    self.init(status, code, message, hint: error.field("hint")?.text)
    self.retryAfter = retryAfter
    end = error.field("why")?.word(Session.EndReason.self)
  }
}

extension HubFailure {
  /// What a member does about it.
  package enum Remedy: Hashable {
    /// Join with the same key.
    case join
    /// Leave for good.
    case goOnAlone
    case endBroadcast(Session.EndReason?)
    case askPassword(isWrong: Bool)
    /// Ask the same again, soon.
    case retry
    /// Nothing that passes in a moment: ask again, seldom.
    case retrySlowly
    case leaveAndAskAgain
    /// The session is not there, or not open.
    case awaitSession
  }

  /// The one place that decides. Codes that are not known stand for what their status says.
  package var remedy: Remedy {
    guard case .refused(let refusal) = self else { return .retry }
    switch refusal.code {
    case "leaseOver", "leaseForged": return .join
    case "superseded": return .goOnAlone
    case "sessionOver": return refusal.end == .empty ? .join : .endBroadcast(refusal.end)
    case "passwordNeeded": return .askPassword(isWrong: false)
    case "passwordWrong": return .askPassword(isWrong: true)
    case "noSuchSession", "locked", "full", "tokenFull": return .awaitSession
    case "removed": return .leaveAndAskAgain
    case "storeAway", "recovering", "tooManyFailures", "tooManyRequests": return .retry
    default: return refusal.status >= 500 || refusal.status == 429 ? .retry : .retrySlowly
    }
  }

  var retryAfter: MediaTime? {
    switch self {
    case .unreachable: nil
    case .refused(let refusal): refusal.retryAfter
    }
  }

  /// Whether a command is answered by it, so that it is not repeated. A token may be replaced.
  var answersCommand: Bool {
    guard case .refused(let refusal) = self else { return false }
    return remedy == .retrySlowly && refusal.status != 401 && refusal.code != "notFound"
  }
}
