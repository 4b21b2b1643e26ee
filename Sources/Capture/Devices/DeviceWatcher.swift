import Glibc
import HoldfastCUdev
import HoldfastMediaModel
package import HoldfastPlatform

/// Reports cameras and sound cards that are plugged in or removed. A separate network namespace receives no
/// events, so lost devices should also be polled for.
package struct DeviceWatcher: ~Copyable {
  private let udev: Udev
  private let monitor: OpaquePointer
  private let source: UdevEvent.Source

  package init() throws(SystemError) {
    guard let udev = Udev() else { throw .last("udev_new") }
    let source: UdevEvent.Source = access("/run/udev/control", F_OK) == 0 ? .udev : .kernel
    guard let monitor = udev_monitor_new_from_netlink(udev.raw, source.rawValue) else {
      throw .last("udev_monitor_new_from_netlink")
    }
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "video4linux", nil)
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "sound", nil)
    let status = udev_monitor_enable_receiving(monitor)
    guard status >= 0 else {
      udev_monitor_unref(monitor)
      throw SystemError(operation: "udev_monitor_enable_receiving", code: -status)
    }
    self.udev = udev
    self.monitor = monitor
    self.source = source
  }

  deinit { udev_monitor_unref(monitor) }

  package func run(until stop: Wakeup, deliver: (DeviceChange) -> Void) throws(SystemError) {
    var known: [DeviceChange.Device: DeviceIdentity] = [:]
    for entry in UdevListing.cameras().entries + UdevListing.soundCards().entries {
      known[entry.device] = entry.identity
    }
    while true {
      switch try stop.poll([udev_monitor_get_fd(monitor)], until: .now + .seconds(60)) {
      case .signalled: return
      case .timedOut: continue
      case .ready: break
      }
      guard let event = nextEvent() else { continue }
      let listing =
        switch event.device {
        case .video: UdevListing.cameras()
        case .soundCard: UdevListing.soundCards()
        }
      let present = listing.identity(of: event.device)
      let isAdded = event.kind == .added
      let identity = isAdded ? present : known[event.device] ?? present
      known[event.device] = isAdded ? present : nil
      deliver(DeviceChange(kind: event.kind, device: event.device, identity: identity))
    }
  }

  private func nextEvent() -> UdevEvent? {
    guard let raw = udev_monitor_receive_device(monitor) else { return nil }
    let device = UdevDevice(owning: raw)
    return UdevEvent(action: device.action, subsystem: device.subsystem, name: device.name, source: source)
  }
}
