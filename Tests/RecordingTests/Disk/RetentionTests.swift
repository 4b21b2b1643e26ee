import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastRecording

@Suite struct RetentionTests {
  private static let now = WallTime(nanoseconds: 1_000_000_000_000_000_000)

  /// A recording of `cam` that was last written some days ago.
  private func file(_ stamp: String, days: Int64, size: Int = 100) -> OpenFolder.File {
    OpenFolder.File(
      name: "cam-\(stamp).mp4", size: size,
      modified: WallTime(nanoseconds: Self.now.nanoseconds - days * 86_400_000_000_000))
  }

  private func plan(
    _ retention: Retention, _ files: [OpenFolder.File], keeping kept: Set<String> = []
  ) -> [String] {
    retention.plan(files, of: "cam", keeping: kept, at: Self.now).map {
      String($0.name.dropFirst(4).dropLast(4))
    }
  }

  private let stamps = (1...5).map { "2026110\($0)T000000Z" }

  /// Of 1 to 5 days, in no order.
  private var files: [OpenFolder.File] { [3, 1, 5, 2, 4].map { file(stamps[5 - Int($0)], days: $0) } }

  private static func days(_ days: Int64) -> MediaTime { .seconds(days * 86_400) }

  @Test(
    arguments: [
      ("too old", Retention(age: days(3)), [], [0, 1]), ("too much", Retention(size: 250), [], [0, 1, 2]),
      ("just enough", Retention(size: 500), [], []), ("all", Retention(size: 0), [], [0, 1, 2, 3, 4]),
      ("both limits", Retention(age: days(4), size: 300), [], [0, 1]),
      ("both limits", Retention(age: days(2), size: 400), [], [0, 1, 2]), ("no limit", Retention(), [], []),
      ("kept ones count", Retention(size: 300), [0, 4], [1, 2]),
      ("kept ones stay", Retention(age: .zero), [0, 4], [1, 2, 3]),
    ] as [(String, Retention, [Int], [Int])])
  func `recordings that are too old or too large together are removed, oldest first`(
    what: String, retention: Retention, kept: [Int], expected: [Int]
  ) {
    let names = Set(kept.map { "cam-\(stamps[$0]).mp4" })
    #expect(plan(retention, files, keeping: names) == expected.map { stamps[$0] })
  }

  @Test func `a sparse file counts with its bytes on disk`() {
    let holed = OpenFolder.File(
      name: "cam-\(stamps[4]).mp4", size: 1_000_000, bytesOnDisk: 10, modified: Self.now)
    #expect(plan(Retention(size: 110), [file(stamps[0], days: 1), holed]) == [])
  }

  @Test func `files of the same instant are ordered by name, and parts by number`() {
    let parts = ["-10", "", "-2"].map { file(stamps[0] + $0, days: 1) }
    #expect(plan(Retention(size: 0), parts) == ["", "-2", "-10"].map { stamps[0] + $0 })
  }

  @Test func `a file from the future is kept`() {
    #expect(plan(Retention(age: .zero), [file(stamps[0], days: -1)]) == [])
    let furthest = OpenFolder.File(
      name: "cam-\(stamps[0]).mp4", size: 1, modified: WallTime(nanoseconds: .max))
    #expect(plan(Retention(age: .zero), [furthest]) == [])
  }

  /// Dashes in a broadcaster's name are its own.
  @Test(
    arguments: [
      ("cam-20261121T042210Z.mp4", "cam", 1), ("cam-20261121T042210Z-2.mp4", "cam", 2),
      ("cam-20261121T042210Z-13.mp4", "cam", 13), ("cam-2-20261121T042210Z.mp4", "cam-2", 1),
      ("cam-2-20261121T042210Z-3.mp4", "cam-2", 3), ("cam-20261121T042210Z.mp4", "cam-2", nil),
      ("-20261121T042210Z.mp4", "", nil),
    ] as [(String, String, Int?)])
  func `a recording is recognized by its name`(name: String, broadcaster: String, part: Int?) {
    let known = RecordingName(name, of: broadcaster)
    #expect(known?.part == part && known?.stamp == part.map { _ in "20261121T042210Z" })
  }

  @Test(
    arguments: [
      ("/a/hall-20261121T042210Z.mp4", "hall", "/a/hall-20261121T042210Z-2.mp4"),
      ("cam-2-20261121T042210Z-9.mp4", "cam-2", "cam-2-20261121T042210Z-10.mp4"),
      ("a.b-20261121T042210Z.mp4", "a.b", "a.b-20261121T042210Z-2.mp4"),
      ("a-b-20261121T042210Z-repaired.mp4", "a-b", nil), ("talk.mp4", nil, nil),
      ("20261121T042210Z.mp4", nil, nil), ("", nil, nil), ("-2.mp4", nil, nil),
    ] as [(String, String?, String?)])
  func `a recording's name gives its broadcaster and its next part`(
    path: String, name: String?, next: String?
  ) {
    #expect(RecordingName(RecordingName.original(of: fileName(of: path)))?.broadcaster == name)
    #expect(RecordingName.nextPart(of: path) == next)
  }

  static let others = [
    "cam-2-20261121T042210Z.mp4", "cam-20261121T042210Z-20261122T042210Z.mp4", "Cam-20261121T042210Z.mp4",
    "xcam-20261121T042210Z.mp4", "cam20261121T042210Z.mp4", "cam--20261121T042210Z.mp4",
    "cam-20261121T042210Z.mp4.part", "cam-20261121T042210Z.MP4", "cam-20261121T042210Z.mov",
    "cam-20261121T042210Z", "cam-20261121T042210Z-.mp4", "cam-20261121T042210Z-0.mp4",
    "cam-20261121T042210Z-1.mp4", "cam-20261121T042210Z-02.mp4", "cam-20261121T042210Z-2-3.mp4",
    "cam-20261121T042210Z-2x.mp4", "cam-20261121T042210Z--2.mp4", "cam-20261121T042210Z-9999999999.mp4",
    "cam-20261121t042210z.mp4", "cam-2026-11-21T042210Z.mp4", "cam-20261121T04221Z.mp4",
    "cam-2026112١T042210Z.mp4", "cam-20261121T042210Z .mp4", " cam-20261121T042210Z.mp4",
    "cam-export.mp4", "cam-.mp4", "cam", "", "cam-20261121T042210Z.mp4\n", "cam-20261121T042210Z-+2.mp4",
  ]

  @Test(arguments: others)
  func `a file with a similar name is not a recording`(name: String) {
    #expect(RecordingName(name, of: "cam") == nil)
  }
}
