import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

/// A recording's bytes never change by accident: players in the field rely on them, and so does the next process.
@Suite struct WrittenBytesTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("a.mp4") }

  /// Covers everything after libavformat's head and the reserved space, which depends on the head's length.
  private func mediaDigest() throws -> String {
    let bytes = try SampleRecording.media(path)
    return digest(bytes[(try SampleRecording.known(SampleRecording.bytes(path)).headLength)...])
  }

  private func digest(_ bytes: some Sequence<UInt8>) -> String {
    String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }

  @Test(arguments: [(false, "96061342e9fa4080"), (true, "6984b36a813ae01b")])
  func `fragments and their index have the expected bytes`(isFinished: Bool, expected: String) throws {
    try SampleRecording.record(0..<12, to: path, pictureSize: 500, isFinished: isFinished)
    #expect(try mediaDigest() == expected)
  }

  @Test func `a continuation after a crash has the expected bytes`() throws {
    try SampleRecording.record(0..<5, to: path)
    try SampleRecording.write(SampleRecording.bytes(path).dropLast(100), to: path)
    try SampleRecording.append(SampleRecording.packets(5..<9), to: path)
    #expect(try mediaDigest() == "23763ed9ec31d683")
  }

  @Test(arguments: [(SampleFile.Layout.grown, "1786196bfdb7c459"), (.plain, "35002e3d96fe89c")])
  func `a repaired recording with both indexes has the expected bytes`(
    layout: SampleFile.Layout, expected: String
  ) throws {
    let file = SampleFile(layout)
    var bytes = Array(file.bytes.prefix(file.fragments[3].upperBound - 30))
    for index in file.fragments[1].prefix(100) { bytes[index] = 0xAA }
    try SampleRecording.write(bytes, to: path)
    _ = try RecordingRepair(path: path, target: .inPlace).run()
    #expect(try digest(SampleRecording.bytes(path)) == expected)
  }
}
