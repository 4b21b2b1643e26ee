internal import Broadcasting
internal import Capture
internal import MediaModel

/// The sources that a broadcast could be switched to, as the control API lists them.
struct SourceList: Hashable, Sendable {
  struct Source: Hashable, Sendable {
    /// As options write it.
    let id: String
    let name: String
    /// Other ways to write it.
    var others: [String] = []

    func isMeant(by source: String) -> Bool { id == source || others.contains(source) }
  }

  private let cameras: [Source]
  private let microphones: [Source]
  private let video: String
  private let audio: String

  static func now(of broadcaster: Broadcaster) -> SourceList {
    SourceList(.thoseThere(), broadcaster.runningConfiguration ?? broadcaster.configuration)
  }

  init(_ devices: ListedDevices, _ configuration: Configuration) {
    cameras =
      devices.cameras.map {
        Source(
          id: "camera:" + ($0.id.isEmpty ? $0.path : $0.id), name: $0.name, others: ["camera:" + $0.path])
      } + [Source(id: "test", name: "test picture")]
    microphones =
      devices.microphones.map {
        Source(id: "mic:" + ($0.id.isEmpty ? $0.pcm : $0.id), name: $0.name, others: ["mic:" + $0.pcm])
      } + [Source(id: "tone", name: "test tone")]
    video = configuration.video.description
    audio = configuration.audio.description
  }

  /// Whether somebody may choose it who has no other way to the machine.
  func offers(_ source: String) -> Bool {
    ["camera", "mic"].contains(source) || (cameras + microphones).contains { $0.isMeant(by: source) }
  }

  var json: JSONValue {
    [
      "cameras": .list(Self.listed(cameras, inUse: video)),
      "microphones": .list(Self.listed(microphones, inUse: audio)),
    ]
  }

  /// What is in use is in the list, whatever it is: a file, or a device that is away.
  private static func listed(_ sources: [Source], inUse: String) -> [JSONValue] {
    let isThere = inUse == "off" || sources.contains { $0.isMeant(by: inUse) }
    return (sources + (isThere ? [] : [Source(id: inUse, name: inUse)])).map { source in
      [
        "id": .text(source.id), "name": .text(source.name), "inUse": .bool(source.isMeant(by: inUse)),
      ]
    }
  }
}
