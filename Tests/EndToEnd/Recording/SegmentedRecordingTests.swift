import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Recordings in segments, with gaps kept, and within a size limit.
@Suite(.realTime) struct SegmentedRecordingTests {
  private let folder = ScratchFolder()

  private func bounds(_ path: String) throws -> (numbers: ClosedRange<UInt32>, media: ServerMedia) {
    let media = try ServerMedia(path: path)
    let numbers = media.pictures.map(\.number)
    return (try #require(numbers.min())...(try #require(numbers.max())), media)
  }

  @Test func `nothing is lost between two segments, and each starts at 0`() throws {
    let log = folder.file("log")
    let command = "echo \"$HOLDFAST_NAME $1\" >> '\(log)'"
    let subject = try HoldfastSubject(
      options: ["--segment", "2s", "--gop", "1s", "--duration", "9s", "--on-segment", command], in: folder)
    subject.waitForEnd()
    #expect(subject.status == 0, "\(subject.log)")
    let paths = folder.recordings.sorted()
    #expect(paths.count == 5 && Set(paths).count == 5, "\(paths)")
    let first = try bounds(paths[0]).numbers.lowerBound
    var next = first
    var (pictures, sound) = (0, 0.0)
    // A busy machine may have encoded less, which it has told.
    let told = subject.lines.lostPictures(of: "recording")
    for path in paths {
      let (numbers, media) = try bounds(path)
      #expect(numbers.lowerBound >= next && media.isMonotone, "\(path): \(media.report)")
      let isWhole = numbers.lowerBound == next && media.report.missing.isEmpty
      #expect(told > 0 || isWhole, "\(path): \(media.report)")
      let starts = media.trackStarts
      #expect(starts[.video] == 0 && (starts[.audio] ?? 1) <= 0.05, "\(starts)")
      if let offset = media.report.offset { #expect(abs(offset.median) <= 10, "\(media.report)") }
      next = numbers.upperBound + 1
      pictures += media.report.pictures
      sound += media.audioSeconds
      #expect(try Tool.run(["ffprobe", "-v", "error", path]).isEmpty)
    }
    let soundTold = subject.lines.lost("audio") { $0["filled"] as? Bool != true }.reduce(0, +) / 1000
    #expect(abs(Double(pictures) + told - 270) <= (told > 0 ? 1 : 0), "\(pictures) pictures\n\(subject.log)")
    #expect(told > 0 || next - first == 270, "\(next - first) numbers")
    #expect(abs(sound + soundTold - 9) < 0.05, "\(sound) s\n\(subject.log)")
    let hooked = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(hooked == paths.map { "holdfast \($0)" })
  }

  @Test func `a kill while a command's retry waits leaves no finished file without its command`() throws {
    let log = folder.file("log")
    let command = "[ -e '\(folder.file("works"))' ] && echo \"$1 $HOLDFAST_REPEATED\" >> '\(log)'"
    let options = ["--segment", "1s", "--gop", "500ms", "--after-crash", "resume", "--on-segment", command]
    let killed = try HoldfastSubject(options: options, in: folder).whenLive()
    #expect(eventually(within: 60) { folder.recordings.count >= 5 })
    killed.kill()
    _ = try folder.write("", to: "works")
    let next = try killed.restarted().whenLive()
    #expect(eventually(within: 60) { folder.recordings.count >= 7 })
    next.finish()
    #expect(next.status == 0, "\(next.log)")
    let hooked = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    let paths = folder.recordings.sorted { $0.count != $1.count ? $0.count < $1.count : $0 < $1 }
    let expected = ["\(paths[0]) 1"] + paths.dropFirst().map { "\($0) " }
    #expect(hooked.sorted() == expected.sorted(), "\(killed.log)\n\(next.log)")
  }

  @Test func `a recording that keeps gaps contains the length of an interruption`() throws {
    let subject = try HoldfastSubject(options: ["--keep-gaps"], in: folder).whenLive()
    usleep(1_500_000)
    try subject.interrupt()
    usleep(1_500_000)
    try subject.resume()
    usleep(2_000_000)
    subject.finish()
    let marks = try RecordingMarks(path: try #require(folder.recordings.first))
    let pictures = marks.pictures.compactMap { one in one.mark.map { (one.time, $0.captureTime) } }
    let first = try #require(pictures.first)
    let drift = pictures.map { (($0.0 - first.0) - ($0.1 - first.1)).milliseconds }
    #expect((drift.map(\.magnitude).max() ?? 99) < 2, "\(subject.log)")
    #expect(try #require(marks.report.offsetSpread) <= 20, "\(marks.report)")
    #expect(pictures.last.map { ($0.0 - first.0).seconds > 4 } ?? false)
  }

  @Test func `excess recordings are deleted, the oldest first`() throws {
    for day in 1...3 {
      let path = folder.file("holdfast-2020010\(day)T000000Z.mp4")
      try Data(count: 700_000).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_577_836_800 + Double(day) * 86_400)],
        ofItemAtPath: path)
    }
    let other = folder.file("holdfast-2-20200101T000000Z.mp4")
    try Data(count: 700_000).write(to: URL(fileURLWithPath: other))
    let subject = try HoldfastSubject(options: ["--keep-size", "2M", "--duration", "2s"], in: folder)
    subject.waitForEnd()
    #expect(subject.status == 0, "\(subject.log)")
    let left = Set(folder.recordings.map { URL(fileURLWithPath: $0).lastPathComponent })
    #expect(left.isSuperset(of: ["holdfast-2-20200101T000000Z.mp4", "holdfast-20200103T000000Z.mp4"]))
    #expect(!left.contains("holdfast-20200101T000000Z.mp4") && left.count == 4, "\(left)\n\(subject.log)")
  }
}
