/// Bytes in lines without gaps, to copy from.
struct Bitmap: Sendable {
  let width: Int
  let height: Int
  private(set) var bytes: [UInt8]

  init(width: Int, height: Int, value: UInt8) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: value, count: width * height)
  }

  mutating func fill(_ area: Area, _ value: UInt8) {
    fill(area) { _ in value }
  }

  /// Fills all lines of `area` alike, from the column's distance to the left border.
  mutating func fill(_ area: Area, columns value: (Int) -> UInt8) {
    let line = (0..<area.width).map(value)
    for y in area.y..<area.y + area.height {
      let start = y * width + area.x
      bytes.replaceSubrange(start..<start + area.width, with: line)
    }
  }

  subscript(x: Int, y: Int) -> UInt8 {
    get { bytes[y * width + x] }
    set { bytes[y * width + x] = newValue }
  }
}

/// One plane of a picture, to draw into.
struct TestPicturePlane {
  let bytes: UnsafeMutableRawBufferPointer
  let bytesPerLine: Int

  func fill(_ area: Area, _ value: UInt8) {
    for y in area.y..<area.y + area.height {
      let start = y * bytesPerLine + area.x
      UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + area.width])
        .initializeMemory(as: UInt8.self, repeating: value)
    }
  }

  /// Copies `part` of `bitmap` to where its upper left corner is to be.
  func copy(_ part: Area, of bitmap: Bitmap, toX x: Int, y: Int) {
    bitmap.bytes.withUnsafeBytes { source in
      for line in 0..<part.height {
        let from = (part.y + line) * bitmap.width + part.x
        let start = (y + line) * bytesPerLine + x
        UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + part.width])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[from..<from + part.width]))
      }
    }
  }

  func copy(_ bitmap: Bitmap, toX x: Int, y: Int) {
    copy(Area(x: 0, y: 0, width: bitmap.width, height: bitmap.height), of: bitmap, toX: x, y: y)
  }
}
