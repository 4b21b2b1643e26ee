package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// Where members publish to and are played from: two patterns with `{session}`, `{member}` and `{key}`.
package struct MediaAddresses: Hashable, Sendable {
  package var ingest: String?
  package var play: String?

  /// How long a key lasts after the answer that it came with; each beat brings a fresh one.
  package static let keyLife = MediaTime.seconds(600)
  /// Keys end on whole steps, so that an address doesn't change with every beat.
  private static let step: Int64 = 60

  package init(ingest: String? = nil, play: String? = nil) {
    self.ingest = ingest
    self.play = play
  }

  func addresses(
    for ticket: LeaseTicket, in session: String, _ keys: HubKeys, epoch: UInt64, at now: WallTime
  ) -> (ingest: String?, play: String?) {
    let end = Self.expiry(at: now)
    let ingest = ticket.wants.contains(.ingest) ? ingest : nil
    let play = ticket.wants.contains(.play) ? play : nil
    return (
      ingest.map {
        Self.filled($0, session, ticket.member.text) {
          keys.publishKey(for: ticket.member, in: session, epoch: epoch, until: end)
        }
      },
      play.map { Self.filled($0, session, nil) { keys.playKey(in: session, epoch: epoch, until: end) } }
    )
  }

  private static func expiry(at now: WallTime) -> WallTime {
    let seconds = (now + keyLife).nanoseconds / 1_000_000_000
    return WallTime(nanoseconds: (seconds / step + 1) * step * 1_000_000_000)
  }

  private static func filled(
    _ pattern: String, _ session: String, _ member: String?, key: () -> String
  ) -> String {
    var text = pattern.replacing("{session}", with: session)
    if let member { text = text.replacing("{member}", with: member) }
    return text.contains("{key}") ? text.replacing("{key}", with: key()) : text
  }
}
