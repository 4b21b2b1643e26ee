/// A camera or a sound card that was plugged in or taken away.
package struct DeviceChange: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case came, went
  }

  package enum Device: Hashable, Sendable {
    case video(path: String)
    case soundCard(number: Int)
  }

  package let kind: Kind
  package let device: Device
  package let identity: DeviceIdentity
}

extension DeviceChange.Device {
  /// The device of that kernel name, such as `video0` or `card1`; nil where it is of another kind.
  init?(subsystem: String, name: String) {
    switch subsystem {
    case "video4linux":
      guard Self.number(in: name, after: "video") != nil else { return nil }
      self = .video(path: "/dev/" + name)
    case "sound":
      guard let number = Self.number(in: name, after: "card") else { return nil }
      self = .soundCard(number: number)
    default:
      return nil
    }
  }

  /// The number that the kernel gave it.
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
