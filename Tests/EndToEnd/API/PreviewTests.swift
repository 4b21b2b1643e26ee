import Foundation
import TestSupport
import TestTraits
import Testing

/// Broadcasts that are prepared first.
@Suite(.realTime) struct PreviewTests {
  private let folder = ScratchFolder()

  @Test func `a broadcast begins by command, and its end leads back to the preview`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try HoldfastSubject(
      environment: camera.environment,
      options: ["--video", "camera:\(camera.path)", "--size", "320x240", "--preview"], in: folder)
    #expect(subject.reports("previewing"), "\(subject.said)")
    #expect(subject.reports("device"), "\(subject.said)")
    #expect(eventually { (try? subject.controlStatus()["state"] as? String) == "previewing" })
    #expect(folder.recordings.isEmpty && subject.events("starting").isEmpty)
    for round in 1...2 {
      try subject.ctl("start")
      #expect(subject.reports("live", times: round), "\(subject.said)")
      try subject.ctl("end")
      #expect(subject.reports("previewing", times: round + 1), "\(subject.said)")
      #expect(subject.reports("ended", times: round), "\(subject.said)")
    }
    #expect(try subject.ctl("stop").status == 0)
    subject.waitForEnd()
    #expect(folder.recordings.count == 2)
    #expect(Set(subject.values("broadcast", of: "live")).count == 2)
    // The camera stayed open all the time, the tone was opened for each.
    #expect(subject.events("device").filter { $0["track"] as? String == "video" }.count == 1)
    for path in folder.recordings { #expect(try RecordingMarks(path: path).pictureTimes.first == 0) }
  }

  @Test func `an interrupt while only previewing is not resumable`() throws {
    let subject = try HoldfastSubject(options: ["--preview"], in: folder)
    #expect(subject.reports("previewing"), "\(subject.said)")
    subject.signal(SIGUSR1)
    subject.signal(SIGUSR2)
    try subject.ctl("start")
    #expect(subject.reports("live"), "\(subject.said)")
    subject.finish()
    #expect(subject.events("interrupted").isEmpty && subject.events("resumed").isEmpty)
    #expect(subject.values("publishType", of: "live").first == "record")
  }

  @Test func `a camera that is lost while previewing interrupts nothing`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try HoldfastSubject(
      environment: camera.environment,
      options: ["--video", "camera:\(camera.path)", "--audio", "off", "--size", "320x240", "--preview"],
      in: folder)
    #expect(subject.reports("device"), "\(subject.said)")
    try camera.make("lose")
    #expect(subject.reports("device", times: 2), "\(subject.said)")
    try camera.make("return")
    #expect(subject.reports("device", times: 3), "\(subject.said)")
    try subject.ctl("start")
    #expect(subject.reports("live"), "\(subject.said)")
    subject.finish()
    #expect(subject.values("state", of: "device") == ["open", "lost", "back"])
    #expect(subject.events("interrupted").isEmpty)
  }
}
