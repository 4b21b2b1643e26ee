import Foundation
import Glibc
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// What becomes of a broadcast whose recording's disk stands still, refuses, has no room, or has gone. Its server never
/// notices.
@Suite(.realTime) struct DiskTroubleTests {
  private let scratch = ScratchFolder()
  private let folder: ScratchFolder
  private let server: NginxRTMP
  private let disk: TroubledDisk

  private static let stream = "disk"

  init() throws {
    folder = ScratchFolder()
    server = try NginxRTMP(in: scratch)
    disk = try TroubledDisk(folder: folder.path, in: scratch)
  }

  private func start(_ options: String..., in place: String? = nil) throws -> HoldfastSubject {
    let subject = try HoldfastSubject(
      to: [server.url("typed", Self.stream)], environment: disk.environment(),
      options: ["--record", place ?? folder.path] + options, in: scratch)
    #expect(eventually { disk.status.bytesWritten > 60_000 }, "\(subject.said)")
    return subject
  }

  private func states(_ subject: HoldfastSubject) -> [String] {
    subject.values("state", of: "disk").filter { $0 != "low" }
  }

  private func waitFor(_ state: String, times: Int = 1, _ subject: HoldfastSubject) {
    #expect(
      eventually { states(subject).count { $0 == state } >= times }, "\(state): \(subject.said)")
  }

  /// Lets it run on until what waited is written, and ends it.
  private func finish(_ subject: HoldfastSubject) {
    let bytes = disk.status.bytesWritten
    #expect(eventually { disk.status.bytesWritten > bytes + 100_000 }, "\(subject.said)")
    subject.finish()
  }

  private func expectServerLacksNothing(_ subject: HoldfastSubject) throws {
    let media = try ServerMedia(path: server.recording("typed", Self.stream))
    #expect(media.report.missing.isEmpty && media.isMonotone, "\(media.report)\n\(subject.said)")
  }

  private func lost(_ subject: HoldfastSubject, _ track: String) -> [Double] {
    subject.lines.lost(track) { $0["output"] as? String == "recording" && $0["cause"] as? String == "disk" }
  }

  /// The only recording, from which nothing is missing.
  private func expectWhole(_ subject: HoldfastSubject) throws {
    #expect(folder.recordings.count == 1)
    let media = try ServerMedia(path: try #require(folder.recordings.first))
    #expect(media.report.missing.isEmpty && media.isMonotone, "\(media.report)\n\(subject.said)")
  }

  @Test func `a write that takes five seconds costs nothing`() throws {
    let subject = try start()
    disk.stall(for: .seconds(5))
    #expect(disk.wait { $0.held > 0 })
    waitFor("slow", subject)
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0 && states(subject) == ["slow", "writing"], "\(subject.said)")
    try expectWhole(subject)
    let path = try #require(folder.recordings.first)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(disk.status.bytesWritten >= (try #require(size)) - 300 << 10, "not all writes are seen")
    #expect(disk.status.synced > 0 && disk.status.programs == 1)
    try expectServerLacksNothing(subject)
  }

  @Test(arguments: [EIO, EROFS, ESTALE])
  func `what a disk refuses for a while is written when it takes it again`(code: Int32) throws {
    let subject = try start()
    disk.fail(code)
    waitFor("failed", subject)
    #expect(disk.wait { $0.failed > 3 })
    disk.heal()
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0 && states(subject) == ["failed", "writing"], "\(subject.said)")
    try expectWhole(subject)
    try expectServerLacksNothing(subject)
  }

  @Test func `a disk without room ends the file, and with room it goes on, as one told gap`() throws {
    let subject = try start("--disk-reserve", "64M", "--record-queue", "1s")
    disk.setFree(32 << 20)
    waitFor("full", subject)
    let path = try #require(folder.recordings.first)
    #expect(
      eventually { subject.events("recording").contains { $0["state"] as? String == "finished" } })
    // Whoever looks at it meanwhile finds a finished file.
    #expect(try Tool.probe(path).count == 2)
    usleep(2_500_000)
    disk.setFree(nil)
    waitFor("writing", subject)
    // The picture goes on with the next keyframe.
    #expect(eventually { !lost(subject, "video").isEmpty }, "\(subject.said)")
    finish(subject)
    #expect(subject.status == 0 && folder.recordings.count == 1, "\(subject.said)")
    let media = try ServerMedia(path: path)
    let missing = media.report.missing.reduce(0) { $0 + $1.count }
    let told = lost(subject, "video")
    #expect(
      told.count == 1 && missing > 15 && abs(Double(missing) * 1000 / 30 - (told.first ?? 0)) < 34,
      "\(subject.said)")
    #expect(lost(subject, "audio").count == 1)
    #expect(media.isMonotone, "\(media.stepsBack)")
    if let offset = media.report.offset { #expect(offset.maximum - offset.minimum <= 20, "\(media.report)") }
    try expectServerLacksNothing(subject)
  }

  @Test func `a write that finds no room in spite of the reserve is the same`() throws {
    let subject = try start("--disk-reserve", "0")
    disk.fill(afterBytes: 1000)
    waitFor("full", subject)
    disk.heal()
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0, "\(subject.said)")
    try expectWhole(subject)
    try expectServerLacksNothing(subject)
  }

  @Test func `one that ends while the disk refuses says so, and what is recorded is whole`() throws {
    let subject = try start()
    disk.fail(EIO)
    waitFor("failed", subject)
    let failures = disk.status.failed
    #expect(disk.wait { $0.failed > failures + 2 })
    subject.finish()
    #expect(subject.status == 74, "\(subject.said)")
    #expect(!lost(subject, "video").isEmpty, "\(subject.said)")
    try expectWhole(subject)
    try expectServerLacksNothing(subject)
  }

  @Test func `a recording that somebody deletes goes on in another file`() throws {
    let subject = try start()
    let path = try #require(folder.recordings.first)
    unlink(path)
    #expect(eventually { folder.recordings.count == 1 }, "\(subject.said)")
    finish(subject)
    let second = try #require(folder.recordings.first)
    #expect(subject.status == 0 && second == path.replacing(".mp4", with: "-2.mp4"), "\(subject.said)")
    #expect(try ServerMedia(path: second).report.missing.isEmpty)
    try expectServerLacksNothing(subject)
  }

  @Test func `a folder that has gone is waited for`() throws {
    let inner = folder.file("mounted")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let subject = try start(in: inner)
    rename(inner, folder.file("elsewhere"))
    waitFor("failed", subject)
    rename(folder.file("elsewhere"), inner)
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0, "\(subject.said)")
    let names = try FileManager.default.contentsOfDirectory(atPath: inner)
    #expect(names.count == 1)
    let media = try ServerMedia(path: inner + "/" + (try #require(names.first)))
    #expect(media.report.missing.isEmpty && media.isMonotone, "\(media.report)")
    try expectServerLacksNothing(subject)
  }
}
