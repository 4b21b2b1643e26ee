import Foundation
import TestSupport
import TestTraits
import Testing

/// Broadcasts started from a preview.
@Suite(.realTime) struct PreviewTests {
  private let folder = ScratchFolder()

  @Test func `a broadcast starts by command, and its end leads back to the preview`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try HoldfastSubject(
      environment: camera.environment,
      options: ["--video", "camera:\(camera.path)", "--size", "320x240", "--preview"], in: folder)
    #expect(subject.reports("previewing") && subject.reports("device"), "\(subject.log)")
    #expect(eventually { (try? subject.controlStatus()["state"] as? String) == "previewing" })
    #expect(folder.recordings.isEmpty && subject.events("starting").isEmpty)
    for round in 1...2 {
      try subject.ctl("start")
      #expect(subject.reports("live", times: round), "\(subject.log)")
      try subject.ctl("end")
      let isBack = subject.reports("previewing", times: round + 1)
      #expect(isBack && subject.reports("ended", times: round), "\(subject.log)")
    }
    #expect(try subject.ctl("stop").status == 0)
    subject.waitForEnd()
    #expect(folder.recordings.count == 2 && Set(subject.values("broadcast", of: "live")).count == 2)
    // The camera stays open, whereas the tone is opened for each broadcast.
    #expect(subject.events("device").filter { $0["track"] as? String == "video" }.count == 1)
    for path in folder.recordings { #expect(try RecordingMarks(path: path).pictureTimes.first == 0) }
  }

  @Test func `an interrupt while only previewing is not resumable`() throws {
    let subject = try HoldfastSubject(options: ["--preview"], in: folder)
    #expect(subject.reports("previewing"), "\(subject.log)")
    subject.signal(SIGUSR1)
    subject.signal(SIGUSR2)
    try subject.ctl("start")
    #expect(subject.reports("live"), "\(subject.log)")
    subject.finish()
    #expect(subject.events("interrupted").isEmpty && subject.events("resumed").isEmpty)
    #expect(subject.values("publishType", of: "live").first == "record")
  }

  @Test func `the loss of a camera during a preview interrupts nothing`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let subject = try HoldfastSubject(
      environment: camera.environment,
      options: ["--video", "camera:\(camera.path)", "--audio", "off", "--size", "320x240", "--preview"],
      in: folder)
    #expect(subject.reports("device"), "\(subject.log)")
    try camera.perform("lose")
    #expect(subject.reports("device", times: 2), "\(subject.log)")
    try camera.perform("return")
    #expect(subject.reports("device", times: 3), "\(subject.log)")
    try subject.ctl("start")
    #expect(subject.reports("live"), "\(subject.log)")
    subject.finish()
    #expect(subject.values("state", of: "device") == ["open", "lost", "back"])
    #expect(subject.events("interrupted").isEmpty)
  }
}
