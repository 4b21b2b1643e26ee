import Foundation
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastTokens

@Suite struct RevocationsTests {
  private let scratch = ScratchFolder()
  private let now = HandMadeToken.now

  private func open() -> Revocations { Revocations(folder: scratch.file("state/stage")) }

  private func later(_ seconds: Int64) -> WallTime {
    WallTime(nanoseconds: now.nanoseconds + seconds * 1_000_000_000)
  }

  @Test func `no token is revoked where no list exists`() throws {
    #expect(try !open().contains("a1"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("state")))
  }

  @Test func `a revoked token is refused from then on, and no other`() throws {
    let revocations = Revocations(folder: scratch.path)
    let verifier = try HandMadeToken.verifier(in: scratch)
    #expect(refusal(of: HandMadeToken().text, by: verifier) == nil)
    try revocations.revoke("a1", at: now)
    #expect(refusal(of: HandMadeToken().text, by: verifier)?.kind == .revoked)
    #expect(refusal(of: HandMadeToken.with("jti", #""a2""#).text, by: verifier) == nil)
  }

  @Test func `a revocation by another process is seen at once`() throws {
    let (mine, another) = (open(), open())
    #expect(try !mine.contains("a1"))
    for id in ["a1", "b2", "c3"] {
      try another.revoke(id, at: now)
      #expect(try mine.contains(id))
    }
    try Tool.run(["sh", "-c", "echo d4 >> \(mine.path)"])
    #expect(try mine.contains("d4") && mine.contains("a1"))
    try FileManager.default.removeItem(atPath: mine.path)
    #expect(try !mine.contains("a1"))
  }

