import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastMarks

/// A grey picture in memory, with lines that are longer than they need to be.
struct Luma {
  let layout: MarkLayout
  let bytesPerLine: Int
  var bytes: [UInt8]

  init(_ size: PictureSize, value: UInt8 = 90) throws {
    layout = try #require(MarkLayout(size: size))
    bytesPerLine = size.width + 13
    bytes = [UInt8](repeating: value, count: bytesPerLine * size.height)
  }

  mutating func draw(_ mark: FrameMark, over previous: FrameMark? = nil) {
    let (layout, bytesPerLine) = (layout, bytesPerLine)
    var span = bytes.mutableSpan
    layout.draw(mark, over: previous, into: &span, bytesPerLine: bytesPerLine)
  }

  func read() -> FrameMark? { layout.read(bytes.span, bytesPerLine: bytesPerLine) }

  mutating func invert(cell index: Int) {
    let (x, y) = layout.corner(ofCell: index)
    for line in y..<y + layout.cellSide {
      for column in x..<x + layout.cellSide { bytes[line * bytesPerLine + column] ^= 0xff }
    }
  }

  /// Each pixel becomes the mean of the nine around it.
  mutating func blur() {
    let sharp = bytes
    for line in 1..<layout.height + 1 {
      for column in 1..<bytesPerLine - 1 {
        var sum = 0
        for y in line - 1...line + 1 {
          for x in column - 1...column + 1 { sum += Int(sharp[y * bytesPerLine + x]) }
        }
        bytes[line * bytesPerLine + column] = UInt8(sum / 9)
      }
    }
  }

  mutating func addNoise(upTo amplitude: Int, using randomness: inout SplitMix64) {
    for index in 0..<bytesPerLine * layout.height {
      let noise = Int(truncatingIfNeeded: randomness.next() >> 40) % (2 * amplitude + 1) - amplitude
      bytes[index] = UInt8(clamping: Int(bytes[index]) + noise)
    }
  }
}
