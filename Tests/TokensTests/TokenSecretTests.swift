import Foundation
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastTokens

@Suite struct TokenSecretTests {
  private let scratch = ScratchFolder()

  private func file(_ bytes: [UInt8], permissions: Int = 0o600) throws -> String {
    let path = scratch.file("secret")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    return path
  }

  private func failure(_ path: String) -> TokenFileError? {
    TestSupport.failure { () throws(TokenFileError) in try TokenSecret(contentsOf: path) }
  }

  private let good = [UInt8](repeating: 0x61, count: 40)

  @Test(arguments: [0o600, 0o400, 0o700])
  func `a secret file that only its owner may use is accepted`(permissions: Int) throws {
    #expect(try TokenSecret(contentsOf: file(good, permissions: permissions)).bytes == good)
  }

  @Test(arguments: [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o666])
  func `a secret file that others may use is refused`(permissions: Int) throws {
    let failure = failure(try file(good, permissions: permissions))
    #expect(failure?.kind == .unsuitable && failure?.hint.contains("chmod 600") == true)
  }

  @Test(arguments: [(31, false), (32, true), (4096, true), (4097, false), (0, false), (100_000, false)])
  func `a secret has 32 bytes to 4 KiB, not counting a final line end`(count: Int, isTaken: Bool) throws {
    let bytes = (0..<count).map { _ in UInt8.random(in: 0x20...0x7E) }
    #expect((failure(try file(bytes)) == nil) == isTaken)
    #expect((failure(try file(bytes + [0x0A])) == nil) == isTaken)
  }

  @Test func `one final line end is not part of a secret`() throws {
    #expect(try TokenSecret(contentsOf: file(good + [0x0A])).bytes == good)
    #expect(try TokenSecret(contentsOf: file(good + [0x0A, 0x0A])).bytes == good + [0x0A])
  }

  @Test func `a secret may contain any bytes`() throws {
    let bytes = (0..<64).map { UInt8($0) }
    #expect(try TokenSecret(contentsOf: file(bytes)).bytes == bytes)
  }

  @Test func `a symbolic link to a secret is refused`() throws {
    let link = scratch.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file(good))
    #expect(failure(link)?.what == "\(link) is a symbolic link")
  }

  @Test func `a pipe, a folder and a device are refused without waiting`() throws {
    let pipe = scratch.file("pipe")
    try Tool.run(["mkfifo", "-m", "600", pipe])
    #expect(failure(pipe)?.what == "\(pipe) is not a regular file")
    #expect(failure(scratch.path)?.kind == .unsuitable)
    #expect(failure("/dev/zero")?.kind == .unsuitable)
  }

  @Test func `a missing secret file is reported with how to make one`() {
    let failure = failure(scratch.file("none"))
    #expect(failure?.kind == .notFound)
    #expect(failure?.hint == "create one with holdfast token --new-secret FILE")
  }

  @Test(.enabled(if: getuid() == 0, "only root may give files away"))
  func `another user's file is refused`() throws {
    let path = try file(good)
    try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: path)
    #expect(failure(path)?.what == "\(path) belongs to another user")
  }

  @Test func `a new secret file is for its owner alone and is accepted`() throws {
    let path = scratch.file("new")
    try TokenSecret.makeFile(path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try TokenSecret(contentsOf: path).bytes.count == 64)
  }

  @Test func `two new secrets are never the same`() throws {
    let secrets = try ["a", "b"].map(scratch.file).map { path in
      try TokenSecret.makeFile(path)
      return try TokenSecret(contentsOf: path).bytes
    }
    #expect(secrets[0] != secrets[1])
  }

  @Test func `a new secret never replaces a file or a link`() throws {
    let path = try file(good)
    let link = scratch.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.file("elsewhere"))
    for place in [path, link] {
      let error = #expect(throws: TokenFileError.self) { try TokenSecret.makeFile(place) }
      #expect(error?.kind == .alreadyExists)
    }
    #expect(try TokenSecret(contentsOf: path).bytes == good)
    #expect(!FileManager.default.fileExists(atPath: scratch.file("elsewhere")))
  }

  @Test func `a secret never appears in descriptions or dumps`() throws {
    let secret = try TokenSecret(contentsOf: file(good))
    var dumped = ""
    dump(secret, to: &dumped)
    let all = ["\(secret)", String(reflecting: secret), dumped, "\(Optional(secret) as Any)", "\([secret])"]
    for shown in all { #expect(!shown.contains("97") && !shown.contains("aaa"), "\(shown)") }
  }
}
