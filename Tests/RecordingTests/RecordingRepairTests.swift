import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// Repairs of files on disk.
@Suite struct RecordingRepairTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("a.mp4") }

  private func bytes(_ name: String) throws -> [UInt8] { try SampleRecording.bytes(folder.file(name)) }

  private func write(_ bytes: [UInt8], to name: String = "a.mp4") throws {
    try SampleRecording.write(bytes, to: folder.file(name))
  }

  private func inspect(_ name: String) throws -> RecordingInspection {
    try RecordingInspection(try OpenRecording(path: folder.file(name)).bytes)
  }

  @Test func `a repair beside writes a new file with an index, and keeps the damaged one`() throws {
    let file = SampleFile(.grown)
    let torn = Array(file.bytes.prefix(file.fragments[3].upperBound - 30))
    try write(torn)
    let outcome = try RecordingRepair(path: path, target: .beside).run()
    guard case .repaired(folder.file("a-repaired.mp4"), let length, let found) = outcome else {
      throw TestFailure("\(outcome)")
    }
    #expect(found.isTorn && found.lostSamples > 0)
    let repaired = try inspect("a-repaired.mp4")
    #expect(repaired.needsNoRepair && repaired.keptSamples == found.keptSamples && repaired.size == length)
    #expect(try bytes("a.mp4") == torn && folder.recordings.count == 2)
  }

  /// What `verify` says of the index of the repaired file.
  private func repairedIndexes(_ bytes: [UInt8]) throws -> [RecordingInspection.Index] {
    try write(bytes)
    _ = try RecordingRepair(path: path, target: .beside).run()
    let repaired = try inspect("a-repaired.mp4")
    #expect(repaired.needsNoRepair)
    return [repaired.index, repaired.segmentIndex]
  }

  @Test func `the index begins with the first fragment in which a picture was kept`() throws {
    let file = SampleFile(.plain)
    var bytes = file.bytes
    for picture in file.placed.prefix(10) { bytes[picture.bytes.lowerBound] = 0xFF }
    #expect(try repairedIndexes(bytes) == [.right(entries: 3), .right(entries: 3)])
  }

  @Test func `the index has the times of samples, also where the one before lasts too long`() throws {
    let file = SampleFile(.plain)
    var bytes = file.bytes
    // The duration of the last picture in the second fragment.
    let run = try #require(file.fragments[1].first { bytes[$0...].starts(with: "trun".utf8) })
    let duration = run + 16 + 9 * 16
    try #require(Array(bytes[duration..<duration + 4]) == Box.bytes(UInt32(9000)))
    bytes.replaceSubrange(duration..<duration + 4, with: Box.bytes(UInt32(13_000)))
    bytes.removeLast(30)
    #expect(try repairedIndexes(bytes) == [.right(entries: 4), .right(entries: 4)])
  }

  @Test func `an index may have segments of half the longest length`() throws {
    let bytes = SampleFile(.plain, isFinished: false, leap: 30_000).bytes
    #expect(try repairedIndexes(bytes) == [.right(entries: 4), .right(entries: 4)])
  }

  @Test(arguments: [RecordingRepair.Target.beside, .inPlace])
  func `what a track lacks at its end is a defect until a repair has found what is there`(
    target: RecordingRepair.Target
  ) throws {
    let packets = SampleRecording.packets(0..<3).filter { $0.track == .video || $0.decodeTime < .seconds(2) }
    try SampleRecording.write(packets, to: path, isFinished: true)
    #expect(try RecordingVerification(path: path, environment: [:]).defects.map(\.kind) == [.tracksEndApart])
    try write(SampleRecording.bytes(path).dropLast(30))
    guard case .repaired(let path, _, _) = try RecordingRepair(path: path, target: target).run() else {
      throw TestFailure("it was not repaired")
    }
    let found = try RecordingVerification(path: path, environment: [:])
    #expect(found.defects.map(\.text) == [] && found.inspection?.isRepaired == true)
  }

  @Test func `a repair overwrites no existing file`() throws {
    try write(Array(SampleFile(.plain).bytes.prefix(3000)))
    try write([1, 2], to: "a-repaired.mp4")
    for target in [RecordingRepair.Target.beside, .file(folder.file("a-repaired.mp4")), .file(path)] {
      #expect(throws: RecordingFileError.self) { try RecordingRepair(path: path, target: target).run() }
    }
    #expect(try bytes("a-repaired.mp4") == [1, 2])
  }

  @Test func `a whole recording is left alone`() throws {
    let file = SampleFile(.grown)
    try write(file.bytes)
    for target in [RecordingRepair.Target.beside, .inPlace] {
      guard case .notNeeded = try RecordingRepair(path: path, target: target).run() else {
        throw TestFailure("it was repaired")
      }
    }
    #expect(try bytes("a.mp4") == file.bytes && folder.recordings.count == 1)
  }

  @Test(arguments: [0, 30, 500, 3000])
  func `a recording with a missing end is repaired in place`(missing: Int) throws {
    let file = SampleFile(.grown, isFinished: false)
    try write(file.bytes.dropLast(missing))
    _ = try RecordingRepair(path: path, target: .inPlace).run()
    let repaired = try inspect("a.mp4")
    #expect(repaired.needsNoRepair && repaired.keptSamples > 0 && folder.recordings.count == 1)
    #expect(try bytes("a.mp4").prefix(file.fragments[0].upperBound) != [])
  }

  @Test(arguments: [false, true])
  func
    `a recording with damage in the middle is repaired in place, also where a killed repair left something`(
      hasLeftover: Bool
    ) throws
  {
    let file = SampleFile(.plain)
    var damaged = file.bytes
    for index in file.fragments[1].prefix(60) { damaged[index] = 0x5A }
    try write(damaged)
    if hasLeftover { _ = try folder.write("left by a killed repair", to: "a.mp4.holdfast-part") }
    _ = try RecordingRepair(path: path, target: .inPlace).run()
    let repaired = try inspect("a.mp4")
    #expect(repaired.needsNoRepair && repaired.keptSamples == 60 && folder.recordings.count == 1)
    #expect(!fileExists(folder.file("a.mp4.holdfast-part")))
  }

  @Test func `a lost head is taken from another recording with the same settings`() throws {
    let file = SampleFile(.grown)
    var damaged = file.bytes
    for index in 20..<200 { damaged[index] = 0xA5 }
    try write(damaged)
    try write(SampleFile(.plain, fragments: 1).bytes, to: "other.mp4")
    #expect(throws: RecordingFileError.self) { try RecordingRepair(path: path, target: .beside).run() }
    _ = try RecordingRepair(path: path, target: .beside, like: folder.file("other.mp4")).run()
    #expect(try Repaired.samples(of: bytes("a-repaired.mp4")) == file.samples)
  }

  @Test func `a recording that is being written is not repaired`() throws {
    var writer = try FragmentWriter(path: path, tracks: SampleRecording.tracks)
    for packet in SampleRecording.packets(0..<2) { try writer.write(packet) }
    let error = #expect(throws: RecordingFileError.self) {
      try RecordingRepair(path: path, target: .inPlace).run()
    }
    #expect(error?.kind == .misuse && error?.reason == "it is being written")
    #expect(try RecordingVerification(path: path, environment: [:]).isBeingWritten)
    try writer.finish()
  }

  @Test func `a recording cut at any of ten places is whole after a repair`() throws {
    try SampleRecording.record(0..<3, to: path, pictureSize: 2000, isFinished: true)
    let whole = try bytes("a.mp4")
    let start = 32_480
    #expect(try RecordingVerification(path: path, environment: [:]).defects == [])
    for number in 1...10 {
      let length = start + (whole.count - start) * number / 11
      try write(Array(whole.prefix(length)), to: "b.mp4")
      let target = folder.file("c-\(number).mp4")
      _ = try RecordingRepair(path: folder.file("b.mp4"), target: .file(target)).run()
      let found = try RecordingVerification(path: target, environment: [:])
      #expect(
        found.defects == [] && found.inspection?.needsNoRepair == true, "cut at \(length): \(found.defects)")
    }
  }
}
