import Foundation
import Glibc
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// `holdfast verify` and `holdfast repair` on recordings of `holdfast publish`.
@Suite(.realTime) struct CheckingTests {
  private let folder = ScratchFolder()
  private var environment: [String: String] { ["XDG_STATE_HOME": folder.file("state")] }

  private func record() throws -> String {
    try FinishedBroadcast(["--size", "320x240", "--duration", "4s"], in: folder, environment: environment)
      .path
  }

  /// A recording without its end, and what is left of it.
  private func recordTorn() throws -> (path: String, bytes: Data) {
    let path = try record()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let torn = whole.prefix(whole.count * 7 / 10)
    try torn.write(to: URL(fileURLWithPath: path))
    return (path, torn)
  }

  private func verify(_ path: String) throws -> (status: Int32, found: [String: Any]) {
    let result = try HoldfastProcess.run(["verify", path, "--json"], environment: environment)
    let found = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    return (result.status, try #require(found, "\(result.output)\(result.errors)"))
  }

  @Test func `an intact recording matches its journal`() throws {
    let (status, found) = try verify(try record())
    #expect(status == 0 && found["ok"] as? Bool == true, "\(found)")
    #expect(found["journal"] is String && found["marks"] is [String: Any], "\(found)")
    #expect((found["index"] as? [String: Any])?["state"] as? String == "right")
  }

  @Test func `a truncated recording is repaired and can be decoded`() throws {
    let (path, _) = try recordTorn()
    #expect(try verify(path).status == 65)
    let repair = try HoldfastProcess.run(["repair", path])
    #expect(repair.status == 0, "\(repair.errors)")
    let repaired = path.replacing(".mp4", with: "-repaired.mp4")
    let (status, found) = try verify(repaired)
    #expect(status == 0, "\(found)")
    let marks = try RecordingMarks(path: repaired)
    #expect(marks.report.unreadable == 0 && marks.report.goingBack == 0 && marks.pictures.count > 60)
    let again = try HoldfastProcess.run(["repair", repaired])
    #expect(again.status == 0 && again.output.contains("nothing to repair"))
  }

  @Test(arguments: [["repair"], ["repair", "--in-place"], ["export", "--output"]])
  func `a file that can't get its name is reported, and costs nothing`(command: [String]) throws {
    let (path, torn) = try recordTorn()
    let arguments = command + (command.contains("export") ? [folder.file("out.mp4"), path] : [path])
    let control = ScratchFolder()
    let disk = try TroubledDisk(folder: folder.path, in: control)
    disk.fail(EIO, .name)
    let failed = try HoldfastProcess.run(arguments, environment: disk.environment())
    #expect(failed.status == 74 && failed.errors.contains("Input/output error"), "\(failed.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == torn && folder.recordings == [path])
    disk.heal()
    let again = try HoldfastProcess.run(arguments, environment: disk.environment())
    #expect(again.status == 0, "\(again.errors)")
    #expect(folder.recordings.count == (command.contains("--in-place") ? 1 : 2))
    #expect(
      !(try FileManager.default.contentsOfDirectory(atPath: folder.path)).contains { $0.hasSuffix("-part") })
  }
}
