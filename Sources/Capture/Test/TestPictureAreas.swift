internal import HoldfastMediaModel

/// A rectangle of pixels.
struct Area: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// The same area in a plane of half the size each way.
  var halved: Area {
    Area(x: x / 2, y: y / 2, width: (width + 1) / 2, height: (height + 1) / 2)
  }
}

/// Where on the test card its parts lie. Corners are even, so that colours, which have half the resolution,
/// fit.
struct TestPictureAreas: Sendable {
  let size: PictureSize
  let marks: Area
  let bars: Area
  let ramp: Area
  /// The lane in which the mover goes to and fro.
  let lane: Area
  let ground: Area
  /// White for 100 ms at each whole second.
  let flash: Area
  /// The room for text left and right of the flash.
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

  /// The side of the square mover.
  var moverSide: Int { Self.even(min(lane.height * 9 / 10, size.width / 4)) }

  /// Where the mover is in a frame: it goes `step` pixels a frame, to the right and back.
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