  @Test func `simultaneous revocations are all kept`() throws {
    let folder = scratch.file("state/stage")
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      // Each waits for the others for two seconds, which can be too short for a busy machine's disk.
      _ = eventually {
        (try? Revocations(folder: folder).revoke("id-\(number)", at: HandMadeToken.now)) != nil
      }
    }
    #expect(try open().all().count == 40)
  }

  @Test func `an expired revocation is removed a day later, when another one is added`() throws {
    let revocations = open()
    try revocations.revoke("old", expiring: later(10), at: now)
    try revocations.revoke("new", expiring: later(200_000), at: later(10 + 86_300))
    #expect(try revocations.all().map(\.id) == ["new", "old"])
    try revocations.revoke("newer", expiring: later(300_000), at: later(10 + 86_500))
    #expect(try revocations.all().map(\.id) == ["new", "newer"])
  }

  @Test func `a revocation without an expiry is kept for as long as any token lasts`() throws {
    let revocations = open()
    try revocations.revoke("a1", at: now)
    let expiry = try #require(try revocations.all().first?.expiresAt)
    #expect(expiry >= later(366 * 86_400 + 120) && expiry <= later(366 * 86_400 + 122))
  }

  @Test func `revoking a token again does not shorten its revocation`() throws {
    let revocations = open()
    try revocations.revoke("a1", expiring: later(1000), at: now)
    try revocations.revoke("a1", expiring: later(10), at: now)
    let expiry = WallTime(nanoseconds: later(1001).nanoseconds / 1_000_000_000 * 1_000_000_000)
    #expect(try revocations.all().map(\.expiresAt) == [expiry])
  }

  @Test func `a damaged line of the revocation list still revokes its token`() throws {
    let text = "a1 not-a-number\n\nb2\nc3 99999999999999999999\nd4 1 2\n e5 \u{0}\r\nf6 1795000100"
    try FileManager.default.createDirectory(
      atPath: scratch.file("state/stage"), withIntermediateDirectories: true)
    _ = try scratch.write(text, to: "state/stage/revoked-tokens")
    let revocations = open()
    for id in ["a1", "b2", "c3", "d4", "e5", "f6"] { #expect(try revocations.contains(id), "\(id)") }
    try revocations.revoke("g7", at: later(1_000_000))
    for id in ["a1", "b2", "c3", "d4", "e5", "g7"] { #expect(try revocations.contains(id), "\(id)") }
  }

  @Test func `no token is accepted while the revocation list cannot be read`() throws {
    let verifier = try HandMadeToken.verifier(in: scratch)
    #expect(refusal(of: HandMadeToken().text, by: verifier) == nil)
    try FileManager.default.createDirectory(
      atPath: scratch.file("revoked-tokens"), withIntermediateDirectories: false)
    #expect(refusal(of: HandMadeToken().text, by: verifier)?.kind == .revoked)
    try FileManager.default.removeItem(atPath: scratch.file("revoked-tokens"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("revoked-tokens"), withDestinationPath: "/dev/null")
    #expect(refusal(of: HandMadeToken().text, by: verifier)?.kind == .revoked)
  }

  @Test func `a full revocation list refuses another entry with a hint`() throws {
    let revocations = open()
    try revocations.revoke("first", at: now)
    let line = { (number: Int) in "id-\(number) 1799999999\n" }
    try (0..<RevocationList.capacity).map(line).joined().write(
      toFile: revocations.path, atomically: true, encoding: .utf8)
    let error = #expect(throws: TokenFileError.self) { try revocations.revoke("one-more", at: now) }
    #expect(error?.hint.contains("change the secret") == true)
    #expect(try revocations.contains("id-9999"))
    #expect(throws: Never.self) { try revocations.revoke("one-more", at: later(10_000_000)) }
  }

  @Test(arguments: ["", "a b", "a\nb", "ä", String(repeating: "x", count: 129)])
  func `an invalid token id is rejected`(id: String) {
    #expect(throws: TokenFileError.self) { try open().revoke(id, at: now) }
  }

  @Test(.enabled(if: getuid() == 0, "only root acts for others"))
  func `a revocation by root leaves a service's files with their owner`() throws {
    let state = scratch.file("service")
    let owner = { (path: String) in
      try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
    }
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: state)
    let revocations = Revocations(folder: state + "/holdfast/stage")
    try revocations.revoke("a1", at: now)
    try revocations.revoke("b2", at: now)
    #expect(try owner(state + "/holdfast") == 12345 && owner(state + "/holdfast/stage") == 12345)
    #expect(try Revocations(folder: state + "/holdfast/stage").all().map(\.id) == ["a1", "b2"])
    #expect(try owner(revocations.path) == 12345)
  }

  @Test(.enabled(if: getuid() == 0, "only root acts for others"))
  func `a service that swaps its folder for a link leads root nowhere`() throws {
    let (state, secret) = (scratch.file("service"), scratch.file("secret"))
    for folder in [state + "/holdfast", secret] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try #require(chmod(secret, 0o700) == 0)
    for folder in [state, state + "/holdfast"] { try #require(chown(folder, 12345, 12345) == 0) }
    let (real, link) = (state + "/holdfast", state + "/link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret)
    try #require(lchown(link, 12345, 12345) == 0)
    let spare = state + "/spare"
    // As its user could: the folder and the link change places over and over.
    let swapper = RepeatingThread(every: 0) {
      for _ in 0..<50 {
        rename(real, spare)
        rename(link, real)
        rename(real, link)
        rename(spare, real)
      }
    }
    defer { swapper.finish() }
    for number in 0..<2000 {
      try? Revocations(folder: real + "/stage-\(number)").revoke("a1", at: now)
      let reached = try FileManager.default.contentsOfDirectory(atPath: secret)
      guard reached.isEmpty else {
        Issue.record("root was led to \(reached) after \(number + 1) tries")
        return
      }
    }
  }

  @Test func `a symbolic link in place of the revocations' folder is not followed`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("elsewhere"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("stage"), withDestinationPath: scratch.file("elsewhere"))
    #expect(throws: TokenFileError.self) {
      try Revocations(folder: scratch.file("stage")).revoke("a1", at: now)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("elsewhere")) == [])
  }

  @Test func `the revocations' folder is closed to other users`() throws {
    try open().revoke("a1", at: now)
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("state/stage"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }
}
