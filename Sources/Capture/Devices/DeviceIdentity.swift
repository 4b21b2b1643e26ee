/// Identifies a camera or sound card independently of its number.
package struct DeviceIdentity: Hashable, Sendable {
  package let serial: String?
  package let port: String?
  let path: String
  /// The index of the device's video node or PCM.
  var part = 0
  /// Whether another device has the same serial number, as cheap ones do.
  var sharesSerial = false

  /// The unique serial number, else the port, else the sysfs path; further parts have a suffix such as `#1`.
  package var id: String {
    let whole = (sharesSerial ? nil : serial) ?? port ?? path
    return part == 0 ? whole : "\(whole)#\(part)"
  }

  func matches(_ text: String) -> Bool { text == id || text == serial || text == port || text == path }

  /// Marks devices that share a serial number but not a port.
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
  /// The identity of the camera at a path such as `/dev/video0`, which may be a link.
  package static func ofVideo(path: String) -> DeviceIdentity {
    UdevListing.cameras().identity(of: .video(path: UdevListing.resolved(path)))
  }

  /// The identity of the camera at `path`; nil if neither udev nor sysfs lists it.
  package static func listedVideo(path: String) -> DeviceIdentity? {
    let device = DeviceChange.Device.video(path: UdevListing.resolved(path))
    return UdevListing.cameras().entries.first { $0.device == device }?.identity
  }

  /// The path of the camera with an ID, serial number, port or sysfs path.
  package static func videoPath(matching text: String) -> String? {
    for entry in UdevListing.cameras().entries {
      if case .video(let path) = entry.device, entry.identity.matches(text) { return path }
    }
    return nil
  }

  /// The ALSA name of the microphone with an ID, serial number, port or sysfs path.
  package static func pcm(matching text: String) -> String? {
    MicrophoneDescription.all().first { $0.identity.matches(text) }?.pcm
  }
}
