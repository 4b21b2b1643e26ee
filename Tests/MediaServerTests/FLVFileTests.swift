import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMediaServer

@Suite struct FLVFileTests {
  private let folder = ScratchFolder()
  private let path: String

  init() throws { path = folder.file("a.flv") }

  private func write(_ mode: FLVFile.Mode, _ times: [Int64]) throws {
    var file = try FLVFile(path, mode)
    try file.append(TestMessages.videoHeaders, at: times.first ?? 0)
    for (index, time) in times.enumerated() {
      try file.append(TestMessages.picture(isKey: index == 0, [UInt8(index)]), at: time)
    }
    try file.flush()
  }

  private var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// The times of the tags, read from the front.
  private func times() throws -> [Int64] {
    let bytes = try bytes
    var times: [Int64] = []
    var offset = FLVFormat.headerSize
    while let header = FLVFormat.TagHeader(Array(bytes.dropFirst(offset).prefix(11))) {
      times.append(header.time)
      offset += header.wholeSize
    }
    #expect(offset == bytes.count)
    return times
  }

  @Test func `a new file moves whatever was there aside`() throws {
    let earlier = Data(repeating: 7, count: 5000)
    try earlier.write(to: URL(fileURLWithPath: path))
    for _ in 0..<2 { try write(.new, [0, 40]) }
    #expect(try times() == [0, 0, 40])
    let others = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "a.flv" }
    #expect(others.count == 2 && others.allSatisfy { $0.hasPrefix("a-") && $0.hasSuffix(".flv") })
    let kept = try others.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))) }
    #expect(kept.contains(earlier))
  }

  @Test func `the first picture is in the file at once, and later ones with the next flush`() throws {
    var file = try FLVFile(path, .new)
    try file.append(TestMessages.videoHeaders, at: 0)
    #expect(try bytes.isEmpty)
    try file.append(TestMessages.picture(isKey: true, [1]), at: 0)
    #expect(try times() == [0, 0])
    try file.append(TestMessages.picture(isKey: false, [2]), at: 40)
    #expect(try times() == [0, 0])
    try file.flush()
    #expect(try times() == [0, 0, 40])
  }

  @Test func `an empty file is not kept`() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    try write(.new, [0, 40])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.flv"])
  }

  @Test(
    arguments: [
      (.continued, 0, [120, 120, 160]), (.continued, 10, [120, 120, 160]), (.added, 10, [90, 90, 130]),
    ] as [(FLVFile.Mode, Int64, [Int64])])
  func `a publish follows a file's last picture by a frame, or is added to its last time, with one header`(
    mode: FLVFile.Mode, beginning: Int64, times: [Int64]
  ) throws {
    try write(.new, [0, 40, 80])
    try write(mode, [beginning, beginning + 40])
    #expect(try self.times() == [0, 0, 40, 80] + times)
  }

  @Test func `nothing of a continued file is before its start`() throws {
    try write(.new, [0, 40])
    try write(.continued, [30, 10, 70])
    #expect(try times() == [0, 0, 40, 80, 80, 80, 120])
  }

  @Test func `continuing a missing file starts a new one`() throws {
    try write(.continued, [0, 40])
    #expect(try times() == [0, 0, 40])
  }

  @Test(arguments: [1, 3, 4, 5, 10, 20])
  func `a torn end is cut off before the file is continued`(missing: Int) throws {
    try write(.new, [0, 40, 80])
    try Data(bytes.dropLast(missing)).write(to: URL(fileURLWithPath: path))
    try write(.continued, [0])
    #expect(try times() == [0, 0, 40, 80, 80])
  }

  @Test func `a file truncated anywhere is continued with whole tags`() throws {
    try write(.new, [0, 40, 80])
    let whole = try bytes
    for count in 0..<whole.count {
      try Data(whole.prefix(count)).write(to: URL(fileURLWithPath: path))
      try write(.continued, [0])
      let times = try times()
      #expect(times == times.sorted(), "\(count)")
    }
  }

  @Test func `a file that is not FLV is left alone`() throws {
    let foreign = Data("my diary, which nobody should overwrite".utf8)
    try foreign.write(to: URL(fileURLWithPath: path))
    #expect(throws: SystemError.foreignFormat("read")) { try write(.continued, [0]) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == foreign)
  }

  @Test func `a symbolic link is not followed`() throws {
    let target = try folder.write("precious", to: "target")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(throws: SystemError.self) { try write(.new, [0]) }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
  }

  @Test func `the header names all tracks, even one that starts late`() throws {
    var file = try FLVFile(path, .new)
    try file.append(TestMessages.sound(), at: 0)
    try file.flush()
    #expect(try bytes[4] == FLVFormat.audioFlag)
    try file.append(TestMessages.picture(isKey: true), at: 10)
    try file.flush()
    #expect(try bytes[4] == FLVFormat.audioFlag | FLVFormat.videoFlag)
  }

  @Test func `times beyond 24 bits are written in full`() throws {
    try write(.new, [0x0123_4567])
    #expect(try times().last == 0x0123_4567)
  }

  @Test func `a file with random bytes at its end can still be continued`() throws {
    try write(.new, [0, 40, 80, 120])
    let whole = try bytes
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var broken = whole
      let from = Int.random(in: 13..<whole.count, using: &generator)
      for index in from..<whole.count { broken[index] = .random(in: 0...255, using: &generator) }
      try Data(broken).write(to: URL(fileURLWithPath: path))
      try write(.continued, [0])
      #expect(try times().isEmpty == false)
    }
  }
}
