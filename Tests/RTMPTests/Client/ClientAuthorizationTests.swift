import Testing

@testable import HoldfastRTMP

/// The two methods of servers that ask for user and password in a description. The client's challenge is `01020304`.
@Suite struct ClientAuthorizationTests {
  private static let adobe = "[ AccessManager.Reject ] : [ authmod=adobe ] : "

  private static func answer(
    to description: String, url: String = "rtmp://user:secret@host/app/key"
  ) throws -> Conversation {
    let answer: ScriptedServer.Answer = { [.error($0, "NetConnection.Connect.Rejected", description)] }
    return try Conversation(.smallPieces, url: url, answers: ["connect": answer]).settled()
  }

  @Test(arguments: [
    ("[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] : ", "authmod=adobe&user=user"),
    ("[ AccessManager.Reject ] : [ code=403 need auth; authmod=llnw ] : ", "authmod=llnw&user=user"),
    (
      adobe + "?reason=needauth&user=user&salt=c2FsdA==&challenge=AAAAbg==&opaque=b3BhcXVl",
      "authmod=adobe&user=user&challenge=01020304&response=wxb/UUKafHLXiAROjn9+Mw==&opaque=b3BhcXVl"
    ),
    (
      adobe + "?reason=needauth&user=user&salt=c2FsdA==&challenge=AAAAbg==",
      "authmod=adobe&user=user&challenge=01020304&response=LO2s7cU6vTldFTtX4by3bA=="
    ),
    (
      "[ AccessManager.Reject ] : [ authmod=llnw ] : ?reason=needauth&user=user&nonce=abc",
      "authmod=llnw&user=user&nonce=abc&cnonce=01020304&nc=00000001&response=05cd5f1cfc95c566dea74bb269f6b78c"
    ),
  ])
  func `a server's challenge is answered with arguments for a new connection`(
    description: String, arguments: String
  ) throws {
    let expected = RTMPAuthorization(arguments: arguments)
    #expect(try Self.answer(to: description).events == [.authorizationRequested(expected)])
  }

  @Test func `Limelight's digest covers the whole application`() throws {
    let conversation = try Self.answer(
      to: "[ authmod=llnw ] : ?reason=needauth&user=user&nonce=abc",
      url: "rtmp://user:secret@host/app/inst/key")
    let arguments =
      "authmod=llnw&user=user&nonce=abc&cnonce=01020304&nc=00000001&response=5abd61b9581bd386a3edd9bce802491d"
    #expect(conversation.events == [.authorizationRequested(RTMPAuthorization(arguments: arguments))])
  }

  @Test(arguments: [
    (adobe + "?reason=authfailed&opaque=x", "rtmp://user:secret@host/app/key"),
    (adobe + "?reason=nosuchuser", "rtmp://user:secret@host/app/key"),
    (adobe + "?reason=needauth&salt=a&challenge=b", "rtmp://host/app/key"),
    (adobe, "rtmp://user@host/app/key"),
  ])
  func `wrong or missing credentials are a refusal without another attempt`(
    description: String, url: String
  ) throws {
    #expect(try Self.answer(to: description, url: url).refusal?.reason == .credentials)
  }

  @Test(arguments: ["rtmp://host/app/key", "rtmp://host/app?a=b/key"])
  func `a new connection carries the authorization in app and tcUrl`(url: String) throws {
    let separator = url.contains("?") ? "&" : "?"
    let authorization = RTMPAuthorization(arguments: "authmod=adobe")
    let conversation = try Conversation(url: url, authorization: authorization).settled()
    let connect = try #require(conversation.server.command("connect")?.last)
    #expect(connect["app"]?.text?.hasSuffix("\(separator)authmod=adobe") == true)
    #expect(connect["tcUrl"]?.text?.hasSuffix("\(separator)authmod=adobe") == true)
  }
}
