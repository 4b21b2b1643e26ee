import Testing

@testable import HoldfastCapture

@Suite struct DeviceIdentityTests {
  private static func camera(
    serial: String? = nil, port: String? = nil, path: String = "/devices/a", part: Int = 0
  ) -> DeviceIdentity {
    DeviceIdentity(serial: serial, port: port, path: path, part: part)
  }

  @Test(arguments: [
    (camera(serial: "S1", port: "P1"), "S1"), (camera(port: "P1"), "P1"), (camera(), "/devices/a"),
    (camera(serial: "S1", part: 1), "S1#1"), (camera(part: 2), "/devices/a#2"),
  ])
  func `a device id is the serial number, else the port, else the path`(
    identity: DeviceIdentity, id: String
  ) {
    #expect(identity.id == id)
  }

  @Test(arguments: [
    ("S1", true), ("S1#1", true), ("P1", true), ("/devices/a", true), ("s1", false), ("S", false),
    ("S1#2", false), ("", false), ("P", false), ("Camera", false),
  ])
  func `a device is found by any of its names and nothing else`(text: String, isFound: Bool) {
    #expect(Self.camera(serial: "S1", port: "P1", part: 1).matches(text) == isFound)
  }

  @Test func `devices with the same serial number are identified by their ports`() {
    var identities = [
      Self.camera(serial: "S1", port: "P1"), Self.camera(serial: "S1", port: "P1", part: 1),
      Self.camera(serial: "S2", port: "P2"), Self.camera(serial: "S2", port: "P3"),
      Self.camera(path: "/devices/b"), Self.camera(path: "/devices/c"),
    ]
    DeviceIdentity.markSharedSerials(&identities)
    #expect(identities.map(\.id) == ["S1", "S1#1", "P2", "P3", "/devices/b", "/devices/c"])
  }

  @Test func `a device unknown to udev and sysfs is identified by its own name`() {
    #expect(DeviceIdentity.ofVideo(path: "/dev/video4711").id == "/dev/video4711")
    #expect(UdevListing.soundCards().identity(of: .soundCard(number: 4711)).id == "card 4711")
    #expect(DeviceIdentity.videoPath(matching: "no such camera") == nil)
    #expect(DeviceIdentity.pcm(matching: "no such microphone") == nil)
  }
}

@Suite struct DeviceEventTests {
  @Test(
    arguments: [
      ("add", "video4linux", "video10", .udev, .added), ("add", "video4linux", "video10", .kernel, .added),
      ("remove", "video4linux", "video10", .udev, .removed),
      ("remove", "video4linux", "video10", .kernel, .removed),
      // A sound card has come when its last part is there, and gone when its first part is not.
      ("add", "sound", "controlC1", .kernel, .added), ("change", "sound", "card1", .udev, .added),
      ("add", "sound", "controlC1", .udev, nil), ("change", "sound", "card1", .kernel, nil),
      ("remove", "sound", "controlC1", .udev, .removed), ("remove", "sound", "controlC1", .kernel, .removed),
      ("remove", "sound", "card1", .udev, nil), ("remove", "sound", "card1", .kernel, nil),
    ] as [(String, String, String, UdevEvent.Source, DeviceChange.Kind?)])
  func `camera and sound card events are recognized as added or removed`(
    action: String, subsystem: String, name: String, source: UdevEvent.Source, kind: DeviceChange.Kind?
  ) {
    let event = UdevEvent(action: action, subsystem: subsystem, name: name, source: source)
    #expect(event?.kind == kind)
    let device =
      subsystem == "sound" ? DeviceChange.Device.soundCard(number: 1) : .video(path: "/dev/video10")
    #expect(event == nil || event?.device == device)
  }

  @Test(arguments: [
    ("add", "sound", "pcmC0D0c"), ("add", "sound", "card0"), ("add", "sound", "timer"),
    ("add", "usb", "video0"), ("add", "video4linux", "vbi0"), ("add", "video4linux", "v4l-subdev0"),
    ("add", "video4linux", "videox"), ("change", "video4linux", "video0"), ("bind", "video4linux", "video0"),
    ("", "", ""),
  ])
  func `events of other devices are ignored`(action: String, subsystem: String, name: String) {
    #expect(UdevEvent(action: action, subsystem: subsystem, name: name, source: .kernel) == nil)
    let udevAction = action == "change" ? "bind" : action
    #expect(UdevEvent(action: udevAction, subsystem: subsystem, name: name, source: .udev) == nil)
  }
}
