internal import HoldfastCUdev

/// libudev's context. It belongs to one thread.
struct Udev: ~Copyable {
  let raw: OpaquePointer

  init?() {
    guard let raw = udev_new() else { return nil }
    self.raw = raw
  }

  deinit {
    udev_unref(raw)
  }

  /// The paths in sysfs of a subsystem's devices whose kernel names begin with `prefix`.
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

/// What udev's database and sysfs say of a device.
struct UdevDevice: ~Copyable {
  private let raw: OpaquePointer

  init(owning raw: OpaquePointer) {
    self.raw = raw
  }

  deinit {
    udev_device_unref(raw)
  }

  /// Its kernel name, such as `video0`.
  var name: String { text(udev_device_get_sysname(raw)) ?? "" }
  /// Its path below `/sys`.
  var path: String { text(udev_device_get_devpath(raw)) ?? "" }
  var subsystem: String { text(udev_device_get_subsystem(raw)) ?? "" }
  /// Its file in `/dev`.
  var node: String? { text(udev_device_get_devnode(raw)) }
  /// What has just happened to it, where it came from a monitor.
  var action: String { text(udev_device_get_action(raw)) ?? "" }
  var parentPath: String? { udev_device_get_parent(raw).flatMap { text(udev_device_get_devpath($0)) } }

  func property(_ key: String) -> String? { text(udev_device_get_property_value(raw, key)) }
  func attribute(_ key: String) -> String? { text(udev_device_get_sysattr_value(raw, key)) }

  /// An attribute of the USB device that it is a part of.
  func usbAttribute(_ key: String) -> String? {
    guard let parent = udev_device_get_parent_with_subsystem_devtype(raw, "usb", "usb_device") else {
      return nil
    }
    return text(udev_device_get_sysattr_value(parent, key))
  }

  /// The kernel name of its USB interface, which is its port: `1-1.4:1.0` is port 4 of the hub on port 1 of
  /// bus 1.
  var usbInterface: String? {
    guard let parent = udev_device_get_parent_with_subsystem_devtype(raw, "usb", "usb_interface") else {
      return nil
    }
    return text(udev_device_get_sysname(parent))
  }

  private func text(_ raw: UnsafePointer<CChar>?) -> String? {
    raw.map { String(cString: $0) }
  }
}
