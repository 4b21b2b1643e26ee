package import HoldfastMediaModel

/// How the tiles of a programme share its picture. The raw values are typed, and appear in the status.
package enum Layout: String, Hashable, Sendable, CaseIterable {
  /// All of one size, in rows and columns.
  case grid
  /// One large, the others beside it, or under it in an upright picture.
  case spotlight
  /// One as large as the picture, the others small in its lower right corner.
  case pictureInPicture = "picture-in-picture"
  /// All in one row, as high as the picture.
  case sideBySide = "side-by-side"

  /// Whether one tile is larger than the others.
  package var hasLargeTile: Bool {
    switch self {
    case .spotlight, .pictureInPicture: true
    case .grid, .sideBySide: false
    }
  }

  /// The layout that shows one tile large.
  package var withLargeTile: Layout { hasLargeTile ? self : .spotlight }
}

/// Where one tile is shown.
package struct Place: Hashable, Sendable {
  /// The tile's number.
  package var tile: Int
  package var area: PictureArea
  /// Less than `opaque` while the tile appears or disappears.
  package var opacity = opaque

  package static let opaque = 256
}

extension Layout {
  /// The places of `count` tiles in the order in which they are drawn: a later one covers an earlier one. Positions and
  /// lengths are even. `large` is the tile that is larger than the others, where one is.
  package func places(for count: Int, large: Int = 0, in whole: PictureSize) -> [Place] {
    guard count > 0 else { return [] }
    let large = (0..<count).contains(large) ? large : 0
    let others = (0..<count).filter { $0 != large }
    return switch self {
    case .grid: Self.grid(Array(0..<count), in: whole)
    case .sideBySide:
      (0..<count).map { Place(tile: $0, area: Cells(rows: 1, columns: count, whole: whole)[0, $0]) }
    case .spotlight: Self.spotlight(large, others, in: whole)
    case .pictureInPicture: Self.pictureInPicture(large, others, in: whole)
    }
  }

  /// The places of tiles by their numbers. Nil is a place that a grid leaves free, and other layouts close.
  package func places(of tiles: [Int?], large: Int?, in whole: PictureSize) -> [Place] {
    let seats = self == .grid ? tiles : tiles.filter { $0 != nil }
    let largeSeat = large.flatMap { seats.firstIndex(of: $0) } ?? 0
    return places(for: seats.count, large: largeSeat, in: whole).compactMap { place in
      seats[place.tile].map { Place(tile: $0, area: place.area) }
    }
  }

  private static func grid(_ tiles: [Int], in whole: PictureSize) -> [Place] {
    let shape = GridShape(of: tiles.count)
    let cells = Cells(rows: shape.rows, columns: shape.columns, whole: whole)
    return tiles.enumerated().map { number, tile in
      Place(tile: tile, area: cells[number / shape.columns, number % shape.columns].shaped(like: whole))
    }
  }

  private static func spotlight(_ large: Int, _ others: [Int], in whole: PictureSize) -> [Place] {
    guard !others.isEmpty else { return grid([large], in: whole) }
    let lines = (others.count + 5) / 6
    let perLine = (others.count + lines - 1) / lines
    // A strip of small pictures, each of this part of the whole.
    let part = max(3 * lines + 1, perLine)
    let isUpright = whole.height > whole.width
    // In half pictures, so that any number of them has the same room on both sides.
    let halves = Cells(rows: 2 * part, columns: 2 * part, whole: whole)
    let strip = part - lines
    let first = part - perLine
    let rest = halves.area(
      rows: 0..<2 * (isUpright ? strip : part), columns: 0..<2 * (isUpright ? part : strip))
    return [Place(tile: large, area: rest.shaped(like: whole))]
      + others.enumerated().map { number, tile in
        let (across, along) = (2 * (strip + number / perLine), first + 2 * (number % perLine))
        let (row, column) = isUpright ? (across, along) : (along, across)
        return Place(tile: tile, area: halves.area(rows: row..<row + 2, columns: column..<column + 2))
      }
  }

  private static func pictureInPicture(_ large: Int, _ others: [Int], in whole: PictureSize) -> [Place] {
    // The small ones fill rows from the lower right, and leave a column and half of the rows free.
    var parts = 4
    while (parts - 1) * (parts / 2 - 1) < others.count { parts += 2 }
    let small = PictureSize(width: whole.width / parts, height: whole.height / parts).even
    let margin = max(2, min(whole.width, whole.height) / 40).even
    let step = (x: small.width + (margin / 2).even, y: small.height + (margin / 2).even)
    return [Place(tile: large, area: PictureArea(x: 0, y: 0, size: whole))]
      + others.enumerated().map { number, tile in
        let (row, column) = (number / (parts - 1), number % (parts - 1))
        return Place(
          tile: tile,
          area: PictureArea(
            x: max(0, whole.width - margin - small.width - column * step.x).even,
            y: max(0, whole.height - margin - small.height - row * step.y).even, size: small))
      }
  }
}

/// A picture divided into rows and columns as evenly as even numbers allow.
private struct Cells {
  let rows: Int
  let columns: Int
  let whole: PictureSize

  subscript(row: Int, column: Int) -> PictureArea {
    area(rows: row..<row + 1, columns: column..<column + 1)
  }

  func area(rows: Range<Int>, columns: Range<Int>) -> PictureArea {
    let (left, right) = (
      edge(columns.lowerBound, of: self.columns, whole.width),
      edge(columns.upperBound, of: self.columns, whole.width)
    )
    let (top, bottom) = (
      edge(rows.lowerBound, of: self.rows, whole.height), edge(rows.upperBound, of: self.rows, whole.height)
    )
    return PictureArea(x: left, y: top, size: PictureSize(width: right - left, height: bottom - top))
  }

  private func edge(_ number: Int, of count: Int, _ length: Int) -> Int { (length * number / count).even }
}

extension PictureArea {
  /// The largest centred area of the shape of `picture` in this one.
  fileprivate func shaped(like picture: PictureSize) -> PictureArea {
    let inner = PictureArea(of: picture, in: size)
    return PictureArea(x: x + inner.x, y: y + inner.y, size: inner.size)
  }
}

extension PictureSize {
  fileprivate var even: PictureSize { PictureSize(width: max(2, width.even), height: max(2, height.even)) }
}

extension Int {
  fileprivate var even: Int { self / 2 * 2 }
}
