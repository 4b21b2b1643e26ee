package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Parses `1280x720`.
  package init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
    self.init(width: width, height: height)
  }

  package var area: Int { width * height }

  /// The size scaled down to fit into `limit`, with even lengths for encoders.
  package func fitted(into limit: PictureSize) -> PictureSize {
    let factor = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    func even(_ length: Int) -> Int { max(2, Int((Double(length) * factor / 2).rounded(.down)) * 2) }
    return PictureSize(width: even(width), height: even(height))
  }

  package var description: String { "\(width)x\(height)" }
}

/// The rows and columns that show a number of pictures.
package struct GridShape: Hashable, Sendable {
  package let rows: Int
  package let columns: Int

  package init(of count: Int) {
    let rows = (1...max(1, count)).first { $0 * ($0 + 1) >= count } ?? 1
    self.rows = rows
    columns = count > rows * rows ? rows + 1 : rows
  }
}
