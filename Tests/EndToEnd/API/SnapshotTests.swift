import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// `holdfast ctl snapshot`.
@Suite(.realTime) struct SnapshotTests {
  private let folder = ScratchFolder()

  /// Waits for a snapshot and decodes it.
  private func snapshot(_ subject: HoldfastSubject, _ name: String) throws -> RecordedSignal {
    let path = folder.file(name)
    #expect(eventually(every: 100_000) { (try? subject.ctl("snapshot", path).status) == 0 }, "\(subject.log)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == Data([0xFF, 0xD9]))
    return try RecordedSignal(path: path)
  }

  @Test(arguments: [("1280x720", 640, 360), ("320x180", 320, 180), ("360x480", 360, 480)])
  func `a snapshot shows the whole picture, and a muted one in black`(
    size: String, width: Int, height: Int
  ) throws {
    let subject = try HoldfastSubject(options: ["--preview", "--size", size], in: folder)
    #expect(subject.reports("previewing"), "\(subject.log)")
    let shown = try snapshot(subject, "shown.jpg")
    #expect(shown.size?.width == width && shown.size?.height == height)
    #expect(shown.pictures.count == 1 && shown.pictures.allSatisfy { $0.luma.upperBound > 60 })
    #expect(try subject.ctl("mute", "video").status == 0)
    // An earlier snapshot may still be served. Black is 0 in a JPEG.
    let isBlack = eventually(every: 100_000) {
      (try? snapshot(subject, "muted.jpg").pictures.allSatisfy { $0.luma.upperBound <= 2 }) ?? false
    }
    #expect(isBlack)
    subject.finish()
  }

  @Test func `the first request for a picture gets one`() throws {
    let broadcast = try ControlledBroadcast(in: folder).whenLive()
    let client = try WireClient(port: broadcast.port)
    let answer = client.request("GET", "/v1/preview.jpg", token: broadcast.host)
    #expect(answer?.status == 200 && answer?.body.starts(with: [0xFF, 0xD8]) == true)
    broadcast.subject.finish()
  }

  @Test func `a snapshot without a picture is refused`() throws {
    let subject = try HoldfastSubject(options: ["--video", "off"], in: folder).whenLive()
    let result = try subject.ctl("snapshot", folder.file("none.jpg"))
    #expect(
      result.status == 69 && !FileManager.default.fileExists(atPath: folder.file("none.jpg")), "\(result)")
    subject.finish()
  }
}
