package import HoldfastMediaModel
package import HoldfastSession

/// Sessions as they were at their versions, which need not be read again; any may be forgotten.
package protocol KnownSessions: Sendable {
  func newest(_ name: Session.Name) -> LoadedSession?
  func keep(_ loaded: LoadedSession)
}

extension KnownSessions {
  /// What was committed is the session from now on.
  package func keep(_ commit: StoreCommit, as version: StoreVersion, lastEvent: EventID, at now: WallTime) {
    guard !commit.session.isForgotten else { return }
    keep(
      LoadedSession(
        session: commit.session, version: version, beats: [:], statistics: [:], lastEvent: lastEvent,
        now: now, known: nil))
  }
}
