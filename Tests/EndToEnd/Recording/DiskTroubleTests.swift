import Foundation
import Glibc
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Broadcasts whose recording's disk hangs, fails, is full or disappears. The server is never affected.
@Suite(.realTime) struct DiskTroubleTests {
  private let scratch = ScratchFolder()
  private let folder = ScratchFolder()
  private let server: NginxRTMP
  private let disk: TroubledDisk

  private static let stream = "disk"
  private static let writing = TroubledDisk.Calls.changing.subtracting(.sync)

  init() throws {
    server = try NginxRTMP(in: scratch)
    disk = try TroubledDisk(folder: folder.path, in: scratch)
  }

  private func start(_ options: String..., in place: String? = nil) throws -> HoldfastSubject {
    let subject = try HoldfastSubject(
      to: [server.url("typed", Self.stream)], environment: disk.environment(),
      options: ["--record", place ?? folder.path] + options, in: scratch)
    #expect(eventually { disk.status.bytesWritten > 60_000 }, "\(subject.log)")
    return subject
  }

  private func states(_ subject: HoldfastSubject) -> [String] {
    subject.values("state", of: "disk").filter { $0 != "low" }
  }

  private func waitFor(_ state: String, times: Int = 1, _ subject: HoldfastSubject) {
    #expect(eventually { states(subject).count { $0 == state } >= times }, "\(state): \(subject.log)")
  }

  /// Ends the broadcast after all queued data has been written.
  private func finish(_ subject: HoldfastSubject) {
    let bytes = disk.status.bytesWritten
    #expect(eventually { disk.status.bytesWritten > bytes + 100_000 }, "\(subject.log)")
    subject.finish()
  }

  private func expectWhole(_ path: String, _ subject: HoldfastSubject) throws {
    let media = try ServerMedia(path: path)
    let isWhole = media.missingPictures <= subject.uncapturedPictures && media.isMonotone
    #expect(isWhole, "\(path): \(media.report)\n\(subject.log)")
  }

  private func expectServerLacksNothing(_ subject: HoldfastSubject) throws {
    try expectWhole(server.recording("typed", Self.stream), subject)
  }

  private func lost(_ subject: HoldfastSubject, _ track: String) -> [Double] {
    subject.lines.lost(track) {
      $0["output"] as? String == "recording" && ["disk", "diskFailed"].contains($0["cause"] as? String)
    }
  }

  /// Expects a single recording with nothing missing, and the same at the server.
  private func expectWhole(_ subject: HoldfastSubject) throws {
    #expect(folder.recordings.count == 1)
    try expectWhole(#require(folder.recordings.first), subject)
    try expectServerLacksNothing(subject)
  }

  @Test func `a write that takes five seconds loses no media`() throws {
    let subject = try start()
    disk.stall(for: .seconds(5))
    #expect(disk.wait { $0.held > 0 })
    waitFor("slow", subject)
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0 && states(subject) == ["slow", "writing"], "\(subject.log)")
    try expectWhole(subject)
    let path = try #require(folder.recordings.first)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(disk.status.bytesWritten >= (try #require(size)) - 300 << 10, "not all writes are seen")
    #expect(disk.status.synced > 0 && disk.status.programs == 1)
  }

