import Foundation
import HoldfastControl
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastTokens
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct TokenCommandTests {
  private let scratch = ScratchFolder()
  private let now = WallTime(nanoseconds: 1_795_000_000_500_000_000)
  private var environment: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }

  private func answer(
    _ arguments: [String], _ more: [String: String] = [:]
  ) throws(Refusal) -> (output: String?, note: String?) {
    try TokenCommand(arguments, environment: environment.merging(more) { $1 }).answer(at: now)
  }

  private func refusal(_ arguments: [String], _ more: [String: String] = [:]) -> Refusal? {
    failure { () throws(Refusal) in try answer(arguments, more) }
  }

  private func newSecret() throws -> String {
    let path = scratch.file("secret")
    _ = try answer(["--new-secret", path])
    return path
  }

  private let anna = ["--name", "Anna", "--role", "manager", "--session", "Stage"]

  private func verifier(_ secret: String) throws -> TokenVerifier {
    try TokenVerifier(
      secret: CurrentSecret(TokenSecret(contentsOf: secret)), session: "STAGE",
      revocations: Revocations(session: "STAGE", environment: environment, .usage, for: "test"))
  }

  @Test func `a new token is the only output, and a note describes it`() throws {
    let secret = try newSecret()
    let made = try answer(["--secret", secret, "--lasts", "90m"] + anna)
    let caller = try verifier(secret).verify(#require(made.output), at: now)
    #expect(caller.name == "Anna" && caller.role.rawValue == "manager")
    #expect(made.note == "token \(caller.tokenID ?? ""), manager, until 2026-11-18T12:36:41.000Z")
  }

  @Test func `a token lasts two hours, and the secret may be named in the environment`() throws {
    let secret = try newSecret()
    let text = try #require(try answer(anna, ["HOLDFAST_TOKEN_SECRET": secret]).output)
    let caller = try verifier(secret).verify(text, at: now)
    #expect(caller.expiresAt == WallTime(nanoseconds: 1_795_007_201_000_000_000))
  }

  @Test func `a revoked token is refused by a verifier that is already running`() throws {
    let secret = try newSecret()
    let text = try #require(try answer(["--secret", secret] + anna).output)
    let verifier = try verifier(secret)
    let id = try #require(try verifier.verify(text, at: now).tokenID)
    let told = try answer(["--revoke", id, "--session", "stage"])
    #expect(told.output == nil && told.note?.hasPrefix("revoked token \(id) of stage in ") == true)
    #expect { try verifier.verify(text, at: now) } throws: { ($0 as? TokenError)?.kind == .revoked }
    #expect(try answer(["--list-revoked", "--session=sTaGe"]).output == "\(id) 2027-11-19T11:08:41.000Z")
  }

  @Test func `revocations are stored beside the journal`() throws {
    _ = try answer(["--revoke", "a1", "--session", "stage"])
    #expect(FileManager.default.fileExists(atPath: scratch.file("state/holdfast/stage/revoked-tokens")))
  }

  @Test func `a session without revocations lists nothing`() throws {
    #expect(try answer(["--list-revoked", "--session", "stage"]).output == nil)
  }

  @Test func `a token is revoked at a hub by its id, with an operator's token`() throws {
    let hub = try FakeHub()
    let answer = try answer(
      ["--revoke", "a1", "--hub", hub.origin, "--token", "env:TOKEN"], ["TOKEN": "abc.def"])
    #expect(answer.output == nil && answer.note == "revoked token a1 at \(hub.origin)")
    #expect(hub.received.map { [$0.path, $0.bearer] } == [["/v1/revocations", "abc.def"]])
    #expect(hub.commands == [#"{"id":"a1"}"#])
  }

  @Test(arguments: [
    (404, "noSuchToken", HoldfastCommands.ExitStatus.usage), (401, "tokenRevoked", .refused),
    (403, "notAllowed", .refused), (503, "notTaken", .gaveUp),
  ])
  func `a hub's refusal to revoke has a status of its own`(
    status: Int, code: String, expected: HoldfastCommands.ExitStatus
  ) throws {
    let hub = try FakeHub { _, _ in HTTPResponse(APIError(status, code, "no", retryAfter: .zero)) }
    let refusal = refusal(["--revoke", "a1", "--hub", hub.origin, "--token", "env:TOKEN"], ["TOKEN": "a.b"])
    #expect(refusal?.status == expected && refusal?.description.hasPrefix("hub \(hub.origin): no") == true)
  }

  @Test(arguments: [
    ["--revoke", "a1", "--hub", "https://hub"], ["--revoke", "a1", "--token", "env:TOKEN"],
    ["--revoke", "a1", "--hub", "http://hub", "--token", "env:TOKEN"],
    ["--revoke", "a1", "--hub", "https://hub/Hall", "--token", "env:TOKEN"],
    ["--revoke", "a1", "--hub", "https://hub", "--token", "env:TOKEN", "--session", "Hall"],
    ["--list-revoked", "--hub", "https://hub", "--token", "env:TOKEN"],
  ])
  func `what a hub can't be asked for is a usage error`(arguments: [String]) {
    #expect(refusal(arguments, ["TOKEN": "a.b"])?.status == .usage)
  }

  @Test func `an existing secret is never overwritten`() throws {
    let secret = try newSecret()
    let hint = "choose another name, or remove it first"
    let expected = Refusal(.refused, "--new-secret", "\(secret) already exists", hint)
    #expect(refusal(["--new-secret", secret]) == expected)
  }

  @Test func `a secret that is missing or readable by others is refused`() throws {
    #expect(refusal(["--secret", scratch.file("none")] + anna)?.status == .notFound)
    let open = try scratch.write(String(repeating: "x", count: 64), to: "open")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
    #expect(refusal(["--secret", open] + anna)?.status == .refused)
  }

  @Test func `a token name that is too long is a usage error`() throws {
    let long = String(repeating: "x", count: 201)
    let options = ["--secret", try newSecret(), "--name", long, "--role", "host", "--session", "stage"]
    #expect(refusal(options) == Refusal(.usage, "token", "the name has 201 characters", "use 1 to 200"))
  }

  @Test func `a session name can't lead to another folder`() {
    #expect(refusal(["--revoke", "a1", "--session", "../other"])?.status == .usage)
  }

  @Test func `making a token exits with status 0`() throws {
    let secret = try newSecret()
    #expect(try TokenCommand(["--secret", secret] + anna, environment: environment).run() == 0)
  }
}
