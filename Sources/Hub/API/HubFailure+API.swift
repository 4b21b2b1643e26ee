package import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

extension APIError {
  package init(_ failure: HubFailure) {
    switch failure {
    case .refused(let refusal): self.init(refusal)
    case .store(.away(let trouble)):
      self.init(
        503, "storeAway", "the store of the sessions \(trouble.reason)",
        hint: "repeat the request with the same requestId; members go on meanwhile", retryAfter: .seconds(1))
    case .store(.unreadable(let error)):
      self.init(
        503, "storeAway", "the stored session can't be read: \(error.reason)",
        hint: "update the hub, or restore the store from a backup; the session is left as it is")
    case .idUsed:
      self.init(409, "idUsed", "the requestId was used for another command", hint: "use a new one")
    case .badField(let field, let reason, let hint): self = .badValue(field, reason, hint: hint)
    case .leaseForged:
      self.init(
        403, "leaseForged", "the lease was not given by this hub for this session and token",
        hint: "join again")
    case .tooManyGuesses(let wait):
      self.init(
        429, "tooManyFailures", "too many wrong passwords came from this address", hint: "wait for \(wait)",
        retryAfter: wait)
    }
  }

  init(_ refusal: Session.Refusal) {
    self.init(refusal.status, refusal.code, refusal.message, hint: refusal.hint)
    if case .sessionOver(let reason) = refusal { why = reason.rawValue }
  }
}

extension Session.Refusal {
  /// As HTTP knows it.
  package var status: Int {
    switch self {
    case .noSuchSession, .noSuchMember: 404
    case .sessionOver: 410
    case .passwordNeeded, .passwordWrong, .locked, .removed, .notAllowed, .leaseNeeded: 403
    case .badText, .memberNeeded, .timer(.wrongLength): 422
    case .leaseOver, .superseded, .full, .tokenFull, .mayNotBeHost, .nothingToReclaim, .recovering,
      .notRemovable,
      .tooManyRemoved, .notRemoved, .mutedByOthers, .notAsked, .screensLocked, .timer, .onAirAlready,
      .notOnAir, .jobTaken:
      409
    }
  }
}

extension Session.FormError {
  var reason: String {
    switch self {
    case .notJSON: "it is damaged"
    case .unknownVersion(let version): "it has the form \(version) of a newer program"
    case .badField(let field): "its field \(field) is damaged"
    }
  }
}
