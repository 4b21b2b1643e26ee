/// A camera or sound card that was plugged in or removed.
package struct DeviceChange: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case added, removed }

  package enum Device: Hashable, Sendable {
    case video(path: String)
    case soundCard(number: Int)
  }

  package let kind: Kind
  package let device: Device
  package let identity: DeviceIdentity
}

extension DeviceChange.Device {
  /// The device with a kernel name, such as `video0` or `card1`; nil for other devices.
  init?(subsystem: String, name: String) {
    switch subsystem {
    case "video4linux":
      guard Self.number(in: name, after: "video") != nil else { return nil }
      self = .video(path: "/dev/" + name)
    case "sound":
      guard let number = Self.number(in: name, after: "card") else { return nil }
      self = .soundCard(number: number)
    default: return nil
    }
  }

  var number: Int {
    switch self {
    case .video(let path): Self.number(in: path, after: "/dev/video") ?? 0
    case .soundCard(let number): number
    }
  }

  private static func number(in name: String, after prefix: String) -> Int? {
    name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
  }
}

/// A device event from udev or the kernel.
struct UdevEvent: Hashable {
  /// udevd sends events after its rules have run; the kernel's events are used without udevd.
  enum Source: String { case udev, kernel }

  let kind: DeviceChange.Kind
  let device: DeviceChange.Device

  /// Nil unless a camera or a whole sound card was added or removed. A card's `controlC` is
  /// created last and removed first; udevd reports a change of the card once it is complete.
  init?(action: String, subsystem: String, name: String, source: Source) {
    let isControl = subsystem == "sound" && name.hasPrefix("controlC")
    let whole = isControl ? "card" + name.dropFirst("controlC".count) : name
    guard let device = DeviceChange.Device(subsystem: subsystem, name: whole) else { return nil }
    switch (device, action) {
    case (.video, "add"):
      kind = .added
    case (.video, "remove"):
      kind = .removed
    case (.soundCard, "remove") where isControl:
      kind = .removed
    case (.soundCard, "add") where isControl && source == .kernel:
      kind = .added
    case (.soundCard, "change") where !isControl && source == .udev:
      kind = .added
    default:
      return nil
    }
    self.device = device
  }
}
