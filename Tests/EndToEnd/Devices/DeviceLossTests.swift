import Foundation
import TestSupport
import TestTraits
import Testing

/// Cameras and microphones that are lost during a broadcast and return.
@Suite(.realTime) struct DeviceLossTests {
  private let folder = ScratchFolder()

  private func subject(_ options: [String], _ environment: [String: String]) throws -> HoldfastSubject {
    try HoldfastSubject(environment: environment, options: ["--size", "320x240"] + options, in: folder)
      .whenLive()
  }

  /// The seconds of a track reported missing because of a device.
  private func lost(_ subject: HoldfastSubject, _ track: String) -> Double {
    subject.lines.lost(track) { $0["cause"] as? String == "device" }.reduce(0, +) / 1000
  }

  /// A finished broadcast whose device was lost by `fault` and returned.
  private func broadcast(
    _ options: [String], _ environment: [String: String], _ fault: String, says cause: String,
    make: (String) throws -> Void
  ) throws -> HoldfastSubject {
    let subject = try subject(options, environment)
    #expect(subject.play(1))
    try make(fault)
    #expect(subject.reports("device", "lost") && subject.play(1.5), "\(subject.log)")
    try make("return")
    #expect(subject.reports("device", "back") && subject.play(1), "\(subject.log)")
    subject.finish()
    let losses = subject.events("device").filter { $0["state"] as? String == "lost" }
    #expect((losses.first?["cause"] as? String)?.contains(cause) == true)
    #expect(subject.events("interrupted").isEmpty)
    #expect(subject.values("reason", of: "ended").first == "stopped" && folder.recordings.count == 1)
    return subject
  }

  @Test(arguments: [("lose", "No such device"), ("stall", "no picture for 1 s")])
  func `a slate replaces a lost camera until it returns`(fault: String, cause: String) throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try broadcast(
      ["--video", "camera:\(camera.path)"], camera.environment, fault, says: cause, make: camera.perform)
    // A frozen camera is detected after a second without a picture.
    let steps = try RecordingMarks(path: try #require(subject.recording)).steps
    let longest = (fault == "stall" ? 1.6 : 0.5) + subject.lines.picturesTooLate(of: "recording") / 30
    #expect(steps.allSatisfy { $0 > 0 && $0 < longest }, "\(steps.max() ?? 0)")
    #expect(lost(subject, "video") >= 1.5 && subject.lines.lost("audio").isEmpty)
  }

  @Test(arguments: [("lose", "Input/output error"), ("stall", "no sample for 1 s")])
  func `silence replaces a lost microphone until it returns`(fault: String, cause: String) throws {
    let microphone = try TestDevice.Microphone(in: folder)
    let subject = try broadcast(
      ["--audio", "mic:mic"], microphone.environment, fault, says: cause, make: microphone.perform)
    let marks = try RecordingMarks(path: try #require(subject.recording))
    // The sound has no gap and is as long as the picture.
    #expect(abs(marks.audioSeconds - (marks.pictureTimes.last ?? 0)) < 0.2)
    #expect(lost(subject, "audio") >= 1.5)
    #expect(marks.missingPictures <= subject.uncapturedPictures)
  }

  @Test func `the loss of the only device interrupts a broadcast, and its return resumes it`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(["--video", "camera:\(camera.path)", "--audio", "off"], camera.environment)
    #expect(subject.play(1))
    try camera.perform("lose")
    #expect(subject.reports("interrupted"), "\(subject.log)")
    #expect(subject.values("cause", of: "interrupted").first == "device")
    let stood = try subject.mediaTime()
    try camera.perform("return")
    #expect(subject.reports("resumed") && subject.play(1), "\(subject.log)")
    #expect(try subject.mediaTime() < stood + 10)
    subject.finish()
    #expect(folder.recordings.count == 1 && subject.events("live").count == 1)
    let gap = try #require(subject.events("gap").last)
    #expect(gap["cause"] as? String == "device" && lost(subject, "video") > 0)
    let steps = try RecordingMarks(path: try #require(subject.recording)).steps
    #expect(steps.allSatisfy { $0 > 0 && $0 < 0.6 + subject.lines.picturesTooLate(of: "recording") / 30 })
  }

  @Test func `after the loss of both devices, the first to return ends the interruption`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let microphone = try TestDevice.Microphone(in: folder)
    let subject = try subject(
      ["--video", "camera:\(camera.path)", "--audio", "mic:mic"],
      camera.environment.merging(microphone.environment) { $1 })
    #expect(subject.play(1))
    try camera.perform("lose")
    try microphone.perform("lose")
    #expect(subject.reports("interrupted"), "\(subject.log)")
    try microphone.perform("return")
    #expect(subject.reports("resumed") && subject.play(1), "\(subject.log)")
    #expect(subject.events("device").filter { $0["state"] as? String == "back" }.count == 1)
    try camera.perform("return")
    #expect(subject.reports("device", "back", times: 2) && subject.play(1), "\(subject.log)")
    subject.finish()
    #expect(folder.recordings.count == 1 && subject.events("live").count == 1)
    #expect(lost(subject, "video") > lost(subject, "audio"))
    let marks = try RecordingMarks(path: try #require(subject.recording))
    #expect(abs(marks.audioSeconds - (marks.pictureTimes.last ?? 0)) < 0.2)
  }

  @Test func `a broadcast waits for a camera missing on return from the background`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try subject(["--video", "camera:\(camera.path)", "--audio", "off"], camera.environment)
    try subject.ctl("background")
    #expect(subject.reports("ended"), "\(subject.log)")
    try camera.perform("lose")
    try subject.ctl("foreground")
    #expect(subject.reports("device", "lost") && subject.events("live").count == 1, "\(subject.log)")
    try camera.perform("return")
    #expect(subject.reports("live", times: 2), "\(subject.log)")
    subject.finish()
    #expect(folder.recordings.count == 2)
  }
}
