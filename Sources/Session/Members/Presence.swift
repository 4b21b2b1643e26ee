package import HoldfastMediaModel

extension Session {
  /// What the store knows of beats, and the hub of the store; not part of the session, so that beats never conflict.
  package struct Presence: Hashable, Sendable {
    /// The last beat of each lease.
    package var beats: [Lease: WallTime]
    /// Since when the hub that judges has been in touch with the store.
    package var contactSince: WallTime

    package init(beats: [Lease: WallTime] = [:], contactSince: WallTime) {
      self.beats = beats
      self.contactSince = contactSince
    }

    /// Time in which nobody could be heard counts against nobody.
    func fair(_ instant: WallTime, _ epoch: Epoch) -> WallTime {
      max(instant, contactSince, epoch.began ?? contactSince)
    }

    func lastSeen(_ lease: Lease, since: WallTime, _ epoch: Epoch) -> WallTime {
      fair(max(since, beats[lease] ?? since), epoch)
    }
  }
}
