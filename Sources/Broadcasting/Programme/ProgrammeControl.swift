package import HoldfastMixing
import HoldfastPlatform

/// How a programme is shown and heard now: changed by commands, read for each picture and block of sound.
package final class ProgrammeControl: Sendable {
  package struct Choice: Hashable, Sendable {
    package var layout = Layout.grid
    /// The tile that is shown large; nil for the first, where the layout has a large one.
    package var spotlight: String?
    package var mutedTiles: Set<String> = []

    /// A spotlight needs a layout that has a large tile.
    package var shownLayout: Layout { spotlight == nil ? layout : layout.withLargeTile }
  }

  private let choice: Locked<Choice>
  private let casting = Locked<(cast: Cast?, listeners: [Wakeup])>((nil, []))
  /// Fulfilled once a session has said who is on its stage.
  let firstCast = Promise<Void>()

  init(_ programme: Configuration.Programme) {
    choice = Locked(Choice(layout: programme.layout, spotlight: programme.spotlight))
  }

  package var current: Choice { choice.withLock { $0 } }

  /// Returns what has changed.
  func change(_ body: (inout Choice) -> Void) -> [ProgrammeEvent] {
    choice.withLock { choice in
      let before = choice
      body(&choice)
      let places: [ProgrammeEvent] =
        (choice.layout, choice.spotlight) == (before.layout, before.spotlight)
        ? [] : [.layout(choice.shownLayout, spotlight: choice.spotlight)]
      let mutes = choice.mutedTiles.symmetricDifference(before.mutedTiles).sorted()
      return places + mutes.map { .tileMute($0, isMuted: choice.mutedTiles.contains($0)) }
    }
  }
}

// MARK: - The cast of a session's stage

extension ProgrammeControl {
  /// Nil without a session, and until it has said who is on its stage.
  package var cast: Cast? { casting.withLock { $0.cast } }

  package func follow(_ cast: Cast) {
    casting.withLock { casting in
      casting.cast = cast
      for listener in casting.listeners { listener.signal() }
    }
    firstCast.fulfil(())
  }

  func announceCasts(to listener: Wakeup) { casting.withLock { $0.listeners.append(listener) } }

  func announceNoCasts(to listener: Wakeup) {
    casting.withLock { $0.listeners.removeAll { $0 === listener } }
  }
}

/// The tiles of a programme as they are to be shown and heard: those of its options, or a session's stage.
package struct Cast: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    /// Keeps a part the same under another name and in another place.
    package let id: String
    package var request: TileRequest
    package var isMuted: Bool

    package init(id: String, _ request: TileRequest, isMuted: Bool = false) {
      (self.id, self.request, self.isMuted) = (id, request, isMuted)
    }
  }

  /// In the order of their places; nil is one that a grid leaves free.
  package var places: [Part?]
  /// The id of the part that is shown large where nobody has chosen one; nil for the first.
  package var large: String?

  package init(_ places: [Part?] = [], large: String? = nil) { (self.places, self.large) = (places, large) }

  init(_ tiles: [TileRequest]) { self.init(tiles.map { Part(id: $0.name, $0) }) }

  package var requests: [TileRequest] { places.compactMap { $0?.request } }
}
