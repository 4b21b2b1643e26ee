package import HoldfastMediaModel
import HoldfastMediaSources
package import HoldfastMixing

extension Configuration {
  /// What the source `grid` is composed of.
  package struct Programme: Hashable, Sendable {
    package var tiles: [TileRequest] = []
    package var layout = Layout.grid
    /// The tile that is shown large; nil for the first, where the layout has a large one.
    package var spotlight: String?
    package var fill = Fill.bars
    /// Also trust the certificates in this file, for the members on a stage.
    package var caFile: String?
    /// How long tiles take to their places in another layout.
    package var transition = MediaTime.zero
  }

  /// The session whose stage is composed, by its address.
  package var stage: String? { video.source.stage ?? audio.source.stage }

  private static let maxTiles = 16

  func validateProgramme() throws(ConfigurationError) {
    let usesGrid = video.source == .grid || audio.source == .grid
    let tiles = programme.tiles
    try validateStage(besideGrid: usesGrid)
    try require(
      !usesGrid || !tiles.isEmpty, video.source == .grid ? .video : .audio, .tile,
      what: "the grid has no tiles", hint: "add some, each as NAME=SOURCE")
    try require(
      usesGrid || tiles.isEmpty, .tile, .video,
      what: "tiles are only used by the source grid", hint: "choose grid as the video or the audio, or both")
    try require(tiles.count <= Self.maxTiles, .tile, what: "too many tiles", hint: "use at most 16")
    if let name = tiles.map(\.name).firstRepeated {
      throw ConfigurationError(
        settings: [.tile], what: "two tiles are called \(name)", hint: "give one of them another name")
    }
    let videos = tiles.map(\.video).filter(\.isExclusive)
    let sounds = tiles.map(\.audio).filter(\.isExclusive)
    if let source = videos.firstRepeated?.description ?? sounds.firstRepeated?.description {
      throw ConfigurationError(
        settings: [.tile], what: "two tiles have the source \(source)", hint: "use it in one of them")
    }
    try require(
      video.source != .grid || tiles.contains { $0.video != .off }, .tile,
      what: "no tile has a picture", hint: "add one, or use --video off")
    try require(
      audio.source != .grid || tiles.contains { $0.audio != .off }, .tile,
      what: "no tile has sound", hint: "add one, or use --audio off")
    if let spotlight = programme.spotlight, stage == nil {
      try require(
        tiles.contains { $0.name == spotlight && $0.video != .off }, .spotlight,
        what: "there is no tile \(spotlight) with a picture", hint: "use the name of a tile")
    }
    try require(programme.transition, in: .zero...(.seconds(5)), .transition, "0 to 5s")
  }

  private func validateStage(besideGrid usesGrid: Bool) throws(ConfigurationError) {
    guard let stage else { return }
    try require(
      !usesGrid, .video, .audio, what: "a stage and a grid can't be mixed",
      hint: "choose stage:\(stage) for both")
    try require(
      [video.source.stage, audio.source.stage].allSatisfy { $0 == nil || $0 == stage }, .video, .audio,
      what: "picture and sound are of two sessions", hint: "choose stage:\(stage) for both")
  }
}

/// A tile of a programme as it is requested: `NAME=SOURCE`.
package struct TileRequest: Hashable, Sendable, CustomStringConvertible {
  package var name: String
  /// Off if the source has none.
  package let video: VideoSelection
  package let audio: AudioSelection

  package static let maxNameLength = 64

  /// SOURCE is that of a picture or of sound; one that has both gives both.
  package init(_ text: String) throws(InvalidValue) {
    guard let equals = text.firstIndex(of: "=") else {
      throw InvalidValue("a tile needs a name and a source", hint: "write NAME=SOURCE, as in Hall=camera")
    }
    let name = String(text[..<equals])
    let source = String(text[text.index(after: equals)...])
    guard !name.isEmpty, name.count <= Self.maxNameLength, name == name.printable,
      name.first?.isWhitespace == false, name.last?.isWhitespace == false, name != "none"
    else {
      throw InvalidValue("this is not a tile's name", hint: "use 1 to 64 printable characters, and not none")
    }
    if let problem = VideoSelection.problem(ofAddress: source) { throw problem }
    let (video, audio) = (VideoSelection(source), AudioSelection(source))
    guard video?.mayBeTile ?? false || audio?.mayBeTile ?? false else {
      throw InvalidValue(
        "this is not a tile's source",
        hint: "use camera, camera:DEVICE, mic, mic:DEVICE, screen, test, tone, file:PATH or an address")
    }
    self.name = name
    self.video = video ?? .off
    // The test picture has the test tone beside it.
    self.audio = audio ?? (video == .test ? .test : .off)
  }

  package init(name: String, video: VideoSelection, audio: AudioSelection) {
    (self.name, self.video, self.audio) = (name, video, audio)
  }

  var address: SourceAddress? { video.address ?? audio.address }

  /// An address with another query is that of the same source, with a new key.
  func hasSource(of other: TileRequest) -> Bool {
    if let address, let otherAddress = other.address {
      return address.isSamePlace(as: otherAddress)
        && (video.isNetwork, audio.isNetwork) == (other.video.isNetwork, other.audio.isNetwork)
    }
    return (video, audio) == (other.video, other.audio)
  }

  package var source: String { video == .off ? audio.description : video.description }

  /// Without keys and passwords.
  package var description: String { "\(name)=\(source)" }
}

extension SourceSelection {
  /// It can't be opened twice, or would cost twice as much.
  fileprivate var isExclusive: Bool {
    switch self {
    case .device, .network: true
    case .off, .test, .file, .screen, .supplied, .grid, .stage: false
    }
  }

  fileprivate var mayBeTile: Bool {
    switch self {
    case .device, .test, .file, .network, .screen: true
    case .off, .supplied, .grid, .stage: false
    }
  }
}

extension Array where Element: Hashable {
  fileprivate var firstRepeated: Element? {
    var known: Set<Element> = []
    return first { !known.insert($0).inserted }
  }
}
