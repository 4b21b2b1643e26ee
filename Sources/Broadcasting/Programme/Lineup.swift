import HoldfastMediaModel

/// The tiles that run, in the order of their places.
struct Lineup: Sendable {
  struct Seat: Sendable {
    let tile: TileState
    var name: String
    /// By the session.
    var isMuted = false

    func isMuted(by choice: ProgrammeControl.Choice) -> Bool { isMuted || choice.mutedTiles.contains(name) }
  }

  /// Nil for a place that is free.
  var places: [Seat?] = []
  /// The number of the tile that is shown large where nobody has chosen one; nil for the first.
  var large: Int?

  var seats: [Seat] { places.compactMap(\.self) }
  var seatsByNumber: [Int: Seat] { Dictionary(seats.map { ($0.tile.number, $0) }) { first, _ in first } }
  var tilesByNumber: [Int: TileState] { seatsByNumber.mapValues(\.tile) }

  /// The numbers of the tiles that have a picture; free places stay free.
  var picturePlaces: [Int?] {
    places.compactMap { (seat: Seat?) -> Int?? in
      guard let tile = seat?.tile else { return .some(nil) }
      return tile.tracks.contains(.video) ? tile.number : nil
    }
  }

  func number(of name: String) -> Int? { seats.first { $0.name == name }?.tile.number }

  /// The tiles that lack the track, by name, and for how long they have at `instant`.
  func missing(_ track: TrackKind, at instant: MonotonicTime) -> [String: MediaTime] {
    let missing = seats.compactMap { seat in
      seat.tile.missing(track).map { (seat.name, max(.zero, instant - $0)) }
    }
    return Dictionary(missing, uniquingKeysWith: max)
  }
}
