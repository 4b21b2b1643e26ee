import HoldfastMediaModel
import HoldfastMixing
import Testing

@Suite struct LayoutTests {
  private static let sizes =
    ["1920x1080", "1280x720", "854x480", "640x480", "1080x1920", "64x64", "7680x4320"]
    .compactMap { PictureSize($0) }

  @Test func `a grid keeps free places free, and other layouts close them`() {
    let whole = PictureSize(width: 1280, height: 720)
    let all = Layout.grid.places(for: 4, in: whole)
    let grid = Layout.grid.places(of: [7, nil, 9, 5], large: nil, in: whole)
    #expect((grid.map(\.area), grid.map(\.tile)) == ([0, 2, 3].map { all[$0].area }, [7, 9, 5]))
    for layout in Layout.allCases where layout != .grid {
      let closed = layout.places(of: [7, nil, 9, 5], large: 9, in: whole)
      let three = layout.places(for: 3, large: 1, in: whole)
      #expect(closed.map(\.area) == three.map(\.area))
      #expect(closed.map(\.tile) == three.map { [7, 9, 5][$0.tile] })
    }
    #expect(Layout.spotlight.places(of: [], large: 3, in: whole).isEmpty)
  }

  @Test(arguments: Layout.allCases, sizes)
  func `each tile has one place, inside the picture, with even numbers`(layout: Layout, size: PictureSize) {
    for count in 0...20 {
      for large in [0, count / 2, count - 1, count, -1] {
        let places = layout.places(for: count, large: large, in: size)
        #expect(places.map(\.tile).sorted() == Array(0..<count))
        let bad = places.map(\.area).first {
          ![$0.x, $0.y, $0.size.width, $0.size.height].allSatisfy { $0 % 2 == 0 }
            || $0.x < 0 || $0.y < 0 || $0.size.width < 2 || $0.size.height < 2
            || $0.maxX > size.width || $0.maxY > size.height
        }
        #expect(bad == nil, "\(count) tiles, \(large) large")
      }
    }
  }

  @Test(arguments: Layout.allCases, sizes)
  func `no tile covers another, but a small one the large one that fills the picture`(
    layout: Layout, size: PictureSize
  ) {
    for count in 1...16 {
      var areas = layout.places(for: count, in: size).map(\.area)
      if layout == .pictureInPicture { #expect(areas.removeFirst().size == size) }
      for (index, area) in areas.enumerated() {
        #expect(!areas[..<index].contains { $0.overlaps(area) }, "tile \(index) of \(count)")
      }
    }
  }

  @Test(arguments: [Layout.grid, .spotlight, .pictureInPicture], sizes.filter { $0.height > 64 })
  func `tiles have the picture's shape`(layout: Layout, size: PictureSize) {
    for count in 1...16 {
      for area in layout.places(for: count, in: size).map(\.area) {
        // As near as even numbers and tiny bars allow.
        let expected = Double(area.size.width) * Double(size.height) / Double(size.width)
        #expect(abs(Double(area.size.height) - expected) <= max(6, expected / 50), "\(count): \(area)")
      }
    }
  }

  @Test(
    arguments: [
      // A grid is filled in rows.
      (
        .grid, 4, 0, "1920x1080",
        "0: 960x540 at 0,0; 1: 960x540 at 960,0; 2: 960x540 at 0,540; 3: 960x540 at 960,540"
      ),
      (.grid, 1, 0, "1920x1080", "0: 1920x1080 at 0,0"),
      (.grid, 2, 0, "1920x1080", "0: 960x540 at 0,270; 1: 960x540 at 960,270"),
      // The spotlight is large, beside or above the others.
      (.spotlight, 3, 1, "1920x1080", "1: 1440x810 at 0,134; 0: 480x270 at 1440,270; 2: 480x270 at 1440,540"),
      (.spotlight, 2, 0, "1080x1920", "0: 810x1440 at 134,0; 1: 270x480 at 404,1440"),
      (.spotlight, 1, 0, "1920x1080", "0: 1920x1080 at 0,0"),
      // Small pictures begin in the lower right corner.
      (
        .pictureInPicture, 3, 0, "1280x720",
        "0: 1280x720 at 0,0; 1: 320x180 at 942,522; 2: 320x180 at 614,522"
      ),
      // Side by side, each is as high as the picture.
      (.sideBySide, 3, 0, "1280x720", "0: 426x720 at 0,0; 1: 426x720 at 426,0; 2: 428x720 at 852,0"),
    ] as [(Layout, Int, Int, String, String)])
  func `each layout has its places`(
    layout: Layout, count: Int, large: Int, size: String, expected: String
  ) throws {
    let places = layout.places(for: count, large: large, in: try #require(PictureSize(size)))
    let texts = places.map { "\($0.tile): \($0.area.size) at \($0.area.x),\($0.area.y)" }
    #expect(texts.joined(separator: "; ") == expected)
  }

  @Test(arguments: 1...16)
  func `a tile that is added moves nobody as long as the shape stays`(count: Int) {
    let whole = PictureSize(width: 1920, height: 1080)
    guard GridShape(of: count) == GridShape(of: count + 1) else { return }
    #expect(
      Layout.grid.places(for: count + 1, in: whole).dropLast()
        == Layout.grid.places(for: count, in: whole)[...])
  }

  @Test(arguments: 2...16)
  func `the large tile is the first to be drawn, and larger than any other`(count: Int) {
    for layout in Layout.allCases where layout.hasLargeTile {
      let places = layout.places(for: count, large: count - 1, in: PictureSize(width: 1280, height: 720))
      #expect(places.first?.tile == count - 1)
      #expect(places.dropFirst().allSatisfy { $0.area.size.area * 4 < (places.first?.area.size.area ?? 0) })
    }
  }

  @Test func `a spotlight needs a layout that has a large tile`() {
    #expect(
      Layout.allCases.map(\.withLargeTile) == [.spotlight, .spotlight, .pictureInPicture, .spotlight])
  }
}

