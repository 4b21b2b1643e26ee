import HoldfastCFreeType

/// Draws text with a font of the system.
package struct Lettering: ~Copyable {
  private let library: FT_Library
  private let face: FT_Face

  /// Where Debian, Fedora, Arch and Alpine keep a font with many scripts.
  private static let fonts = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
  ]

  /// Nil if none of the usual fonts is installed.
  package init?() { self.init(fonts: Self.fonts) }

  init?(fonts: [String]) {
    var opened: FT_Library?
    guard FT_Init_FreeType(&opened) == 0, let library = opened else { return nil }
    var face: FT_Face?
    for font in fonts where face == nil { FT_New_Face(library, font, 0, &face) }
    guard let face else {
      FT_Done_FreeType(library)
      return nil
    }
    self.library = library
    self.face = face
  }

  deinit {
    FT_Done_Face(face)
    FT_Done_FreeType(library)
  }

  /// The text in one line of `height` pixels, cut with an ellipsis where it is wider than `width`.
  package borrowing func draw(_ text: String, height: Int, within width: Int) -> TextPicture {
    FT_Set_Pixel_Sizes(face, 0, UInt32(max(4, height * 4 / 5)))
    let characters = fitting(Array(text.unicodeScalars), within: width)
    var picture = TextPicture(width: max(0, min(width, length(of: characters))), height: height)
    let metrics = face.pointee.size.pointee.metrics
    let (ascender, descender) = (Int(metrics.ascender) >> 6, Int(metrics.descender) >> 6)
    let baseline = (height - ascender + descender) / 2 + ascender
    var pen = 0
    for character in characters {
      guard FT_Load_Char(face, FT_ULong(character.value), cft_FT_LOAD_RENDER) == 0 else { continue }
      let glyph = face.pointee.glyph.pointee
      let bitmap = glyph.bitmap
      if let bytes = bitmap.buffer, bitmap.pixel_mode == UInt8(FT_PIXEL_MODE_GRAY.rawValue) {
        for row in 0..<Int(bitmap.rows) {
          for column in 0..<Int(bitmap.width) {
            picture.add(
              bytes[row * Int(bitmap.pitch) + column], x: pen + Int(glyph.bitmap_left) + column,
              y: baseline - Int(glyph.bitmap_top) + row)
          }
        }
      }
      pen += Int(glyph.advance.x) >> 6
    }
    return picture
  }

  private borrowing func fitting(_ text: [Unicode.Scalar], within width: Int) -> [Unicode.Scalar] {
    guard length(of: text) > width else { return text }
    var kept = text
    while !kept.isEmpty, length(of: kept + ["…"]) > width { kept.removeLast() }
    return kept.isEmpty ? [] : kept + ["…"]
  }

  private borrowing func length(of text: [Unicode.Scalar]) -> Int {
    var length = 0
    for character in text where FT_Load_Char(face, FT_ULong(character.value), cft_FT_LOAD_DEFAULT) == 0 {
      length += Int(face.pointee.glyph.pointee.advance.x) >> 6
    }
    return length
  }
}

/// How much of each pixel is covered by text, from 0 to 255.
package struct TextPicture: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package private(set) var coverage: [UInt8]

  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    coverage = [UInt8](repeating: 0, count: width * height)
  }

  /// Outside of the picture, nothing happens.
  package mutating func add(_ value: UInt8, x: Int, y: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    coverage[y * width + x] = max(coverage[y * width + x], value)
  }
}
