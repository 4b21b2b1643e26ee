import HoldfastCUdev
import HoldfastPlatform

/// A libudev context for one thread.
struct Udev: ~Copyable {
  let raw: OpaquePointer

  init?() {
    guard let raw = udev_new() else { return nil }
    self.raw = raw
  }

  deinit { udev_unref(raw) }

  /// The sysfs paths of a subsystem's devices with a kernel name prefix.
  func paths(in subsystem: String, prefix: String) -> [String] {
    guard let enumerate = udev_enumerate_new(raw) else { return [] }
    defer { udev_enumerate_unref(enumerate) }
    udev_enumerate_add_match_subsystem(enumerate, subsystem)
    udev_enumerate_add_match_sysname(enumerate, prefix + "*")
    guard udev_enumerate_scan_devices(enumerate) >= 0 else { return [] }
    var paths: [String] = []
    var entry = udev_enumerate_get_list_entry(enumerate)
    while let current = entry {
      if let path = udev_list_entry_get_name(current) { paths.append(String(cString: path)) }
      entry = udev_list_entry_get_next(current)
    }
    return paths
  }

  func device(at path: String) -> UdevDevice? {
    udev_device_new_from_syspath(raw, path).map { UdevDevice(owning: $0) }
  }
}

/// A device in the udev database and sysfs.
struct UdevDevice: ~Copyable {
  private let raw: OpaquePointer

  init(owning raw: OpaquePointer) { self.raw = raw }

  deinit { udev_device_unref(raw) }

  var name: String { text(udev_device_get_sysname(raw)) ?? "" }
  var path: String { text(udev_device_get_devpath(raw)) ?? "" }
  var subsystem: String { text(udev_device_get_subsystem(raw)) ?? "" }
  var action: String { text(udev_device_get_action(raw)) ?? "" }
  var parentPath: String? { udev_device_get_parent(raw).flatMap { text(udev_device_get_devpath($0)) } }

  func property(_ key: String) -> String? { text(udev_device_get_property_value(raw, key)) }
  func attribute(_ key: String) -> String? { text(udev_device_get_sysattr_value(raw, key)) }

  /// A sysfs attribute of the parent USB device.
  func usbAttribute(_ key: String) -> String? {
    udev_device_get_parent_with_subsystem_devtype(raw, "usb", "usb_device")
      .flatMap { text(udev_device_get_sysattr_value($0, key)) }
  }

  /// The kernel name of the USB interface: `1-1.4:1.0` is port 4 of the hub on port 1 of bus 1.
  var usbInterface: String? {
    udev_device_get_parent_with_subsystem_devtype(raw, "usb", "usb_interface")
      .flatMap { text(udev_device_get_sysname($0)) }
  }

  private func text(_ raw: UnsafePointer<CChar>?) -> String? { raw.map { String(cString: $0) } }
}

/// The present cameras or sound cards, by part and number.
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
    guard let udev = Udev() else {
      entries = []
      return
    }
    for path in udev.paths(in: subsystem, prefix: prefix) {
      guard let found = udev.device(at: path),
        let device = DeviceChange.Device(subsystem: subsystem, name: found.name)
      else { continue }
      devices.append(device)
      identities.append(DeviceIdentity(found))
    }
    DeviceIdentity.markSharedSerials(&identities)
    entries = zip(devices, identities).map(Entry.init).sorted {
      ($0.identity.part, $0.device.number) < ($1.identity.part, $1.device.number)
    }
  }

  /// The identity of a device; only a name if the device is not listed.
  func identity(of device: DeviceChange.Device) -> DeviceIdentity {
    if let entry = entries.first(where: { $0.device == device }) { return entry.identity }
    let name =
      switch device {
      case .video(let path): path
      case .soundCard(let number): "card \(number)"
      }
    return DeviceIdentity(serial: nil, port: nil, path: name)
  }

  static func resolved(_ path: String) -> String { (try? realPath(path)) ?? path }
}

extension DeviceIdentity {
  /// Reads the udev database, or sysfs where udevd does not run.
  init(_ device: borrowing UdevDevice) {
    let isUSB = device.property("ID_BUS") == "usb"
    self.init(
      serial: Self.known(device.property("ID_SERIAL_SHORT"))
        ?? Self.known(isUSB ? device.property("ID_SERIAL") : nil)
        ?? Self.known(device.usbAttribute("serial")),
      port: Self.known(device.property("ID_PATH")) ?? device.usbInterface.map { "usb-" + $0 },
      path: device.parentPath ?? device.path,
      part: device.attribute("index").flatMap { Int($0) } ?? 0)
  }

  private static func known(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