  @Test(arguments: [EIO, EROFS, ESTALE])
  func `data refused by a failing disk is written after its recovery`(code: Int32) throws {
    let subject = try start()
    disk.fail(code, Self.writing)
    waitFor("failed", subject)
    #expect(disk.wait { $0.failed > 3 })
    disk.heal()
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0 && states(subject) == ["failed", "writing"], "\(subject.log)")
    try expectWhole(subject)
  }

  @Test func `after a sync that failed another file continues the recording`() throws {
    let subject = try start()
    disk.fail(EIO, .sync)
    waitFor("failed", subject)
    disk.heal()
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0 && states(subject) == ["failed", "writing"], "\(subject.log)")
    let warning = "at its end may not be on the disk; recording continues in"
    #expect(subject.log.contains(warning), "\(subject.log)")
    let paths = folder.recordings.sorted { $0.count < $1.count }
    try #require(paths.count == 2, "\(subject.log)")
    for path in paths { try expectWhole(path, subject) }
    let (earlier, later) = (try ServerMedia(path: paths[0]).report, try ServerMedia(path: paths[1]).report)
    let missing = try #require(later.first).number - (try #require(earlier.last).number) - 1
    let told = lost(subject, "video").reduce(0, +)
    #expect(abs(Double(missing) * 1000 / 30 - told) < 34, "\(missing): \(subject.log)")
    try expectServerLacksNothing(subject)
  }

  @Test func `a state folder whose disk fails costs the broadcast nothing`() throws {
    let state = folder.file("state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    let disk = try TroubledDisk(folder: state, in: folder)
    let log = folder.file("log")
    let subject = try HoldfastSubject(
      to: [server.url("typed", Self.stream)],
      environment: disk.environment(beside: ["XDG_STATE_HOME": state]),
      options: ["--record", folder.path, "--segment", "1s", "--gop", "500ms"]
        + ["--on-segment", "echo \"$1\" >> '\(log)'"], in: scratch
    ).whenLive()
    disk.fail(EIO, .all)
    #expect(disk.wait { $0.failed > 5 })
    #expect(eventually(within: 60) { folder.recordings.count >= 4 }, "\(subject.log)")
    subject.finish()
    let isTold = subject.log.contains("the journal is incomplete: \(state)")
    #expect(subject.status == 0 && isTold, "\(subject.log)")
    for path in folder.recordings { try expectWhole(path, subject) }
    let hooked = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(Set(hooked) == Set(folder.recordings), "\(subject.log)")
    try expectServerLacksNothing(subject)
  }

  @Test func `a full disk finishes the file, and free space resumes it after one reported gap`() throws {
    let subject = try start("--disk-reserve", "64M", "--record-queue", "1s")
    disk.setFree(32 << 20)
    waitFor("full", subject)
    let path = try #require(folder.recordings.first)
    #expect(eventually { subject.events("recording").contains { $0["state"] as? String == "finished" } })
    // Meanwhile the file is finished.
    #expect(try Tool.probe(path).count == 2)
    usleep(2_500_000)
    disk.setFree(nil)
    waitFor("writing", subject)
    // The picture resumes at the next keyframe.
    #expect(eventually { !lost(subject, "video").isEmpty }, "\(subject.log)")
    finish(subject)
    #expect(subject.status == 0 && folder.recordings.count == 1, "\(subject.log)")
    let media = try ServerMedia(path: path)
    let told = lost(subject, "video")
    // A busy machine may leave out some more, as it says.
    let untold = Double(media.missingPictures) * 1000 / 30 - told.reduce(0, +)
    let busy = Double(subject.uncapturedPictures) * 1000 / 30
    #expect(told.count == 1 && told[0] > 500 && -34...(busy + 34) ~= untold, "\(subject.log)")
    #expect(lost(subject, "audio").count == 1 && media.isMonotone, "\(media.stepsBack)\n\(subject.log)")
    #expect(media.report.offsetSpread ?? 0 <= 20, "\(media.report)")
    try expectServerLacksNothing(subject)
  }

  @Test func `what waits for a full disk is written at the end if there is room above the reserve`() throws {
    let subject = try start("--disk-reserve", "64M")
    disk.setFree(32 << 20)
    waitFor("full", subject)
    let full = subject.events("disk").first { $0["state"] as? String == "full" }
    #expect(full?["freeBytes"] as? Int == 32 << 20 && full?["requiredBytes"] as? Int == 80 << 20)
    disk.setFree(65 << 20)
    subject.finish()
    #expect(subject.status == 0, "\(subject.log)")
    try expectWhole(subject)
  }

  @Test func `a write that fails for lack of space in spite of the reserve loses nothing`() throws {
    let subject = try start("--disk-reserve", "0")
    disk.fill(afterBytes: 1000)
    waitFor("full", subject)
    disk.heal()
    waitFor("writing", subject)
    finish(subject)
    #expect(subject.status == 0, "\(subject.log)")
    try expectWhole(subject)
  }

  @Test func `an end while the disk fails is reported, and the recording is whole`() throws {
    let subject = try start()
    disk.fail(EIO, Self.writing)
    waitFor("failed", subject)
    let failures = disk.status.failed
    #expect(disk.wait { $0.failed > failures + 2 })
    subject.finish()
    #expect(subject.status == 74 && !lost(subject, "video").isEmpty, "\(subject.log)")
    try expectWhole(subject)
  }

  @Test func `a deleted recording continues in another file`() throws {
    let subject = try start()
    let path = try #require(folder.recordings.first)
    unlink(path)
    #expect(eventually { folder.recordings.count == 1 }, "\(subject.log)")
    finish(subject)
    let second = try #require(folder.recordings.first)
    #expect(subject.status == 0 && second == path.replacing(".mp4", with: "-2.mp4"), "\(subject.log)")
    try expectWhole(second, subject)
    try expectServerLacksNothing(subject)
  }

  @Test func `a recording waits for its missing folder and then continues`() throws {
    let inner = folder.file("mounted")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let subject = try start(in: inner)
    rename(inner, folder.file("elsewhere"))
    waitFor("failed", subject)
    rename(folder.file("elsewhere"), inner)
    waitFor("writing", subject)
    finish(subject)
    let names = try FileManager.default.contentsOfDirectory(atPath: inner)
    #expect(subject.status == 0 && names.count == 1, "\(subject.log)")
    try expectWhole(inner + "/" + #require(names.first), subject)
    try expectServerLacksNothing(subject)
  }
}
