package import HoldfastMediaModel

/// The renditions that viewers of a broadcast may choose.
struct LiveRenditions: Sendable {
  /// What a viewer gets that chooses none.
  let standard: RenditionID
  /// Nothing else can be encoded for viewers.
  private(set) var encodes: [RenditionID: PlannedRendition] = [:]
  private var named: [String: RenditionID] = [:]

  /// Pictures that are copied, or none.
  init() { standard = .main }

  init(standard: PlannedRendition) {
    self.standard = standard.id
    encodes[standard.id] = standard
  }

  mutating func add(_ rendition: PlannedRendition, as name: String) {
    encodes[rendition.id] = rendition
    named[name] = rendition.id
  }

  var ids: Set<RenditionID> { Set(encodes.keys).union([standard]) }

  /// Nil for an unknown name.
  func id(_ name: String?) -> RenditionID? { name.map { named[$0] } ?? standard }

  /// The largest pictures first.
  var choices: [LiveChoice] {
    named.compactMap { name, id in
      encodes[id].map { LiveChoice(name: name, rendition: id, size: $0.size, bitrate: $0.bitrate) }
    }.sorted { ($1.size.area, $1.bitrate, $0.name) < ($0.size.area, $0.bitrate, $1.name) }
  }
}

/// A rendition that a viewer may ask for by its name.
package struct LiveChoice: Hashable, Sendable {
  package let name: String
  /// The encode that it is.
  package let rendition: RenditionID
  /// At most: a smaller camera has smaller pictures.
  package let size: PictureSize
  package let bitrate: Int
}
