internal import Platform

/// What stays the same of a device when it is unplugged and comes back under another number.
public struct DeviceIdentity: Hashable, Sendable {
  /// The serial number, else the port that it is plugged into, else its place in sysfs.
  public let id: String

  /// The device behind `/dev/videoN`; for any other path the path itself.
  public static func ofVideo(path: String) -> DeviceIdentity {
    let name = String(path.split(separator: "/").last ?? "")
    guard path == "/dev/" + name, let device = UdevDevice(subsystem: "video4linux", name: name) else {
      return DeviceIdentity(id: path)
    }
    return DeviceIdentity(of: device)
  }

  public static func ofSoundCard(_ number: Int) -> DeviceIdentity {
    guard let device = UdevDevice(subsystem: "sound", name: "card\(number)") else {
      return DeviceIdentity(id: "card\(number)")
    }
    return DeviceIdentity(of: device)
  }

  init(of device: borrowing UdevDevice) {
    id =
      device.property("ID_SERIAL_SHORT") ?? device.usbAttribute("serial") ?? device.property("ID_PATH")
      ?? device.usbPort ?? Self.stablePart(of: device.path)
  }

  private init(id: String) {
    self.id = id
  }

  /// The path in sysfs up to where the kernel's numbers begin.
  private static func stablePart(of path: String) -> String {
    let parts = path.split(separator: "/")
    let end = parts.firstIndex { $0 == "video4linux" || $0 == "sound" } ?? parts.count
    return parts[..<end].dropFirst().joined(separator: "/")
  }

  /// The camera with this identity, wherever it is now.
  public static func videoPath(matching id: String) -> String? {
    CameraDescription.all().first { ofVideo(path: $0.path).id == id }?.path
  }

  /// The microphone with this identity, wherever it is now.
  public static func pcm(matching id: String) -> String? {
    MicrophoneDescription.all().first { $0.identity.id == id }?.pcm
  }
}
