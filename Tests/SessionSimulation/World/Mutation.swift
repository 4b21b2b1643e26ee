/// A fault put in by hand, which the simulation has to notice.
package enum Mutation: String, CaseIterable, Sendable {
  case ignoresVersion = "a hub commits whatever was committed meanwhile"
  case expiresWithoutContact = "a hub expires members without having been in touch with the store"
  case answersFromOldCache = "a hub answers beats from a session that has changed since"
  case forgetsPresence = "a commit does not change who is present"
  case forgetsRequests = "a hub does not remember requests that it has carried out"
  case keepsEpoch = "a failover does not raise the epoch"
  case seesNoBeats = "a hub that sees no beats expires leases that were renewed"
  case hearsLate = "one hub hears beats later than the others"
  case skipsEvents = "a stream skips an event when several came together"
  case takesOldLeases = "a hub takes any lease of a member for its newest"
  case keepsLease = "a box says everything by its first lease"
  case rejoinsWhenSuperseded = "a superseded box joins again"
  case endsOnOutage = "a box ends its broadcast when it reaches no hub"
  case ignoresMutes = "a box does not mute what the session mutes"
  case staysOnAirWhenRemoved = "a removed box publishes at the session all the same"
  case forgetsKey = "a box joins with a new key after a crash"
}
