package import HoldfastMediaModel

extension Session {
  /// What the store knows of beats, and the hub of the store; not part of the session, so that beats never conflict.
  package struct Presence: Hashable, Sendable {
    /// The last beat of each lease.
    package var beats: [Lease: WallTime]
    /// Since when the hub that judges has been in touch with the store; nil for no hub in particular.
    package var contactSince: WallTime?

    package init(beats: [Lease: WallTime] = [:], contactSince: WallTime?) {
      self.beats = beats
      self.contactSince = contactSince
    }

    /// Time in which nobody could be heard counts against nobody.
    func countedFrom(_ instant: WallTime, _ epoch: Epoch) -> WallTime {
      max(instant, contact(epoch) ?? instant)
    }

    /// Since when members could be heard.
    func contact(_ epoch: Epoch) -> WallTime? { [contactSince, epoch.began].compactMap(\.self).max() }

    /// Whether a beat has come that ends silence.
    func isHeard(_ lease: Lease, since: WallTime, at now: WallTime) -> Bool {
      now < lastBeat(lease, since: since) + Limits.hearing
    }

    private func lastBeat(_ lease: Lease, since: WallTime) -> WallTime { max(since, beats[lease] ?? since) }

    /// No earlier than who judges could hear it.
    func lastSeen(_ lease: Lease, since: WallTime, _ epoch: Epoch) -> WallTime {
      countedFrom(lastBeat(lease, since: since), epoch)
    }
  }
}
