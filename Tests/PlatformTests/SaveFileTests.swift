import Foundation
import TestSupport
import Testing

@testable import HoldfastPlatform

@Suite struct SaveFileTests {
  private let folder = ScratchFolder()
  private var path: String { folder.file("a.jpg") }

  private func attributes() throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: path)
  }

  @Test func `a regular file is replaced, with its rights, and nothing beside it is touched`() throws {
    _ = try folder.write("old", to: "a.jpg")
    _ = try folder.write("kept", to: "a.jpg.new")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let open = try FileDescriptor.openForReading(path)
    try saveFile(path, Array("new".utf8))
    #expect(try FileDescriptor.contents(of: path, limit: 9) == Array("new".utf8))
    #expect(try open.bytes(9, at: 0) == Array("old".utf8))
    #expect(try attributes()[.posixPermissions] as? Int == 0o640)
    #expect(try FileDescriptor.contents(of: path + ".new", limit: 9) == Array("kept".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func `a FIFO is written to, and stays one`() throws {
    try Tool.run(["mkfifo", path])
    #expect(throws: SystemError.self) { try saveFile(path, [1]) }
    let reader = try FileDescriptor(opening: path, O_RDWR)
    try saveFile(path, [1, 2, 3])
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(bytes.withUnsafeMutableBytes { read(reader.raw, $0.baseAddress, $0.count) } == 3)
    #expect(try attributes()[.type] as? FileAttributeType != .typeRegular)
  }

  @Test func `a link is refused, and what it names stays`() throws {
    let target = try folder.write("old", to: "target")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(throws: SystemError.self) { try saveFile(path, [1]) }
    #expect(try FileDescriptor.contents(of: target, limit: 9) == Array("old".utf8))
    #expect(try attributes()[.type] as? FileAttributeType == .typeSymbolicLink)
  }
}
