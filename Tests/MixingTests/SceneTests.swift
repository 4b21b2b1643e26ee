import HoldfastMediaModel
import HoldfastMixing
import TestRandomness
import Testing

@Suite struct SceneTests {
  private static let whole = PictureSize(width: 1280, height: 720)

  private func scene(_ pictures: [Int], _ layout: Layout = .grid) -> Scene {
    Scene(
      layout.places(for: pictures.count, in: Self.whole),
      pictures.map { TileContent(.picture($0), name: nil) })
  }

  @Test func `a canvas that shows the scene is left alone`() {
    #expect(scene([1, 2, 3]).steps(on: scene([1, 2, 3]), after: scene([1, 2, 3])) == [])
  }

  @Test func `new pictures are drawn, and what the last picture has is copied`() {
    let last = scene([5, 6, 7, 8])
    #expect(
      scene([6, 6, 7, 9]).steps(on: scene([4, 6, 5, 8]), after: last) == [.draw(0), .copy(2), .draw(3)])
    #expect(
      scene([6, 6, 7, 9]).steps(on: scene([4, 6, 5, 8]), after: nil) == [.draw(0), .draw(2), .draw(3)])
  }

  @Test func `with other places, all is drawn`() {
    let old = scene([1, 2, 3, 4])
    #expect(
      scene([1, 2, 3, 4], .spotlight).steps(on: old, after: old) == [.draw(0), .draw(1), .draw(2), .draw(3)])
  }

  @Test func `what lies above a new picture is drawn again, and what lies below is not`() {
    let old = scene([1, 2, 3], .pictureInPicture)
    #expect(
      scene([9, 2, 3], .pictureInPicture).steps(on: old, after: old) == [.draw(0), .copy(1), .copy(2)])
    #expect(scene([1, 9, 3], .pictureInPicture).steps(on: old, after: old) == [.draw(1)])
  }

  @Test(arguments: [
    TileContent(.picture(1), name: "A", isMuted: true), TileContent(.picture(1), name: "B"),
  ])
  func `a sign or a name is a change`(changed: TileContent) {
    let places = Layout.grid.places(for: 1, in: Self.whole)
    let plain = Scene(places, [TileContent(.picture(1), name: "A")])
    #expect(Scene(places, [changed]).steps(on: plain, after: plain) == [.draw(0)])
  }

  /// Canvases as lists of what each pixel of a coarse raster shows.
  @Test(arguments: Layout.allCases)
  func `any order of pictures on any canvases looks as if all had been drawn anew`(layout: Layout) {
    var random = SplitMix64(seed: 3)
    let blank = [String](repeating: "", count: 144)
    var canvases = [(scene: Scene, pixels: [String])](repeating: (Scene([], []), blank), count: 3)
    var last: Int?
    for round in 0..<500 {
      let used = round % 70 < 35 ? layout : .grid
      let places = used.places(for: 4, in: Self.whole)
      let contents = places.map { _ in
        TileContent(.picture(Int.random(in: 0...2, using: &random)), name: nil)
      }
      let new = Scene(places, contents)
      let target = [0, 1, 2].filter { $0 != last ?? -1 }.randomElement(using: &random) ?? 0
      let before = last.map { canvases[$0] }
      if canvases[target].scene.places != places { canvases[target].pixels = blank }
      for step in new.steps(on: canvases[target].scene, after: before?.scene) {
        switch step {
        case .copy(let index):
          for pixel in pixels(in: places[index].area) {
            canvases[target].pixels[pixel] = before?.pixels[pixel] ?? "nothing"
          }
        case .draw(let index):
          for pixel in pixels(in: places[index].area) {
            canvases[target].pixels[pixel] = "\(places[index].tile) \(contents[index])"
          }
        }
      }
      canvases[target].scene = new
      last = target
      var expected = blank
      for (place, content) in zip(places, contents) {
        for pixel in pixels(in: place.area) { expected[pixel] = "\(place.tile) \(content)" }
      }
      #expect(canvases[target].pixels == expected)
      if canvases[target].pixels != expected { return }
    }
  }

  private func pixels(in area: PictureArea) -> [Int] {
    (0..<144).filter { (pixel: Int) -> Bool in
      let (x, y) = (pixel % 16 * 80 + 40, pixel / 16 * 80 + 40)
      return x >= area.x && x < area.maxX && y >= area.y && y < area.maxY
    }
  }
}
