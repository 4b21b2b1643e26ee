/// What a camera or a sound card is known by, so that it is found again under another number.
package struct DeviceIdentity: Hashable, Sendable {
  package let name: String
  package let serial: String?
  /// The port that it is plugged into.
  package let port: String?
  /// The place of its hardware in sysfs.
  let path: String
  /// Which part of the hardware it is: a camera may have several video nodes, a sound card several PCMs.
  var part = 0
  /// Cheap devices are often sold with one serial number for all.
  var sharesSerial = false

  /// Its serial number; its port where it has none or shares it with another device; else its place in sysfs.
  /// The parts after the first have a `#` and a number behind it.
  package var id: String {
    let whole = (sharesSerial ? nil : serial) ?? port ?? path
    return part == 0 ? whole : "\(whole)#\(part)"
  }

  /// Whether `text` is its id, serial number, port or place in sysfs.
  package func matches(_ text: String) -> Bool {
    text == id || text == serial || text == port || text == path
  }

  /// Marks those whose serial number another one in another port has too.
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
  /// The identity of the camera behind a file such as `/dev/video0`, or behind a link to one.
  package static func ofVideo(path: String) -> DeviceIdentity {
    UdevListing.cameras().identity(of: .video(path: UdevListing.resolved(path)))
  }

  /// The same; nil where neither udev nor sysfs knows the camera.
  package static func listedVideo(path: String) -> DeviceIdentity? {
    let device = DeviceChange.Device.video(path: UdevListing.resolved(path))
    return UdevListing.cameras().entries.first { $0.device == device }?.identity
  }

  package static func ofSoundCard(_ number: Int) -> DeviceIdentity {
    UdevListing.soundCards().identity(of: .soundCard(number: number))
  }

  /// The file that the camera has now whose id, serial number or port this is.
  package static func videoPath(matching text: String) -> String? {
    for entry in UdevListing.cameras().entries {
      if case .video(let path) = entry.device, entry.identity.matches(text) { return path }
    }
    return nil
  }

  /// The ALSA name that the microphone has now whose id, serial number or port this is.
  package static func pcm(matching text: String) -> String? {
    MicrophoneDescription.all().first { $0.identity.matches(text) }?.pcm
  }
}
