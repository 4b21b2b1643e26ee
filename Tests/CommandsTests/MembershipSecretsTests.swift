import Foundation
import TestSupport
import Testing

@testable import HoldfastBroadcastCommands
@testable import HoldfastCommands

@Suite struct MembershipSecretsTests {
  private let scratch = ScratchFolder()

  private func refusal(
    _ property: WritableKeyPath<MembershipSettings, String?>, holding text: String?, permissions: Int = 0o600
  ) throws -> Refusal? {
    let path = scratch.file("secret")
    if let text {
      _ = try scratch.write(text, to: "secret")
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
    var settings = MembershipSettings()
    settings[keyPath: property] = "@\(path)"
    return failure { () throws(Refusal) in try MembershipSecrets(settings, environment: [:]).check() }
  }

  @Test(
    arguments: [
      (nil, 0o600, HoldfastCommands.ExitStatus.notFound, "No such file"), ("", 0o600, .usage, "empty"),
      (" \n", 0o600, .usage, "empty"), ("one\ntwo", 0o600, .usage, "not one token"),
      ("token", 0o604, .refused, "open to all users"),
    ] as [(String?, Int, HoldfastCommands.ExitStatus, String)])
  func `a token file that can't be used is refused, with its name and what to do`(
    text: String?, permissions: Int, status: HoldfastCommands.ExitStatus, what: String
  ) throws {
    let refusal = try #require(try refusal(\.token, holding: text, permissions: permissions))
    #expect(refusal.status == status && refusal.what.contains(what), "\(refusal)")
    #expect(refusal.subject.hasPrefix("--session-token @/") && refusal.hint != nil)
  }

  @Test(arguments: ["", "\u{1b}[2J", String(repeating: "x", count: 65)])
  func `a password that no session has is refused`(text: String) throws {
    let refusal = try #require(try refusal(\.password, holding: text))
    #expect(refusal.status == .usage && refusal.subject.hasPrefix("--session-password @/"))
  }

  @Test func `what is not a file is refused: it could be read once`() throws {
    var settings = MembershipSettings()
    settings.token = "@\(scratch.path)"
    let refusal = failure { () throws(Refusal) in try MembershipSecrets(settings, environment: [:]).check() }
    #expect(refusal?.what == "not a regular file")
  }

  @Test(arguments: [0o600, 0o640, 0o400])
  func `files of this user, or of a group, are read without the line end`(permissions: Int) throws {
    #expect(try refusal(\.token, holding: "token\n", permissions: permissions) == nil)
    #expect(try refusal(\.password, holding: "two words\n", permissions: permissions) == nil)
  }

  @Test func `variables are read, and an empty one is refused`() throws {
    var settings = MembershipSettings()
    settings.token = "env:TOKEN"
    #expect(try MembershipSecrets(settings, environment: ["TOKEN": "token"]).token() == "token")
    let empty = MembershipSecrets(settings, environment: ["TOKEN": ""])
    let refusal = failure { () throws(Refusal) in try empty.check() }
    #expect(refusal?.status == .usage && refusal?.subject == "--session-token env:TOKEN")
  }
}
