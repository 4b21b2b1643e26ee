import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

/// A recording that another process has left, and that is continued.
@Suite struct ContinuationTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("hall-20261121T042210Z.mp4") }

  /// Continues where the file ends, until `end` seconds.
  private func proceed(until end: Double, isFinished: Bool = true) throws {
    try SampleRecording.append(SampleRecording.packets(0..<end), to: path, isFinished: isFinished)
  }

  @Test func `a recording continued several times has no hole and no overlap`() throws {
    try SampleRecording.record(0..<2, to: path)
    for end in [3.3, 4.1, 7.9] { try proceed(until: end, isFinished: false) }
    try proceed(until: 10)
    try SampleRecording.expectTimes(of: SampleRecording.packets(0..<10), in: path)
  }

  @Test func `a continuation keeps what is there, and continues the fragments' numbers`() throws {
    try SampleRecording.record(0..<2, to: path)
    let before = try SampleRecording.media(path)
    try proceed(until: 4)
    let isKept = try SampleRecording.media(path).starts(with: before)
    #expect(isKept)
    let numbers = try SampleRecording.fragments(SampleRecording.bytes(path)).map(\.number)
    #expect(numbers == (1...UInt32(numbers.count)).map(\.self) && numbers.count == 8)
  }

  @Test(arguments: [0, 1, 7, 8, 200, 700], [false, true])
  func `a torn fragment or an index is replaced by what follows`(tail: Int, isFinished: Bool) throws {
    try SampleRecording.record(0..<2, to: path, isFinished: isFinished)
    try SampleRecording.write(SampleRecording.bytes(path).dropLast(tail), to: path)
    try proceed(until: 4)
    try SampleRecording.expectTimes(of: SampleRecording.packets(0..<4), in: path)
  }

  @Test func `a torn fragment is removed before anything else is written`() throws {
    let whole = try SampleRecording.record(0..<2, to: path)
    try SampleRecording.write(whole + whole.suffix(500), to: path)
    let media = try SampleRecording.media(path).dropLast(500)
    try proceed(until: 0, isFinished: false)
    let isKept = try SampleRecording.media(path)[...] == media
    #expect(isKept)
  }

  @Test func `a time beyond 32 bits of ticks is kept`() throws {
    try SampleRecording.record(0..<1, to: path)
    // 26 hours: more ticks than 32 bits hold.
    let late = (0..<40).map { SampleRecording.picture(26 * 3600 * 30 + $0) }
    try SampleRecording.append(late, to: path)
    #expect(try SampleRecording.times(path).suffix(40) == late.map(SampleRecording.ticks)[...])
  }

  /// The entries of an `mfra` box, by track.
  private func entries(_ bytes: BoxReader) throws -> [UInt32: [SeekIndex.Position]] {
    var result: [UInt32: [SeekIndex.Position]] = [:]
    let index = try #require(try bytes.boxes().first)
    for box in try index.content.boxes() where box.type == "tfra" {
      var content = box.content
      try content.skip(4)
      let track = try content.uint32()
      try content.skip(4)
      for _ in 0..<(try content.uint32()) {
        let (time, offset) = (try content.number(bytes: 8), try content.number(bytes: 8))
        result[track, default: []].append(.init(offset: Int(offset), time: Int64(time)))
        try content.skip(3)
      }
      #expect(content.isAtEnd)
    }
    return result
  }

  @Test func `the index names the keyframes' fragments of both processes`() throws {
    try SampleRecording.record(0..<2, to: path)
    try proceed(until: 6)
    let known = try FragmentedFile(path: path)
    #expect(known.tail == .index)
    let bytes = try SampleRecording.bytes(path)
    let entries = try entries(BoxReader(bytes[known.wholeLength...]))
    let fragments = try SampleRecording.fragments(bytes)
    #expect(entries[1]?.count == 12)
    for (track, list) in entries {
      for entry in list {
        let fragment = fragments.first { $0.range.lowerBound == entry.offset }
        let part = try #require(fragment?.parts.first { $0.track == track })
        #expect(part.samples.first { $0.isKeyframe }.map { $0.time + $0.delay } == entry.time)
      }
    }
  }

  @Test func `a continuation with other tracks is refused`() throws {
    let before = try SampleRecording.record(0..<1, to: path)
    let known = try FragmentedFile(path: path)
    let path = path
    #expect(throws: ContinuationError.otherTracks) {
      _ = try FragmentWriter(continuing: path, known, tracks: [SampleRecording.video])
    }
    #expect(try SampleRecording.bytes(path) == before)
  }

  @Test func `a file that is shorter than before or missing is not continued`() throws {
    let bytes = try SampleRecording.record(0..<1, to: path)
    let known = try FragmentedFile(path: path)
    try SampleRecording.write(Array(bytes.dropLast(1)), to: path)
    let path = path
    #expect(throws: ContinuationError.hasChanged) {
      _ = try FragmentWriter(continuing: path, known, tracks: SampleRecording.tracks)
    }
    #expect(throws: SystemError.self) {
      _ = try FragmentWriter(continuing: path + "x", known, tracks: SampleRecording.tracks)
    }
  }

  @Test func `a recording whose file was replaced continues in another part, from 0`() throws {
    try SampleRecording.record(0..<1, to: path)
    let known = try FragmentedFile(path: path)
    try SampleRecording.write([1, 2, 3], to: path)
    let said = Locked<[String]>([])
    let destination = Recorder.Destination.continuing(path, known, origin: .seconds(1))
    var callbacks = Recorder.Callbacks()
    callbacks.journal = { path, _, _ in said.withLock { $0.append("begin \(path)") } }
    let recorder = try Recorder(destination, tracks: [.video, .audio], callbacks) { event in
      if case .continuedElsewhere(let path, _) = event { said.withLock { $0.append("elsewhere \(path)") } }
    }
    for track in SampleRecording.tracks { recorder.offer(track) }
    for packet in SampleRecording.packets(1..<2) { recorder.offer(packet) }
    recorder.finish()
    let part = folder.file("hall-20261121T042210Z-2.mp4")
    #expect(said.withLock { $0 } == ["begin \(path)", "begin \(part)", "elsewhere \(part)"])
    #expect(try SampleRecording.times(part).first == 0)
    #expect(try SampleRecording.bytes(path) == [1, 2, 3])
  }

  @Test func `a further part passes over a link that leads nowhere`() throws {
    try #require(symlink("/nowhere/a.mp4", folder.file("hall-20261121T042210Z-2.mp4")) == 0)
    #expect(RecordingName.freePart(of: path) == folder.file("hall-20261121T042210Z-3.mp4"))
  }

  @Test func `each further part has the next free number`() throws {
    let third = folder.file("hall-20261121T042210Z-3.mp4")
    let second = try folder.write("", to: "hall-20261121T042210Z-2.mp4")
    #expect([second, path].map { RecordingName.freePart(of: $0) } == [third, third])
    removeFile(second)
    #expect(RecordingName.freePart(of: second) == third)
  }
}
