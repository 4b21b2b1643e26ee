internal import CUdev
internal import MediaModel
public import Platform

/// A camera or a sound card that came or went.
public struct DeviceChange: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case came, went
  }

  public enum Device: Hashable, Sendable {
    case video(path: String)
    case soundCard(Int)
  }

  public let kind: Kind
  public let device: Device
  public let identity: DeviceIdentity
}

/// Tells when cameras and sound cards come and go.
public final class DeviceWatcher: @unchecked Sendable {  // the monitor is used by `run` alone
  private let monitor: OpaquePointer

  /// udev's own daemon tells when a device is ready to be used; without it (in a container) the kernel does.
  public init() throws(SystemError) {
    guard let library = udev_new() else { throw SystemError.last("udev_new") }
    defer { udev_unref(library) }
    let source = fileExists("/run/udev/control") ? "udev" : "kernel"
    guard let monitor = udev_monitor_new_from_netlink(library, source) else {
      throw SystemError.last("udev monitor")
    }
    self.monitor = monitor
    for subsystem in ["video4linux", "sound"] {
      udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
    }
    guard udev_monitor_enable_receiving(monitor) >= 0 else { throw SystemError.last("udev monitor") }
  }

  deinit {
    udev_monitor_unref(monitor)
  }

  /// Blocks until `stop` is signalled.
  public func run(until stop: StopSignal, deliver: (DeviceChange) -> Void) throws(SystemError) {
    let descriptor = udev_monitor_get_fd(monitor)
    while try stop.poll([descriptor], until: .now + .seconds(3600)) != .stopped {
      guard let raw = udev_monitor_receive_device(monitor) else { continue }
      if let change = Self.change(UdevDevice(owning: raw)) { deliver(change) }
    }
  }

  private static func change(_ device: consuming UdevDevice) -> DeviceChange? {
    let kind: DeviceChange.Kind
    switch device.action {
    case "add": kind = .came
    case "remove": kind = .went
    default: return nil
    }
    let identity = DeviceIdentity(of: device)
    let name = device.name
    if device.subsystem == "video4linux", name.hasPrefix("video") {
      return DeviceChange(kind: kind, device: .video(path: device.node ?? "/dev/" + name), identity: identity)
    }
    guard device.subsystem == "sound", name.hasPrefix("card"), let number = Int(name.dropFirst(4)) else {
      return nil
    }
    return DeviceChange(kind: kind, device: .soundCard(number), identity: identity)
  }
}
