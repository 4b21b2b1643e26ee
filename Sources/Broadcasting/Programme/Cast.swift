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

  package init(_ places: [Part?] = [], large: String? = nil) {
    (self.places, self.large) = (places, large)
  }

  init(_ tiles: [TileRequest]) { self.init(tiles.map { Part(id: $0.name, $0) }) }

  package var requests: [TileRequest] { places.compactMap { $0?.request } }
}
