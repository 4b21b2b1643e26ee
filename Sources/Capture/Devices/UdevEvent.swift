/// What a message of udev's or the kernel's means for us.
struct UdevEvent: Hashable {
  /// Who sends the messages: udevd, once its rules have run, or the kernel where there is no udevd.
  enum Source: String {
    case udev, kernel
  }

  let kind: DeviceChange.Kind
  let device: DeviceChange.Device

  /// Nil for what is neither the coming nor the going of a camera or a whole sound card.
  ///
  /// The last part of a sound card that the kernel makes, and the first that it takes away, is its
  /// `controlC`; udevd is done with the card when it announces a change of it.
  init?(action: String, subsystem: String, name: String, source: Source) {
    let isControl = subsystem == "sound" && name.hasPrefix("controlC")
    let whole = isControl ? "card" + name.dropFirst("controlC".count) : name
    guard let device = DeviceChange.Device(subsystem: subsystem, name: whole) else { return nil }
    switch (device, action) {
    case (.video, "add"):
      kind = .came
    case (.video, "remove"):
      kind = .went
    case (.soundCard, "remove") where isControl:
      kind = .went
    case (.soundCard, "add") where isControl && source == .kernel:
      kind = .came
    case (.soundCard, "change") where !isControl && source == .udev:
      kind = .came
    default:
      return nil
    }
    self.device = device
  }
}
