import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// `holdfast ctl snapshot`, with the whole program.
@Suite(.realTime) struct SnapshotTests {
  private let folder = ScratchFolder()

  /// A picture of it, as soon as there is one.
  private func snapshot(_ subject: HoldfastSubject, _ name: String) throws -> RecordedSignal {
    let path = folder.file(name)
    #expect(
      eventually(every: 100_000) { (try? subject.ctl("snapshot", path).status) == 0 }, "\(subject.said)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == Data([0xFF, 0xD9]))
    return try RecordedSignal(path: path)
  }

  @Test(arguments: [("1280x720", 640, 360), ("320x180", 320, 180), ("360x480", 360, 480)])
  func `a snapshot shows the whole picture, and nothing of what is muted`(
    size: String, width: Int, height: Int
  ) throws {
    let subject = try HoldfastSubject(options: ["--preview", "--size", size], in: folder)
    #expect(subject.reports("previewing"), "\(subject.said)")
    let shown = try snapshot(subject, "shown.jpg")
    #expect(shown.size?.width == width && shown.size?.height == height)
    #expect(shown.pictures.count == 1 && shown.pictures.allSatisfy { $0.luma.upperBound > 60 })
    #expect(try subject.ctl("mute", "video").status == 0)
    // One that was made before may still be handed out. A JPEG's black is 0.
    #expect(
      eventually(every: 100_000) {
        (try? snapshot(subject, "muted.jpg").pictures.allSatisfy { $0.luma.upperBound <= 2 }) ?? false
      })
    subject.finish()
  }

  @Test func `where there is no picture yet it says so`() throws {
    let subject = try HoldfastSubject(options: ["--video", "off"], in: folder)
    #expect(subject.reports("live"), "\(subject.said)")
    let result = try subject.ctl("snapshot", folder.file("none.jpg"))
    #expect(
      result.status == 69 && !FileManager.default.fileExists(atPath: folder.file("none.jpg")), "\(result)")
    subject.finish()
  }
}
