/// Identifies a camera or a sound card independently of its number.
package struct DeviceIdentity: Hashable, Sendable {
  package let name: String
  package let serial: String?
  package let port: String?
  /// The hardware's path in sysfs.
  let path: String
  /// The index of the part: a camera may have several video nodes, a sound card several PCMs.
  var part = 0
  /// Another device has the same serial number, as is common among cheap ones.
  var sharesSerial = false

  /// The serial number; the port where there is none or it is shared; else the path in sysfs. Parts after the first have a
  /// suffix, such as `#1`.
  package var id: String {
    let whole = (sharesSerial ? nil : serial) ?? port ?? path
    return part == 0 ? whole : "\(whole)#\(part)"
  }

  /// Whether `text` is its id, serial number, port or path in sysfs.
  func matches(_ text: String) -> Bool {
    text == id || text == serial || text == port || text == path
  }

  /// Marks devices whose serial number another device in another port has, too.
  static func markSharedSerials(_ identities: inout [DeviceIdentity]) {
    let places = Dictionary(grouping: identities, by: \.serial).mapValues {
      Set($0.map { $0.port ?? $0.path })
    }
    for index in identities.indices {
      guard let serial = identities[index].serial else { continue }
      identities[index].sharesSerial = (places[serial]?.count ?? 0) > 1
    }
  }
}

extension DeviceIdentity {
  /// The identity of the camera at a path such as `/dev/video0`, or a link to one.
  package static func ofVideo(path: String) -> DeviceIdentity {
    UdevListing.cameras().identity(of: .video(path: UdevListing.resolved(path)))
  }

  /// The same; nil for a camera that neither udev nor sysfs knows.
  package static func listedVideo(path: String) -> DeviceIdentity? {
    let device = DeviceChange.Device.video(path: UdevListing.resolved(path))
    return UdevListing.cameras().entries.first { $0.device == device }?.identity
  }

  /// The current path of the camera with this id, serial number or port.
  package static func videoPath(matching text: String) -> String? {
    for entry in UdevListing.cameras().entries {
      if case .video(let path) = entry.device, entry.identity.matches(text) { return path }
    }
    return nil
  }

  /// The current ALSA name of the microphone with this id, serial number or port.
  package static func pcm(matching text: String) -> String? {
    MicrophoneDescription.all().first { $0.identity.matches(text) }?.pcm
  }
}
