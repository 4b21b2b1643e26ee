import HoldfastMarks
import HoldfastMediaModel

/// The test card's background and mover, in ITU-R BT.601 colours.
enum TestPictureArtwork {
  /// The luma of the text background, and of the flash area between flashes.
  static let ground: UInt8 = 32
  static let unlit: UInt8 = 16

  private static let lane: UInt8 = 70
  private static let laneLine: UInt8 = 100
  private static let neutral: UInt8 = 128

  /// 75 % bars: white, yellow, cyan, green, magenta, red, blue, black.
  private static let bars: [(luma: UInt8, blue: UInt8, red: UInt8)] = [
    (180, 128, 128), (162, 44, 142), (131, 156, 44), (112, 72, 58), (84, 184, 198), (65, 100, 212),
    (35, 212, 114), (16, 128, 128),
  ]

  static func background(_ areas: TestPictureAreas) -> [Bitmap] {
    let size = areas.size
    var luma = Bitmap(width: size.width, height: size.height, value: MarkLayout.dark)
    luma.fill(areas.bars) { bars[$0 * bars.count / size.width].luma }
    luma.fill(areas.ramp) { column in
      let range = Int(MarkLayout.light) - Int(MarkLayout.dark)
      return MarkLayout.dark + UInt8(range * column / max(1, size.width - 1))
    }
    let raster = max(4, TestPictureAreas.even(size.width / 40))
    luma.fill(areas.lane) { $0 % raster < 2 ? laneLine : lane }
    luma.fill(areas.ground, ground)
    luma.fill(areas.flash, unlit)
    return [luma, colour(areas, \.blue), colour(areas, \.red)]
  }

  private static func colour(
    _ areas: TestPictureAreas, _ part: KeyPath<(luma: UInt8, blue: UInt8, red: UInt8), UInt8>
  ) -> Bitmap {
    let whole = Area(x: 0, y: 0, width: areas.size.width, height: areas.size.height).halved
    var plane = Bitmap(width: whole.width, height: whole.height, value: neutral)
    plane.fill(areas.bars.halved) { bars[$0 * bars.count / whole.width][keyPath: part] }
    return plane
  }

  /// A zone plate, which contains all spatial frequencies.
  static func mover(side: Int) -> [Bitmap] {
    var luma = Bitmap(width: side, height: side, value: 0)
    let radius = Double(side) / 2
    for y in 0..<side {
      for x in 0..<side {
        let (dx, dy) = (Double(x) + 0.5 - radius, Double(y) + 0.5 - radius)
        let wave = sine(turns: (dx * dx + dy * dy) / (8 * radius) + 0.25)
        luma[x, y] = UInt8(126 + 90 * wave)
      }
    }
    var blue = Bitmap(width: side / 2, height: side / 2, value: neutral)
    var red = blue
    let whole = Area(x: 0, y: 0, width: side / 2, height: side / 2)
    blue.fill(whole) { UInt8(168 - 80 * $0 / max(1, side / 2)) }
    red.fill(whole) { UInt8(104 + 60 * $0 / max(1, side / 2)) }
    return [luma, blue, red]
  }
}
