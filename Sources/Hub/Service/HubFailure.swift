package import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores

/// Why a hub does not do what it is asked to.
package enum HubFailure: Error, Hashable, Sendable {
  case refused(Session.Refusal)
  case store(StoreError)
  /// The request's id was used for another command.
  case idUsed
  case badField(String, String, hint: String)
  /// The lease is not one of this hub's secret, session and token.
  case leaseForged
  /// Too many wrong passwords.
  case tooManyGuesses(wait: MediaTime)
}
