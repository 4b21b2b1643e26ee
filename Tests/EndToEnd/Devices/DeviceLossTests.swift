import Foundation
import TestSupport
import TestTraits
import Testing

/// Cameras and microphones that go away in the middle of a broadcast, and come back.
@Suite(.realTime) struct DeviceLossTests {
  private let folder = ScratchFolder()

  private func subject(_ options: [String], _ environment: [String: String]) throws -> HoldfastSubject {
    try HoldfastSubject(environment: environment, options: ["--size", "320x240"] + options, in: folder)
  }

  /// Seconds of a track that are said to be missing because of a device.
  private func lost(_ subject: HoldfastSubject, _ track: String) -> Double {
    subject.lines.lost(track) { $0["cause"] as? String == "device" }.reduce(0, +) / 1000
  }

  /// A broadcast whose device was lost in the middle, by `fault`, and came back.
  private func broadcast(
    _ options: [String], _ environment: [String: String], _ fault: String, says cause: String,
    make: (String) throws -> Void
  ) throws -> HoldfastSubject {
    let subject = try subject(options, environment)
    #expect(subject.reports("live"), "\(subject.said)")
    #expect(subject.play(1))
    try make(fault)
    #expect(subject.reports("device", "lost"), "\(subject.said)")
    #expect(subject.play(1.5))
    try make("return")
    #expect(subject.reports("device", "back"), "\(subject.said)")
    #expect(subject.play(1))
    subject.finish()
    let losses = subject.events("device").filter { $0["state"] as? String == "lost" }
    #expect((losses.first?["cause"] as? String)?.contains(cause) == true)
    #expect(subject.events("interrupted").isEmpty)
    #expect(subject.values("reason", of: "ended").first == "stopped" && folder.recordings.count == 1)
    return subject
  }

  @Test(arguments: [("lose", "No such device"), ("stall", "no picture for 1 s")])
  func `a slate stands in for a camera that goes, until it is back`(fault: String, cause: String) throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try broadcast(
      ["--video", "camera:\(camera.path)"], camera.environment, fault, says: cause, make: camera.make)
    // A frozen camera is noticed after a second, and its last picture stands still until then.
    let times = try RecordingMarks(path: try #require(subject.recording)).pictureTimes
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 > 0 && $0 < (fault == "stall" ? 1.6 : 0.5) }, "\(steps.max() ?? 0)")
    #expect(lost(subject, "video") >= 1.5 && subject.lines.lost("audio").isEmpty)
  }

  @Test(arguments: [("lose", "Input/output error"), ("stall", "no sample for 1 s")])
  func `silence stands in for a microphone that goes, until it is back`(fault: String, cause: String) throws {
    let microphone = try TestDevice.Microphone(in: folder)
    let subject = try broadcast(
      ["--audio", "mic:mic"], microphone.environment, fault, says: cause, make: microphone.make)
    let marks = try RecordingMarks(path: try #require(subject.recording))
    // Sound without a hole, as long as the picture.
    #expect(abs(marks.audioSeconds - (marks.pictureTimes.last ?? 0)) < 0.2)
    #expect(lost(subject, "audio") >= 1.5)
    #expect(marks.missingPictures <= subject.picturesNeverTaken)
  }

  @Test func `without its only device a broadcast is interrupted, and resumed when that is back`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(["--video", "camera:\(camera.path)", "--audio", "off"], camera.environment)
    #expect(subject.reports("live"), "\(subject.said)")
    #expect(subject.play(1))
    try camera.make("lose")
    #expect(subject.reports("interrupted"), "\(subject.said)")
    #expect(subject.values("cause", of: "interrupted").first == "device")
    let stood = try subject.mediaTime()
    try camera.make("return")
    #expect(subject.reports("resumed"), "\(subject.said)")
    #expect(subject.play(1))
    #expect(try subject.mediaTime() < stood + 10)
    subject.finish()
    #expect(folder.recordings.count == 1)
    #expect(subject.events("live").count == 1)
    let gap = try #require(subject.events("gap").last)
    #expect(gap["cause"] as? String == "device" && lost(subject, "video") > 0)
    let times = try RecordingMarks(path: try #require(subject.recording)).pictureTimes
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 < 0.6 })
  }

  @Test func `with both devices gone the first one that is back ends the interruption`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let microphone = try TestDevice.Microphone(in: folder)
    let subject = try subject(
      ["--video", "camera:\(camera.path)", "--audio", "mic:mic"],
      camera.environment.merging(microphone.environment) { $1 })
    #expect(subject.reports("live"), "\(subject.said)")
    #expect(subject.play(1))
    try camera.make("lose")
    try microphone.make("lose")
    #expect(subject.reports("interrupted"), "\(subject.said)")
    try microphone.make("return")
    #expect(subject.reports("resumed"), "\(subject.said)")
    #expect(subject.play(1))
    #expect(subject.events("device").filter { $0["state"] as? String == "back" }.count == 1)
    try camera.make("return")
    #expect(subject.reports("device", "back", times: 2), "\(subject.said)")
    #expect(subject.play(1))
    subject.finish()
    #expect(folder.recordings.count == 1 && subject.events("live").count == 1)
    #expect(lost(subject, "video") > lost(subject, "audio"))
    let marks = try RecordingMarks(path: try #require(subject.recording))
    #expect(abs(marks.audioSeconds - (marks.pictureTimes.last ?? 0)) < 0.2)
  }

  @Test func `a camera that is not there when a sleeper wakes is waited for`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(["--video", "camera:\(camera.path)", "--audio", "off"], camera.environment)
    #expect(subject.reports("live"), "\(subject.said)")
    try subject.ctl("background")
    #expect(subject.reports("ended"), "\(subject.said)")
    try camera.make("lose")
    try subject.ctl("foreground")
    #expect(subject.reports("device", "lost"), "\(subject.said)")
    #expect(subject.events("live").count == 1)
    try camera.make("return")
    #expect(subject.reports("live", times: 2), "\(subject.said)")
    subject.finish()
    #expect(folder.recordings.count == 2)
  }
}
