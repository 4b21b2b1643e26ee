package import HoldfastMediaModel

/// The layout of a `FrameMark`'s cells: rows of black and white squares at the top of a picture.
package struct MarkLayout: Hashable, Sendable {
  package let size: PictureSize
  package let cellSide: Int
  package let columns: Int
  package let rows: Int

  package static let dark: UInt8 = 16
  package static let light: UInt8 = 235

  /// Nil if smaller than 64x64.
  package init?(size: PictureSize) {
    guard size.width >= 64, size.height >= 64 else { return nil }
    let side = Self.sides(forWidth: size.width).first { side in
      Self.rows(ofSide: side, width: size.width) * side * 4 <= size.height
    }
    self.size = size
    cellSide = side ?? Self.smallestSide
    rows = Self.rows(ofSide: cellSide, width: size.width)
    columns = (FrameMark.bitCount + rows - 1) / rows
  }

  package var height: Int { rows * cellSide }
  package var width: Int { columns * cellSide }

  private static let smallestSide = 4

  /// The sides to try, largest first. Multiples of 16 cover whole macroblocks, which are cheap to encode.
  private static func sides(forWidth width: Int) -> [Int] {
    let largest = max(16, width / 80 / 16 * 16)
    return Array(stride(from: largest, to: 16, by: -16)) + [16, 12, 10, 8, 6, smallestSide]
  }

  private static func rows(ofSide side: Int, width: Int) -> Int {
    let inOneRow = width / side
    return (FrameMark.bitCount + inOneRow - 1) / inOneRow
  }

  /// The top left corner of a cell; cell 0 is the highest bit.
  func corner(ofCell index: Int) -> (x: Int, y: Int) {
    (index % columns * cellSide, index / columns * cellSide)
  }

  private func fits(_ count: Int, _ bytesPerLine: Int) -> Bool {
    bytesPerLine >= width && count >= (height - 1) * bytesPerLine + width
  }
}

extension MarkLayout {
  /// Draws the cells that differ from `previous`.
  package func draw(
    _ mark: FrameMark, over previous: FrameMark? = nil, into luma: inout MutableSpan<UInt8>, bytesPerLine: Int
  ) {
    guard fits(luma.count, bytesPerLine) else { return }
    let word = mark.word
    let changes = previous.map { $0.word ^ word } ?? ~0
    for index in 0..<FrameMark.bitCount {
      let bit = UInt128(1) << (FrameMark.bitCount - 1 - index)
      guard changes & bit != 0 else { continue }
      let (x, y) = corner(ofCell: index)
      let value = word & bit == 0 ? Self.dark : Self.light
      for line in y..<y + cellSide {
        for offset in line * bytesPerLine + x..<line * bytesPerLine + x + cellSide { luma[offset] = value }
      }
    }
  }

  /// The mark of a picture; nil if missing or damaged.
  package func read(_ luma: Span<UInt8>, bytesPerLine: Int) -> FrameMark? {
    guard fits(luma.count, bytesPerLine) else { return nil }
    var word: UInt128 = 0
    for index in 0..<FrameMark.bitCount {
      word = word << 1 | (isLight(cell: index, luma, bytesPerLine) ? 1 : 0)
    }
    return FrameMark(word: word)
  }

  /// Whether a cell is light; ignores its rim, which codecs blur.
  private func isLight(cell index: Int, _ luma: Span<UInt8>, _ bytesPerLine: Int) -> Bool {
    let (x, y) = corner(ofCell: index)
    let rim = cellSide / 4
    let inner = cellSide - 2 * rim
    var sum = 0
    for line in y + rim..<y + rim + inner {
      for offset in line * bytesPerLine + x + rim..<line * bytesPerLine + x + rim + inner {
        sum += Int(luma[offset])
      }
    }
    return sum * 2 > (Int(Self.dark) + Int(Self.light)) * inner * inner
  }
}
