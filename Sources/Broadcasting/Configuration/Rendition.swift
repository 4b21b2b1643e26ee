import HoldfastFFmpeg
package import HoldfastMediaModel

/// What an encode of the pictures has of its own; `Configuration.Video` supplies the rest.
package struct Rendition: Hashable, Sendable {
  package var size: PictureSize?
  package var bitrate: Int?
  package var encoder: EncoderChoice?

  package init() {}
}

/// The name of an encode of the pictures.
package enum RenditionID: Hashable, Sendable, CustomStringConvertible {
  /// As `Configuration.Video` says.
  case main
  /// The recording's own.
  case recording
  case named(String)
  /// Made for one output whose network can't carry the one that it shares.
  case own(output: String)

  package var description: String {
    switch self {
    case .main: "main"
    case .recording: "recording"
    case .named(let name): name
    case .own(let output): "\(Self.ownPrefix)\(output)"
    }
  }

  static let ownPrefix = "own-"

  var isOwn: Bool { if case .own = self { true } else { false } }
}

/// An encode of the pictures, and who uses it.
struct PlannedRendition: Hashable, Sendable {
  var id: RenditionID
  let size: PictureSize
  var bitrate: Int
  let encoders: [EncoderImplementation]
  var isRecorded = false
  /// The ids of the outputs.
  var outputs: [String] = []
  /// Receivers that the application supplies.
  var isSupplied = false

  /// Only viewers of the live stream use it.
  var isForViewers: Bool { !isRecorded && !isSupplied && outputs.isEmpty }

  /// The same encode for viewers alone.
  var forViewers: PlannedRendition {
    PlannedRendition(id: id, size: size, bitrate: bitrate, encoders: encoders)
  }

  /// Somebody else would notice what is done for one output.
  var isShared: Bool { users.count + (isSupplied ? 1 : 0) > 1 }

  /// As gaps name them.
  var users: [String] { (isRecorded ? [Gap.recording] : []) + outputs }

  fileprivate func isSameEncode(as other: PlannedRendition) -> Bool {
    (size, bitrate) == (other.size, other.bitrate) && encoders == other.encoders
  }
}

extension Configuration {
  /// The encodes that a broadcast needs, the main one first if it is among them. Users of equal ones share one.
  var plannedRenditions: [PlannedRendition] {
    guard video.source != .off, video.encoder != .copy else { return [] }
    var planned: [PlannedRendition] = []
    func add(_ id: RenditionID, _ add: (inout PlannedRendition) -> Void) {
      var new = plan(id)
      if let known = planned.firstIndex(where: { $0.isSameEncode(as: new) }) {
        add(&planned[known])
      } else {
        add(&new)
        planned.append(new)
      }
    }
    let outputs = zip(outputs.requests, outputIDs)
    for (request, output) in outputs where request.rendition == nil {
      add(.main) { $0.outputs.append(output) }
    }
    if !receivers.isEmpty { add(.main) { $0.isSupplied = true } }
    if recording.directory != nil { add(.recording) { $0.isRecorded = true } }
    for (request, output) in outputs {
      if let name = request.rendition { add(.named(name)) { $0.outputs.append(output) } }
    }
    return planned
  }

  /// What viewers may choose: an encode that is planned anyway if one is equal, otherwise one for viewers alone.
  var liveRenditions: LiveRenditions {
    var known = plannedRenditions
    guard let standard = known.first else { return LiveRenditions() }
    var live = LiveRenditions(standard: standard)
    for name in renditions.keys.sorted() {
      let new = plan(.named(name))
      let same = known.first { $0.isSameEncode(as: new) }
      if same == nil { known.append(new) }
      live.add(same ?? new, as: name)
    }
    return live
  }

  private func plan(_ id: RenditionID) -> PlannedRendition {
    let rendition = rendition(id)
    let isMain = recording.rendition == Rendition() && id == .recording
    return PlannedRendition(
      id: isMain ? .main : id, size: rendition.size ?? video.size,
      bitrate: rendition.bitrate ?? video.bitrate, encoders: encoders(for: rendition.encoder ?? video.encoder)
    )
  }

  private func rendition(_ id: RenditionID) -> Rendition {
    switch id {
    case .main: Rendition()
    case .recording: recording.rendition
    case .named(let name): renditions[name] ?? Rendition()
    case .own: Rendition()
    }
  }

  package func videoBitrate(of output: String) -> Int {
    plannedRenditions.first { $0.outputs.contains(output) }?.bitrate ?? video.bitrate
  }

  /// The largest of all pictures, at which the source is to deliver them.
  var capturedSize: PictureSize {
    let sizes = plannedRenditions.map(\.size)
    return video.captureSize ?? sizes.max { $0.area < $1.area } ?? video.size
  }
}
