/// Draws digits, colons and points in seven segments.
struct TestPictureText: Sendable {
  private let x: Int
  private let y: Int
  private let digits: [Bitmap]
  private let colon: Bitmap
  private let point: Bitmap
  private let blank: Bitmap

  /// Nil if the area is too small for legible text.
  init?(in area: Area, digits count: Int, separators: Int, ink: UInt8, paper: UInt8) {
    let width = min(area.width * 2 / (2 * count + separators), area.height * 4 / 10)
    guard width >= 6 else { return nil }
    let height = width * 16 / 10
    let textWidth = count * width + separators * (width / 2)
    x = area.x + (area.width - textWidth) / 2
    y = area.y + (area.height - height) / 2
    let segments = Segments(width: width, height: height)
    func glyph(_ width: Int, _ strokes: [Area]) -> Bitmap {
      var bitmap = Bitmap(width: width, height: height, value: paper)
      for stroke in strokes { bitmap.fill(stroke, ink) }
      return bitmap
    }
    digits = Segments.ofDigits.map { glyph(width, segments.strokes($0)) }
    colon = glyph(width / 2, segments.colon)
    point = glyph(width / 2, segments.point)
    blank = glyph(width, [])
  }

  /// Draws the differences from `previous`; missing characters are blank.
  func draw(_ text: String, over previous: String?, into plane: TestPicturePlane) {
    var x = x
    var old = previous?.utf8.makeIterator()
    for character in text.utf8 {
      let glyph = glyph(of: character)
      if old?.next() != character { plane.copy(glyph, toX: x, y: y) }
      x += glyph.width
    }
  }

  private func glyph(of character: UInt8) -> Bitmap {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digits[Int(character - UInt8(ascii: "0"))]
    case UInt8(ascii: ":"): colon
    case UInt8(ascii: "."): point
    default: blank
    }
  }
}

private struct Segments {
  let width: Int
  let height: Int

  /// The lit segments of 0 to 9: top, upper left, upper right, middle, lower left, lower right, bottom.
  static let ofDigits: [[Int]] = [
    [0, 1, 2, 4, 5, 6], [2, 5], [0, 2, 3, 4, 6], [0, 2, 3, 5, 6], [1, 2, 3, 5],
    [0, 1, 3, 5, 6], [0, 1, 3, 4, 5, 6], [0, 2, 5], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 5, 6],
  ]

  private var thick: Int { max(1, width / 7) }
  /// The rest of the cell separates the digits.
  private var right: Int { width * 3 / 4 }

  func strokes(_ lit: [Int]) -> [Area] {
    let middle = (height - thick) / 2
    let across = Area(x: 0, y: 0, width: right, height: thick)
    let upper = Area(x: 0, y: 0, width: thick, height: middle + thick)
    let lower = Area(x: 0, y: middle, width: thick, height: height - middle)
    func moved(_ area: Area, x: Int = 0, y: Int = 0) -> Area {
      Area(x: area.x + x, y: area.y + y, width: area.width, height: area.height)
    }
    let all = [
      across, upper, moved(upper, x: right - thick), moved(across, y: middle), lower,
      moved(lower, x: right - thick), moved(across, y: height - thick),
    ]
    return lit.map { all[$0] }
  }

  private func dot(y: Int) -> Area { Area(x: (width / 2 - thick) / 2, y: y, width: thick, height: thick) }

  var colon: [Area] { [dot(y: height * 3 / 10), dot(y: height * 6 / 10)] }
  var point: [Area] { [dot(y: height - thick)] }
}