@Suite struct PictureFitTests {
  private let place = PictureArea(x: 100, y: 50, size: PictureSize(width: 640, height: 360))

  private static let picture = PictureSize(width: 640, height: 480)

  @Test func `bars keep the whole picture`() {
    let fit = PictureFit(Self.picture, into: place, .bars)
    let target = PictureArea(x: 180, y: 50, size: PictureSize(width: 480, height: 360))
    #expect((fit.source, fit.target) == (PictureArea(x: 0, y: 0, size: Self.picture), target))
  }

  @Test func `a crop fills the place with the middle of the picture`() {
    let fit = PictureFit(Self.picture, into: place, .crop)
    #expect((fit.source, fit.target) == (PictureArea(x: 0, y: 60, size: place.size), place))
  }

  @Test(arguments: Fill.allCases, [(32, 32), (640, 480), (90, 160), (1920, 1080), (7680, 64), (720, 576)])
  func `nobody is distorted, and nothing lies outside`(fill: Fill, picture: (Int, Int)) {
    let picture = PictureSize(width: picture.0, height: picture.1)
    var bad: [PictureFit] = []
    for width in stride(from: 32, through: 640, by: 34) {
      for height in stride(from: 32, through: 360, by: 34) {
        let place = PictureArea(x: 10, y: 20, size: PictureSize(width: width, height: height))
        let fit = PictureFit(picture, into: place, fill)
        if !isFaithful(fit, picture, place) { bad.append(fit) }
      }
    }
    #expect(bad.first == nil)
  }

  private func isFaithful(_ fit: PictureFit, _ picture: PictureSize, _ place: PictureArea) -> Bool {
    let (source, target) = (fit.source, fit.target)
    let lengths = [source, target].flatMap { [$0.size.width, $0.size.height] }
    guard (lengths + [source.x, source.y, target.x, target.y]).allSatisfy({ $0 % 2 == 0 && $0 >= 0 }),
      source.maxX <= picture.width, source.maxY <= picture.height,
      target.x >= place.x, target.maxX <= place.maxX, target.y >= place.y, target.maxY <= place.maxY
    else { return false }
    let across = Double(target.size.width) / Double(source.size.width)
    let down = Double(target.size.height) / Double(source.size.height)
    // Small numbers can't be both even and of one shape.
    return abs(across / down - 1) <= 6 / Double(lengths.min() ?? 1) + 0.011
  }
}

