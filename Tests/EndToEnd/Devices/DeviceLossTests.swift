import Foundation
import TestSupport
import TestTraits
import Testing

/// Cameras and microphones that go away in the middle of a broadcast, and come back.
@Suite(.realTime) struct DeviceLossTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func subject(
    _ options: [String], _ environment: [String: String]
  ) throws -> HoldfastSubject {
    try HoldfastSubject(
      to: [], environment: environment, options: ["--size", "320x240"] + options, in: folder)
  }

  private func wait(_ subject: HoldfastSubject, _ event: String, _ state: String? = nil, times: Int = 1)
    -> Bool
  {
    HoldfastSubject.wait {
      subject.events(event).count { state == nil || $0["state"] as? String == state } >= times
    }
  }

  /// Seconds of a track that are said to be missing because of a device.
  private func lost(_ subject: HoldfastSubject, _ track: String) -> Double {
    subject.events("gap").filter { $0["cause"] as? String == "device" }.reduce(0) {
      $0 + (($1["lostMs"] as? [String: Double])?[track] ?? 0) / 1000
    }
  }

  @Test(arguments: [("lose", "No such device"), ("stall", "no picture for 1 s")])
  func `a slate stands in for a camera that goes, until it is back`(fault: String, cause: String) throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(["--video", "camera:\(camera.path)"], camera.environment)
    #expect(wait(subject, "live"), "\(subject.said)")
    #expect(subject.play(1))
    try camera.make(fault)
    #expect(wait(subject, "device", "lost"), "\(subject.said)")
    #expect(subject.play(1.5))
    try camera.make("return")
    #expect(wait(subject, "device", "back"), "\(subject.said)")
    #expect(subject.play(1))
    subject.finish()
    #expect(
      (subject.events("device").first { $0["state"] as? String == "lost" }?["cause"] as? String)?.contains(
        cause) == true)
    #expect(
      subject.events("interrupted").isEmpty
        && subject.events("ended").first?["reason"] as? String == "stopped")
    #expect(folder.recordings.count == 1)
    // A frozen camera is noticed after a second, and its last picture stands still until then.
    let times = try RecordingMarks(path: try #require(subject.recording)).pictureTimes
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 > 0 && $0 < (fault == "stall" ? 1.6 : 0.5) }, "\(steps.max() ?? 0)")
    #expect(lost(subject, "video") >= 1.5)
    #expect(subject.events("gap").allSatisfy { ($0["lostMs"] as? [String: Double])?["audio"] == nil })
  }

  @Test(arguments: [("lose", "Input/output error"), ("stall", "no sample for 1 s")])
  func `silence stands in for a microphone that goes, until it is back`(fault: String, cause: String) throws {
    let microphone = try TestDevice.Microphone(in: folder)
    let subject = try subject(["--audio", "mic:mic"], microphone.environment)
    #expect(wait(subject, "live"), "\(subject.said)")
    #expect(subject.play(1))
    try microphone.make(fault)
    #expect(wait(subject, "device", "lost"), "\(subject.said)")
    #expect(subject.play(1.5))
    try microphone.make("return")
    #expect(wait(subject, "device", "back"), "\(subject.said)")
    #expect(subject.play(1))
    subject.finish()
    #expect(
      (subject.events("device").first { $0["state"] as? String == "lost" }?["cause"] as? String)?.contains(
        cause) == true)
    #expect(subject.events("interrupted").isEmpty)
    let marks = try RecordingMarks(path: try #require(subject.recording))
    // Sound without a hole, as long as the picture.
    #expect(abs(marks.audioSeconds - (marks.pictureTimes.last ?? 0)) < 0.2)
    #expect(lost(subject, "audio") >= 1.5)
    #expect(marks.missingPictures <= subject.picturesNeverTaken)
  }

  @Test func `without its only device a broadcast is interrupted, and resumed when that is back`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(["--video", "camera:\(camera.path)", "--audio", "off"], camera.environment)
    #expect(wait(subject, "live"), "\(subject.said)")
    #expect(subject.play(1))
    try camera.make("lose")
    #expect(wait(subject, "interrupted"), "\(subject.said)")
    #expect(subject.events("interrupted").first?["cause"] as? String == "device")
    let stood = try subject.mediaTime()
    try camera.make("return")
    #expect(wait(subject, "resumed"), "\(subject.said)")
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
    #expect(wait(subject, "live"), "\(subject.said)")
    #expect(subject.play(1))
    try camera.make("lose")
    try microphone.make("lose")
    #expect(wait(subject, "interrupted"), "\(subject.said)")
    try microphone.make("return")
    #expect(wait(subject, "resumed"), "\(subject.said)")
    #expect(subject.play(1))
    #expect(subject.events("device").filter { $0["state"] as? String == "back" }.count == 1)
    try camera.make("return")
    #expect(wait(subject, "device", "back", times: 2), "\(subject.said)")
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
    #expect(wait(subject, "live"), "\(subject.said)")
    try subject.ctl("background")
    #expect(wait(subject, "ended"), "\(subject.said)")
    try camera.make("lose")
    try subject.ctl("foreground")
    #expect(wait(subject, "device", "lost"), "\(subject.said)")
    #expect(subject.events("live").count == 1)
    try camera.make("return")
    #expect(wait(subject, "live", times: 2), "\(subject.said)")
    subject.finish()
    #expect(folder.recordings.count == 2)
  }
}
