package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// Where members publish to and are played from: two patterns with `{session}`, `{member}` and `{key}`.
package struct MediaAddresses: Hashable, Sendable {
  private let ingest: Pattern?
  private let play: Pattern?

  /// How long a key lasts after the answer that it came with; each beat brings a fresh one.
  package static let keyLife = MediaTime.seconds(600)
  /// Keys end on whole steps, so that an address doesn't change with every beat.
  private static let step: Int64 = 60

  package init(ingest: String? = nil, play: String? = nil) {
    self.ingest = ingest.map(Pattern.init)
    self.play = play.map(Pattern.init)
  }

  package var hasIngest: Bool { ingest != nil }
  var canPlay: Bool { play != nil }

  /// Where the hub itself plays a member from, with a fresh key.
  func play(
    _ member: Session.Member.ID, _ rendition: Session.Rendition, in session: String, _ keys: HubKeys,
    epoch: UInt64, at now: WallTime
  ) -> String? {
    play?.filled(session, rendition.streamPart(of: member)) {
      keys.playKey(in: session, epoch: epoch, until: Self.expiry(at: now))
    }
  }

  /// What the member wants of them, with fresh keys.
  func addresses(
    for ticket: LeaseTicket, in session: String, _ keys: HubKeys, epoch: UInt64, at now: WallTime
  ) -> (ingest: String?, ingestSmall: String?, play: String?) {
    let end = Self.expiry(at: now)
    func ingest(_ rendition: Session.Rendition, _ want: Session.JoinRequest.Want) -> String? {
      guard ticket.wants.contains(want) else { return nil }
      return self.ingest?.filled(session, rendition.streamPart(of: ticket.member)) {
        keys.publishKey(for: ticket.member, rendition, in: session, epoch: epoch, until: end)
      }
    }
    let play = ticket.wants.contains(.play) ? play : nil
    return (
      ingest(.main, .ingest), ingest(.small, .ingestSmall),
      play?.filled(session, nil) { keys.playKey(in: session, epoch: epoch, until: end) }
    )
  }

  private static func expiry(at now: WallTime) -> WallTime {
    let seconds = (now + keyLife).nanoseconds / 1_000_000_000
    return WallTime(nanoseconds: (seconds / step + 1) * step * 1_000_000_000)
  }
}

/// Taken apart once, as every beat fills it.
private struct Pattern: Hashable, Sendable {
  private enum Piece: Hashable {
    case text(Substring)
    case session
    case member
    case key
  }

  private var pieces: [Piece] = []

  init(_ text: String) {
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      pieces.append(.text(rest[..<brace]))
      rest = rest[brace...]
      let known: [(String, Piece)] = [("{session}", .session), ("{member}", .member), ("{key}", .key)]
      let (word, piece) = known.first { rest.hasPrefix($0.0) } ?? ("{", .text("{"))
      pieces.append(piece)
      rest = rest.dropFirst(word.count)
    }
    pieces.append(.text(rest))
  }

  /// Without a member, its place stays for who fills it in.
  func filled(_ session: String, _ member: String?, key: () -> String) -> String {
    pieces.reduce(into: "") { text, piece in
      switch piece {
      case .text(let part): text += part
      case .session: text += session
      case .member: text += member ?? "{member}"
      case .key: text += key()
      }
    }
  }
}
