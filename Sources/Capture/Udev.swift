internal import CUdev

/// A device as udev knows it, or as sysfs shows it where udev does not run.
struct UdevDevice: ~Copyable {
  private let raw: OpaquePointer

  /// The device of a subsystem by its name: `video4linux`, `video0`.
  init?(subsystem: String, name: String) {
    guard let library = udev_new() else { return nil }
    defer { udev_unref(library) }
    guard let raw = udev_device_new_from_subsystem_sysname(library, subsystem, name) else { return nil }
    self.raw = raw
  }

  /// Takes over `raw`.
  init(owning raw: OpaquePointer) {
    self.raw = raw
  }

  deinit {
    udev_device_unref(raw)
  }

  func property(_ name: String) -> String? {
    udev_device_get_property_value(raw, name).map { String(cString: $0) }
  }

  var name: String { String(cString: udev_device_get_sysname(raw)) }
  var subsystem: String { udev_device_get_subsystem(raw).map { String(cString: $0) } ?? "" }
  var action: String { udev_device_get_action(raw).map { String(cString: $0) } ?? "" }
  var path: String { String(cString: udev_device_get_devpath(raw)) }
  var node: String? { udev_device_get_devnode(raw).map { String(cString: $0) } }

  /// An attribute of the USB device that it belongs to.
  func usbAttribute(_ name: String) -> String? {
    guard let parent = udev_device_get_parent_with_subsystem_devtype(raw, "usb", "usb_device") else {
      return nil
    }
    return udev_device_get_sysattr_value(parent, name).map { String(cString: $0) }
  }

  var usbPort: String? {
    udev_device_get_parent_with_subsystem_devtype(raw, "usb", "usb_device")
      .flatMap { udev_device_get_sysname($0) }.map { "usb-" + String(cString: $0) }
  }
}
