internal import Glibc

/// The cameras, or the sound cards, that are there now, the best match first.
struct UdevListing {
  struct Entry: Hashable {
    let device: DeviceChange.Device
    let identity: DeviceIdentity
  }

  let entries: [Entry]

  static func cameras() -> UdevListing { UdevListing(subsystem: "video4linux", prefix: "video") }
  static func soundCards() -> UdevListing { UdevListing(subsystem: "sound", prefix: "card") }

  private init(subsystem: String, prefix: String) {
    var devices: [DeviceChange.Device] = []
    var identities: [DeviceIdentity] = []
    if let udev = Udev() {
      for path in udev.paths(in: subsystem, prefix: prefix) {
        guard let found = udev.device(at: path),
          let device = DeviceChange.Device(subsystem: subsystem, name: found.name)
        else { continue }
        devices.append(device)
        identities.append(DeviceIdentity(found))
      }
    }
    DeviceIdentity.markSharedSerials(&identities)
    entries = zip(devices, identities).map(Entry.init).sorted {
      ($0.identity.part, $0.device.number) < ($1.identity.part, $1.device.number)
    }
  }

  /// The identity of a device; by its own name where neither udev nor sysfs knows it.
  func identity(of device: DeviceChange.Device) -> DeviceIdentity {
    if let entry = entries.first(where: { $0.device == device }) { return entry.identity }
    let name =
      switch device {
      case .video(let path): path
      case .soundCard(let number): "card \(number)"
      }
    return DeviceIdentity(name: name, serial: nil, port: nil, path: name)
  }

  /// The file that `path` leads to.
  static func resolved(_ path: String) -> String {
    guard let raw = realpath(path, nil) else { return path }
    defer { free(raw) }
    return String(cString: raw)
  }
}

extension DeviceIdentity {
  /// From udev's database, and from sysfs where that is empty because no udevd runs.
  init(_ device: borrowing UdevDevice) {
    let isUSB = device.property("ID_BUS") == "usb"
    self.init(
      name: Self.known(device.attribute("name")) ?? Self.known(device.usbAttribute("product"))
        ?? Self.known(device.attribute("id")) ?? device.name,
      serial: Self.known(device.property("ID_SERIAL_SHORT"))
        ?? Self.known(isUSB ? device.property("ID_SERIAL") : nil)
        ?? Self.known(device.usbAttribute("serial")),
      port: Self.known(device.property("ID_PATH")) ?? device.usbInterface.map { "usb-" + $0 },
      path: device.parentPath ?? device.path,
      part: device.attribute("index").flatMap { Int($0) } ?? 0)
  }

  private static func known(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