@Suite struct TransitionTests {
  private let whole = PictureSize(width: 1920, height: 1080)
  private var grid: [Place] { Layout.grid.places(for: 4, in: whole) }
  private var spotlight: [Place] { Layout.spotlight.places(for: 4, large: 2, in: whole) }
  private var transition: Transition {
    Transition(from: grid, to: spotlight, start: .zero, duration: .milliseconds(300))
  }

  @Test func `it begins with the old places, and ends with the new ones`() {
    let transition = Transition(from: grid, to: spotlight, start: .seconds(5), duration: .milliseconds(300))
    #expect(Set(transition.places(at: .seconds(5))) == Set(grid))
    #expect(transition.places(at: .seconds(5)).map(\.tile) == spotlight.map(\.tile))
    #expect([5300, 9000].map { transition.places(at: .milliseconds($0)) } == [spotlight, spotlight])
    #expect(transition.isOver(at: .milliseconds(5300)) && !transition.isOver(at: .milliseconds(5299)))
  }

  @Test func `without a duration it is a cut`() {
    let transition = Transition(from: grid, to: spotlight, start: .seconds(5), duration: .zero)
    #expect(transition.isOver(at: .seconds(5)) && transition.places(at: .seconds(5)) == spotlight)
  }

  @Test func `in between, each tile is inside the picture, on even numbers, and goes one way only`() {
    var last = Dictionary(uniqueKeysWithValues: grid.map { ($0.tile, $0.area.size.area) })
    for milliseconds in Int64(0)...300 {
      for place in transition.places(at: .milliseconds(milliseconds)) {
        let area = place.area
        #expect([area.x, area.y, area.size.width, area.size.height].allSatisfy { $0 % 2 == 0 && $0 >= 0 })
        #expect(area.maxX <= whole.width && area.maxY <= whole.height)
        let (old, new) = (last[place.tile] ?? 0, area.size.area)
        // Rounding to even numbers may take a row back.
        let row = 4 * max(area.size.width, area.size.height)
        #expect(
          place.tile == 2 ? new >= old - row : new <= old + row, "tile \(place.tile) at \(milliseconds)")
        last[place.tile] = new
      }
    }
  }

  @Test func `half of the time is half of the way`() {
    let large = transition.places(at: .milliseconds(150)).first
    #expect(large?.area == PictureArea(x: 0, y: 336, size: PictureSize(width: 1200, height: 676)))
  }

  @Test func `who is new fades in, and who is gone fades out, where they are`() {
    let transition = Transition(
      from: [grid[0], grid[1]], to: [grid[1], grid[2]], start: .zero, duration: .milliseconds(300))
    func opacities(_ milliseconds: Int64) -> [Int] {
      transition.places(at: .milliseconds(milliseconds)).map(\.opacity)
    }
    #expect(transition.places(at: .milliseconds(100)).map(\.area) == grid.prefix(3).map(\.area))
    #expect(
      opacities(0) == [256, 256, 0] && opacities(150) == [128, 256, 128] && opacities(300) == [256, 256])
    var last = opacities(0)
    for milliseconds in Int64(1)..<300 {
      let now = opacities(milliseconds)
      #expect(now[0] <= last[0] && now[1] == 256 && now[2] >= last[2])
      last = now
    }
    #expect(last[0] <= 1 && last[2] >= 255)
  }

  @Test func `a transition that another one follows goes on from where it is`() {
    let first = Transition(from: [grid[0]], to: [grid[1]], start: .zero, duration: .milliseconds(300))
    let half = first.places(at: .milliseconds(150))
    let back = Transition(from: half, to: [grid[0]], start: .milliseconds(150), duration: .milliseconds(300))
    #expect(Set(back.places(at: .milliseconds(150))) == Set(half))
    #expect(back.places(at: .milliseconds(300)).map(\.opacity) == [64, 192])
    #expect(back.places(at: .milliseconds(450)) == [grid[0]])
  }

  @Test func `a tile that stays has settled`() {
    let begin = transition.places(at: .zero)
    #expect(begin.allSatisfy { !transition.isSettled($0) } && spotlight.allSatisfy(transition.isSettled))
  }
}
