import HoldfastMediaModel

/// A source plane without padding.
struct Bitmap: Sendable {
  let width: Int
  let height: Int
  private(set) var bytes: [UInt8]

  init(width: Int, height: Int, value: UInt8) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: value, count: width * height)
  }

  mutating func fill(_ area: Area, _ value: UInt8) { fill(area) { _ in value } }

  /// Fills each line of `area` with values by column.
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

/// A target plane of a picture.
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

  /// Copies `part` of `bitmap` to (`x`, `y`).
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

struct Area: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var halved: Area { Area(x: x / 2, y: y / 2, width: (width + 1) / 2, height: (height + 1) / 2) }
}

/// The layout of the test card; coordinates are even for 4:2:0.
struct TestPictureAreas: Sendable {
  let size: PictureSize
  let marks: Area
  let bars: Area
  let ramp: Area
  /// The area within which the mover oscillates.
  let lane: Area
  let ground: Area
  /// White for 100 ms at each whole second.
  let flash: Area
  /// The text areas left and right of the flash.
  let texts: [Area]

  init(size: PictureSize, markHeight: Int) {
    let top = Self.even(markHeight + 1)
    let rest = size.height - top
    func band(_ from: Int, _ to: Int) -> Area {
      let start = top + Self.even(rest * from / 100)
      let end = to == 100 ? size.height : top + Self.even(rest * to / 100)
      return Area(x: 0, y: start, width: size.width, height: end - start)
    }
    self.size = size
    marks = Area(x: 0, y: 0, width: size.width, height: top)
    bars = band(0, 44)
    ramp = band(44, 50)
    lane = band(50, 72)
    ground = band(72, 100)
    let flashWidth = Self.even(size.width / 6)
    let flashHeight = Self.even(ground.height * 8 / 10)
    flash = Area(
      x: Self.even((size.width - flashWidth) / 2), y: ground.y + Self.even((ground.height - flashHeight) / 2),
      width: flashWidth, height: flashHeight)
    let margin = size.width / 40
    let room = flash.x - 2 * margin
    texts = [margin, flash.x + flash.width + margin].map { [ground] in
      Area(x: $0, y: ground.y, width: room, height: ground.height)
    }
  }

  var moverSide: Int { Self.even(min(lane.height * 9 / 10, size.width / 4)) }

  /// The mover's position in a frame, `step` pixels from the previous one.
  func mover(inFrame number: UInt32, step: Int) -> Area {
    let side = moverSide
    let room = Self.even(size.width - side)
    let way = Int(number) * step % (2 * room)
    return Area(
      x: way < room ? way : 2 * room - way, y: lane.y + Self.even((lane.height - side) / 2), width: side,
      height: side)
  }

  static func even(_ value: Int) -> Int { value & ~1 }
}
