import Foundation
import TestSupport
import Testing

@testable import HoldfastPlatform

/// The way to a file past links, as root must go it where other users can change folders.
@Suite struct FolderWalkTests {
  private let scratch = ScratchFolder()
  private static let other = 12345

  private func makeFolder(_ name: String, owner: Int? = nil, mode: Int = 0o755) throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file(name), withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    if let owner { try give(name, to: owner) }
  }

  private func give(_ name: String, to owner: Int) throws {
    try #require(lchown(scratch.file(name), uid_t(owner), gid_t(owner)) == 0)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: scratch.file(name), withDestinationPath: target)
  }

  private func owner(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.ownerAccountID] as? Int
  }

  @Test func `links of one's own are followed, whether they are absolute or relative`() throws {
    try makeFolder("real/inner")
    try link("absolute", to: scratch.file("real"))
    try link("real/relative", to: "../real/./inner")
    _ = try scratch.write("text", to: "real/inner/file")
    try link("real/inner/name", to: "file")
    let file = try FileDescriptor.openForReading(scratch.file("absolute/relative/name"))
    #expect(try file.bytes(9, at: 0) == Array("text".utf8))
    try createDirectory(scratch.file("absolute/relative/new/one"))
    #expect(fileExists(scratch.file("real/inner/new/one")))
  }

  @Test func `links in a circle end with an error`() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    #expect(throws: SystemError.self) { _ = try FileDescriptor.openForReading(scratch.file("a/file")) }
    #expect(throws: SystemError.self) { try createDirectory(scratch.file("b/folder")) }
  }

  @Test(
    .enabled(if: getuid() == 0, "only root can be led elsewhere"),
    arguments: ["another user's link", "a link in another user's folder", "a link in a folder open to all"])
  func `root follows no link that another user could have placed`(case name: String) throws {
    try makeFolder("secret", mode: 0o700)
    _ = try scratch.write("text", to: "secret/file")
    try makeFolder("shared")
    try link("shared/way", to: scratch.file("secret"))
    switch name {
    case "another user's link": try give("shared/way", to: Self.other)
    case "a link in another user's folder": try give("shared", to: Self.other)
    default: try #require(chmod(scratch.file("shared"), 0o777) == 0)
    }
    let way = scratch.file("shared/way")
    #expect(throws: SystemError.self) { try createDirectory(way + "/new", keepsOwner: true) }
    #expect(throws: SystemError.self) { _ = try FileDescriptor.openForReading(way + "/file") }
    #expect(throws: SystemError.self) { _ = try FileDescriptor.openForUpdating(way + "/new") }
    #expect(throws: SystemError.self) { _ = try FileDescriptor.create(way + "/new", .new) }
    #expect(throws: SystemError.self) { try saveFile(way + "/new", [1]) }
    #expect(throws: SystemError.self) { _ = try UnfinishedFile(name: way + "/new") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("secret")) == ["file"])
  }

  @Test(.enabled(if: getuid() == 0, "only root acts for others"))
  func `a state folder that is a link of root's is used, and what root creates there is its owner's`() throws
  {
    try makeFolder("private/service", owner: Self.other, mode: 0o700)
    try link("service", to: "private/service")
    try createDirectory(scratch.file("service/a/b"), permissions: 0o700, keepsOwner: true)
    #expect(try owner("private/service/a") == Self.other && owner("private/service/a/b") == Self.other)
  }

  @Test(.enabled(if: getuid() == 0, "only root acts for others"))
  func `root takes over no file that has another name, or that is a third user's`() throws {
    try makeFolder("shared", owner: Self.other)
    let victim = try scratch.write("kept", to: "victim")
    try #require(Glibc.link(victim, scratch.file("shared/out.holdfast-part")) == 0)
    #expect(throws: SystemError.self) { _ = try UnfinishedFile(name: scratch.file("shared/out")) }
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "kept")
    _ = try scratch.write("kept", to: "shared/third.holdfast-part")
    try give("shared/third.holdfast-part", to: 54321)
    #expect(throws: SystemError.self) { _ = try UnfinishedFile(name: scratch.file("shared/third")) }
  }
}
