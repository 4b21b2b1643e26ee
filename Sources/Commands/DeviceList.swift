import HoldfastCapture
import HoldfastMediaModel

/// The connected cameras and microphones, and the screen of `$DISPLAY`.
struct DeviceList: Hashable, Sendable {
  struct Camera: Hashable, Sendable {
    let path: String
    let name: String
    /// Stays the same when the camera is plugged in again or elsewhere.
    let id: String
    /// The supported modes, one line each.
    let modes: [String]
  }

  struct Microphone: Hashable, Sendable {
    let pcm: String
    let name: String
    let id: String
  }

  struct Screen: Hashable, Sendable {
    let display: String
    let size: String
  }

  let cameras: [Camera]
  let microphones: [Microphone]
  var screens: [Screen] = []
}

extension DeviceList {
  /// The connected devices, without the formats that libv4l2 emulates.
  static func connected() -> DeviceList {
    DeviceList(
      cameras: CameraDescription.all().map { camera in
        Camera(
          path: camera.path, name: camera.name, id: DeviceIdentity.ofVideo(path: camera.path).id,
          modes: camera.formats.filter { !$0.isEmulated }.map(\.summary))
      },
      microphones: MicrophoneDescription.all().map { microphone in
        Microphone(pcm: microphone.pcm, name: microphone.name, id: microphone.identity.id)
      },
      screens: ScreenTarget.current().map { [Screen(display: $0.display, size: "\($0.size)")] } ?? [])
  }

  var table: String {
    let width =
      (cameras.map(\.path) + microphones.map(\.pcm) + screens.map(\.display)).map(\.count).max() ?? 0
    func line(_ place: String, _ name: String, _ id: String) -> String {
      "  " + place.padded(to: width + 2) + name + (id.isEmpty ? "" : "  [\(id)]")
    }
    var lines = ["Cameras:"]
    for camera in cameras {
      lines.append(line(camera.path, camera.name, camera.id))
      lines += camera.modes.map { String(repeating: " ", count: width + 4) + $0 }
    }
    if cameras.isEmpty { lines.append("  none") }
    lines += ["", "Microphones:"]
    lines += microphones.map { line($0.pcm, $0.name, $0.id) }
    if microphones.isEmpty { lines.append("  none") }
    if !screens.isEmpty { lines += ["", "Screens:"] }
    lines += screens.map { line($0.display, $0.size, "") }
    return lines.joined(separator: "\n")
  }

  var json: String {
    let value: JSONValue = [
      "cameras": .list(
        cameras.map {
          [
            "path": .text($0.path), "name": .text($0.name), "id": .text($0.id),
            "modes": .list($0.modes.map(JSONValue.text)),
          ]
        }),
      "microphones": .list(
        microphones.map { ["pcm": .text($0.pcm), "name": .text($0.name), "id": .text($0.id)] }),
      "screens": .list(screens.map { ["display": .text($0.display), "size": .text($0.size)] }),
    ]
    return value.description
  }
}
