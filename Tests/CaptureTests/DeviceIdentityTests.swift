import Testing

@testable import HoldfastCapture

@Suite struct DeviceIdentityTests {
  private static func camera(
    serial: String? = nil, port: String? = nil, path: String = "/devices/a", part: Int = 0
  ) -> DeviceIdentity {
    DeviceIdentity(name: "Camera", serial: serial, port: port, path: path, part: part)
  }

  @Test(arguments: [
    (camera(serial: "S1", port: "P1"), "S1"), (camera(port: "P1"), "P1"), (camera(), "/devices/a"),
    (camera(serial: "S1", part: 1), "S1#1"), (camera(part: 2), "/devices/a#2"),
  ])
  func `it goes by its serial number, else its port, else its place`(identity: DeviceIdentity, id: String) {
    #expect(identity.id == id)
  }

  @Test(arguments: ["S1", "S1#1", "P1", "/devices/a"])
  func `it is found by each of its names`(text: String) {
    #expect(Self.camera(serial: "S1", port: "P1", part: 1).matches(text))
  }

  @Test(arguments: ["s1", "S", "S1#2", "", "P", "Camera"])
  func `it is not found by what only looks like one`(text: String) {
    #expect(!Self.camera(serial: "S1", port: "P1", part: 1).matches(text))
  }

  @Test func `devices that share a serial number go by their ports`() {
    var identities = [
      Self.camera(serial: "S1", port: "P1"), Self.camera(serial: "S1", port: "P1", part: 1),
      Self.camera(serial: "S2", port: "P2"), Self.camera(serial: "S2", port: "P3"),
      Self.camera(path: "/devices/b"), Self.camera(path: "/devices/c"),
    ]
    DeviceIdentity.markSharedSerials(&identities)
    #expect(identities.map(\.id) == ["S1", "S1#1", "P2", "P3", "/devices/b", "/devices/c"])
  }

  @Test func `what neither udev nor sysfs knows goes by its own name`() {
    #expect(DeviceIdentity.ofVideo(path: "/dev/video4711").id == "/dev/video4711")
    #expect(DeviceIdentity.ofSoundCard(4711).id == "card 4711")
    #expect(DeviceIdentity.videoPath(matching: "no such camera") == nil)
    #expect(DeviceIdentity.pcm(matching: "no such microphone") == nil)
  }
}

@Suite struct DeviceEventTests {
  private static func event(
    _ action: String, _ subsystem: String, _ name: String, _ source: UdevEvent.Source = .kernel
  ) -> UdevEvent? {
    UdevEvent(action: action, subsystem: subsystem, name: name, source: source)
  }

  @Test(arguments: [UdevEvent.Source.udev, .kernel])
  private func `a camera comes and goes with its node`(source: UdevEvent.Source) {
    let came = Self.event("add", "video4linux", "video10", source)
    #expect(came?.kind == .came)
    #expect(came?.device == .video(path: "/dev/video10"))
    #expect(Self.event("remove", "video4linux", "video10", source)?.kind == .went)
  }

  @Test func `a sound card has come when its last part is there`() {
    #expect(Self.event("add", "sound", "controlC1", .kernel)?.kind == .came)
    #expect(Self.event("add", "sound", "controlC1", .kernel)?.device == .soundCard(number: 1))
    #expect(Self.event("change", "sound", "card1", .udev)?.kind == .came)
    #expect(Self.event("change", "sound", "card1", .udev)?.device == .soundCard(number: 1))
    #expect(Self.event("add", "sound", "controlC1", .udev) == nil)
    #expect(Self.event("change", "sound", "card1", .kernel) == nil)
  }

  @Test(arguments: [UdevEvent.Source.udev, .kernel])
  private func `a sound card has gone when its first part is not there`(source: UdevEvent.Source) {
    #expect(Self.event("remove", "sound", "controlC2", source)?.kind == .went)
    #expect(Self.event("remove", "sound", "card2", source) == nil)
  }

  @Test(arguments: [
    ("add", "sound", "pcmC0D0c"), ("add", "sound", "card0"), ("add", "sound", "timer"),
    ("add", "usb", "video0"),
    ("add", "video4linux", "vbi0"), ("add", "video4linux", "v4l-subdev0"), ("add", "video4linux", "videox"),
    ("change", "video4linux", "video0"), ("bind", "video4linux", "video0"), ("", "", ""),
  ])
  func `nothing else is a device of ours`(action: String, subsystem: String, name: String) {
    #expect(Self.event(action, subsystem, name) == nil)
    #expect(Self.event(action == "change" ? "bind" : action, subsystem, name, .udev) == nil)
  }
}
