import HoldfastFFmpeg
import HoldfastLettering
import HoldfastMediaModel
import HoldfastMixing

/// Paints the pictures of a programme. Each is begun on a canvas that nobody reads any more, and only what has changed on
/// it is painted anew.
struct ProgrammePainter: ~Copyable {
  private final class Canvas {
    let frame: Frame
    var scene = Scene([], [])

    init(_ frame: consuming Frame) { self.frame = frame }
  }

  private final class TileInserter {
    var inserter = PictureInserter()
  }

  private let size: PictureSize
  private let fill: Fill
  private var inserters: [Int: TileInserter] = [:]
  private var canvases: [Canvas] = []
  private var last: Canvas?
  /// By tile, what those who are gone were last seen on.
  private var farewells: [Int: Canvas] = [:]
  /// What fades in is painted here, and laid over the picture.
  private var overlay: Canvas?
  private var labels: TileLabels

  private static let background: UInt8 = 20
  private static let slate: UInt8 = 36
  /// More can only be in use if somebody keeps them.
  private static let maxCanvases = 8

  init(_ settings: Mixer.Settings) {
    (size, fill) = (settings.format.size, settings.programme.fill)
    labels = TileLabels(note: settings.note)
  }

  /// `tiles` are those of the scene, by number.
  mutating func paint(_ scene: Scene, of tiles: [Int: TileState]) throws(FFmpegError) -> Frame {
    if let last, last.scene == scene { return try last.frame.reference() }
    keepFarewells(in: scene)
    let canvas = try takeCanvas()
    if canvas.scene.places != scene.places {
      canvas.frame.fill(PictureArea(x: 0, y: 0, size: size), luma: Self.background)
      inserters = inserters.filter { tiles[$0.key] != nil }
    }
    for step in scene.steps(on: canvas.scene, after: last?.scene) {
      switch step {
      case .copy(let index):
        if let last { try canvas.frame.copy(scene.places[index].area, from: last.frame) }
      case .draw(let index):
        let (place, content) = (scene.places[index], scene.contents[index])
        if let tile = tiles[place.tile] {
          try draw(tile, content, in: place, on: canvas.frame)
        } else if let farewell = farewells[place.tile] {
          try canvas.frame.blend(place.area, from: farewell.frame, opacity: place.opacity)
        }
      }
    }
    canvas.scene = scene
    last = canvas
    return try canvas.frame.reference()
  }

  private mutating func keepFarewells(in scene: Scene) {
    let gone = zip(scene.places, scene.contents).filter { $0.1.shown == .gone }.map(\.0.tile)
    farewells = farewells.filter { gone.contains($0.key) }
    for tile in gone where farewells[tile] == nil { farewells[tile] = last }
  }

  private mutating func takeCanvas() throws(FFmpegError) -> Canvas {
    let kept = [last].compactMap(\.self) + farewells.values
    let free = canvases.first { canvas in
      canvas.frame.isUniquelyReferenced && !kept.contains { $0 === canvas }
    }
    if let free { return free }
    let fresh = Canvas(try Frame(size: size, format: .yuv420p))
    if canvases.count == Self.maxCanvases { canvases.removeFirst() }
    canvases.append(fresh)
    return fresh
  }

  private mutating func draw(
    _ tile: TileState, _ content: TileContent, in place: Place, on canvas: borrowing Frame
  ) throws(FFmpegError) {
    guard place.opacity < Place.opaque else { return try draw(tile, content, in: place.area, on: canvas) }
    let overlay = if let overlay { overlay } else { Canvas(try Frame(size: size, format: .yuv420p)) }
    self.overlay = overlay
    try draw(tile, content, in: place.area, on: overlay.frame)
    try canvas.blend(place.area, from: overlay.frame, opacity: place.opacity)
  }

  private mutating func draw(
    _ tile: TileState, _ content: TileContent, in area: PictureArea, on canvas: borrowing Frame
  ) throws(FFmpegError) {
    var shown = area
    if case .picture = content.shown, let picture = try tile.picture() {
      let fit = PictureFit(picture.size, into: area, fill)
      for bar in fit.target.bars(in: area) { canvas.fill(bar, luma: Self.background) }
      try inserter(of: tile.number).inserter.draw(fit.source, of: picture, into: canvas, at: fit.target)
      shown = fit.target
    } else {
      canvas.fill(area, luma: Self.slate)
      if content.name != nil, let text = content.slateText {
        try labels.draw(text, in: area, over: Self.slate, on: canvas)
      }
    }
    if let name = content.name {
      try labels.draw(nameOf: name, isMuted: content.isMuted, in: shown, on: canvas)
    }
  }

  private mutating func inserter(of tile: Int) -> TileInserter {
    if let known = inserters[tile] { return known }
    let new = TileInserter()
    inserters[tile] = new
    return new
  }
}

extension TileContent {
  fileprivate var slateText: String? {
    switch shown {
    case .picture, .gone: nil
    case .away(let since): "away since \(since.rfc3339.dropFirst(11).prefix(8)) UTC"
    case .soundOnly: "sound only"
    }
  }
}
