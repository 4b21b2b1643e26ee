import HoldfastBroadcasting
import HoldfastCapture
import HoldfastMediaModel

/// The sources that a broadcast can be switched to, as the control API lists them.
struct SourceList: Hashable, Sendable {
  struct Source: Hashable, Sendable {
    /// As written in options.
    let id: String
    let name: String
    /// Other spellings of `id`.
    var others: [String] = []

    func isMeant(by source: String) -> Bool { id == source || others.contains(source) }
  }

  private let cameras: [Source]
  private let microphones: [Source]
  private let video: String
  private let audio: String

  static func current(of broadcaster: Broadcaster, initial: Configuration) -> SourceList {
    SourceList(initial: initial, current: broadcaster.runningConfiguration ?? broadcaster.configuration)
  }

  private init(initial: Configuration, current: Configuration) {
    cameras = Self.with(
      initial.video.source.description,
      CameraDescription.all().map { camera in
        let id = DeviceIdentity.ofVideo(path: camera.path).id
        return Source(
          id: "camera:" + (id.isEmpty ? camera.path : id), name: camera.name,
          others: ["camera:" + camera.path])
      }
        + (ScreenTarget.current().map {
          [Source(id: "screen:" + $0.display, name: "screen \($0.display), \($0.size)", others: ["screen"])]
        } ?? []) + [Source(id: "test", name: "test picture")])
    microphones = Self.with(
      initial.audio.source.description,
      MicrophoneDescription.all().map { microphone in
        let (pcm, id) = (microphone.pcm, microphone.identity.id)
        return Source(id: "mic:" + (id.isEmpty ? pcm : id), name: microphone.name, others: ["mic:" + pcm])
      } + [Source(id: "tone", name: "test tone")])
    video = current.video.source.description
    audio = current.audio.source.description
  }

  /// `sources`, and `source` if it is missing: a file or a disconnected device.
  private static func with(_ source: String, _ sources: [Source]) -> [Source] {
    guard source != "off", !sources.contains(where: { $0.isMeant(by: source) }) else { return sources }
    return sources + [Source(id: source, name: name(of: source))]
  }

  private static func name(of source: String) -> String {
    switch source {
    case "camera": return "first camera"
    case "mic": return "first microphone"
    case let file where file.hasPrefix("file:"):
      return file.dropFirst(5).split(separator: "/").last.map(String.init) ?? file
    case let other: return other
    }
  }

  /// Whether the source is available, or was at the start, under any of its names.
  func has(_ source: String) -> Bool {
    ["camera", "mic"].contains(source) || (cameras + microphones).contains { $0.isMeant(by: source) }
  }

  var json: JSONValue {
    [
      "cameras": .list(Self.listed(cameras, inUse: video)),
      "microphones": .list(Self.listed(microphones, inUse: audio)),
    ]
  }

  /// The source in use is always listed.
  private static func listed(_ sources: [Source], inUse: String) -> [JSONValue] {
    with(inUse, sources).map { source in
      ["id": .text(source.id), "name": .text(source.name), "inUse": .bool(source.isMeant(by: inUse))]
    }
  }
}
