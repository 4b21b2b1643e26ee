import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastHTTP
@testable import HoldfastTokens

/// Who may send requests, whatever they ask for.
@Suite struct AuthenticatorTests {
  private static let now = WallTime(nanoseconds: 1_795_234_930_000_000_000)
  private let scratch = ScratchFolder()
  private let issuer: TokenIssuer

  init() throws { issuer = try TokenIssuer(in: scratch, session: "Hall") }

  private func caller(
    _ authenticator: Authenticator, _ peer: HTTPRequest.Peer, bearer: String? = nil,
    at now: MonotonicTime = .init(nanoseconds: 0)
  ) throws(APIError) -> Caller {
    var request = HTTPRequest("GET", "/v1/status")
    request.peer = peer
    request.bearer = bearer
    return try authenticator.caller(of: request, at: now, wall: Self.now)
  }

  private func code(_ authenticator: Authenticator, _ peer: HTTPRequest.Peer, bearer: String? = nil)
    -> String?
  {
    failure { () throws(APIError) in try caller(authenticator, peer, bearer: bearer) }
      .map { "\($0.status) \($0.code)" }
  }

  private static let far = HTTPRequest.Peer.remote(address: "192.0.2.7", isSameUser: false)
  private static let near = HTTPRequest.Peer.remote(address: "127.0.0.1", isSameUser: true)

  @Test func `requests over the socket count as the user's own`() throws {
    for authenticator in [Authenticator(), Authenticator(issuer.verifier)] {
      #expect(try caller(authenticator, .local) == .local)
    }
  }

  @Test func `without a secret only the same user is accepted over TCP`() throws {
    #expect(try caller(Authenticator(), Self.near) == .local)
    #expect(code(Authenticator(), Self.far) == "401 tokenMissing")
  }

  @Test func `with a secret every client over TCP needs a token`() {
    let authenticator = Authenticator(issuer.verifier)
    #expect(code(authenticator, Self.near) == "401 tokenMissing")
    #expect(code(authenticator, Self.far) == "401 tokenMissing")
    #expect(authenticator.failedAttempts == 0)
  }

  @Test func `a token identifies its sender, over the socket, too`() throws {
    let text = try issuer.make(for: "Anna", .participant, lasting: .seconds(60), at: Self.now).text
    for peer in [HTTPRequest.Peer.local, Self.near, Self.far] {
      let caller = try caller(Authenticator(issuer.verifier), peer, bearer: text)
      #expect(caller.name == "Anna" && caller.role == .participant)
    }
  }

  @Test func `any token is refused where tokens are not in use`() {
    for peer in [HTTPRequest.Peer.local, Self.near, Self.far] {
      #expect(code(Authenticator(), peer, bearer: "a.b.c") == "401 tokenForged")
    }
  }

  @Test(arguments: ["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
  func `an invalid token is refused and counted`(text: String) {
    let authenticator = Authenticator(issuer.verifier)
    #expect(code(authenticator, .local, bearer: text)?.hasPrefix("401 token") == true)
    #expect(authenticator.failedAttempts == 1)
  }

  @Test func `a revoked token is refused at once`() throws {
    let made = try issuer.make(for: "Anna", .host, lasting: .seconds(60), at: Self.now)
    let authenticator = Authenticator(issuer.verifier)
    #expect(code(authenticator, Self.far, bearer: made.text) == nil)
    try issuer.revoke(made.token.id, at: Self.now)
    #expect(code(authenticator, Self.far, bearer: made.text) == "401 tokenRevoked")
  }

  @Test func `an admitted client is refused once its token has expired or was revoked`() throws {
    let authenticator = Authenticator(issuer.verifier)
    let made = try issuer.make(for: "Anna", .host, lasting: .seconds(60), at: Self.now)
    let caller = try caller(authenticator, Self.far, bearer: made.text)
    let later = WallTime(nanoseconds: Self.now.nanoseconds + 61_000_000_000)
    #expect(authenticator.refusal(of: caller, wall: Self.now) == nil)
    #expect(authenticator.refusal(of: .local, wall: later) == nil)
    #expect(authenticator.refusal(of: caller, wall: later)?.code == "tokenExpired")
    try issuer.revoke(made.token.id, at: Self.now)
    #expect(authenticator.refusal(of: caller, wall: Self.now)?.code == "tokenRevoked")
  }

  @Test func `repeated guesses have to wait, while a valid token is still accepted`() throws {
    let authenticator = Authenticator(issuer.verifier)
    let good = try issuer.make(for: "Anna", .host, lasting: .seconds(60), at: Self.now).text
    for _ in 0..<FailedAttempts.burst {
      #expect(code(authenticator, Self.far, bearer: "x")?.hasPrefix("401") == true)
    }
    #expect(code(authenticator, Self.far, bearer: "x") == "429 tooManyFailures")
    // Somebody else may be behind the same address.
    #expect(code(authenticator, Self.far, bearer: good) == nil)
    #expect(code(authenticator, Self.near, bearer: "x")?.hasPrefix("401") == true)
  }
}
