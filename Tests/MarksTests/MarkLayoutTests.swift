import HoldfastMediaModel
import Testing

@testable import HoldfastMarks

@Suite struct MarkLayoutTests {
  private static let common = [
    (1280, 720), (1920, 1080), (3840, 2160), (2560, 1440), (640, 360), (640, 480), (320, 180), (320, 240),
    (854, 480), (426, 240), (160, 120), (720, 1280), (1080, 1920), (64, 2000), (4000, 64), (1279, 719),
  ]

  @Test func `a mark's cells stay inside the picture and do not overlap, at any size`() {
    var sizes = Self.common.map { PictureSize(width: $0.0, height: $0.1) }
    for width in 64...400 {
      for height in 64...300 { sizes.append(PictureSize(width: width, height: height)) }
    }
    let wrong = sizes.first { size in
      guard let layout = MarkLayout(size: size) else { return true }
      return !isSound(layout) || layout.width > size.width || layout.height * 2 > size.height
    }
    #expect(wrong == nil)
  }

  /// Cells on a grid, one after the other from left to right and top to bottom, so that no two overlap.
  private func isSound(_ layout: MarkLayout) -> Bool {
    let side = layout.cellSide
    var last = (x: -1, y: 0)
    for index in 0..<FrameMark.bitCount {
      let corner = layout.corner(ofCell: index)
      guard corner.x % side == 0, corner.y % side == 0, (corner.y, corner.x) > (last.y, last.x),
        corner.x + side <= layout.width, corner.y + side <= layout.height
      else { return false }
      last = corner
    }
    return side >= 4 && side % 2 == 0
  }

  @Test(arguments: common.dropLast(3))
  func `a mark takes at most a quarter of a common picture's height`(width: Int, height: Int) throws {
    let layout = try #require(MarkLayout(size: PictureSize(width: width, height: height)))
    #expect(layout.height * 4 <= height && (layout.cellSide < 16 || layout.cellSide % 16 == 0), "\(layout)")
  }

  @Test(arguments: [(1280, 720, 16), (1920, 1080, 16), (3840, 2160, 48), (320, 180, 10), (64, 64, 4)])
  func `a mark's cells are as large as the picture allows`(width: Int, height: Int, side: Int) throws {
    #expect(try #require(MarkLayout(size: PictureSize(width: width, height: height))).cellSide == side)
  }

  @Test(arguments: [(63, 64), (64, 63), (0, 0), (-64, 64)])
  func `a picture smaller than 64x64 has no room for a mark`(width: Int, height: Int) {
    #expect(MarkLayout(size: PictureSize(width: width, height: height)) == nil)
  }
}
