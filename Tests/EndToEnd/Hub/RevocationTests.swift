import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// A token that is revoked at one of two hubs, as processes with a Redis.
@Suite(.realTime) struct RevocationTests {
  private let folder = ScratchFolder()
  private let redis: RedisServer
  private let places = [ScratchFolder(), ScratchFolder()]
  private let hubs: [HubProcess]
  private let secret: SecretFile

  init() throws {
    redis = try RedisServer(in: folder)
    secret = try SecretFile(in: folder)
    let options = [
      "--store", "redis://127.0.0.1:\(redis.port)/0", "--token-secret", secret.path, "--media-port", "off",
    ]
    hubs = try places.map { try HubProcess(in: $0, options: options) }
  }

  private func verdict(_ token: String, at hub: HubProcess) throws -> String {
    try hub.client(token: token).send("GET", "/v1/sessions/Hall").verdict
  }

  @Test func `a token that is revoked at one hub is refused by both, whatever is restarted`() throws {
    let host = try secret.token("Anna", "host", of: "Hall")
    let guest = try secret.token("Max", "participant", of: "Hall")
    let join: JSONValue = ["key": "a-key-of-the-tests", "name": "Anna", "kind": "box"]
    for token in [host, guest] {
      #expect(try hubs[0].client(token: token).send("POST", "/v1/sessions/Hall/join", join).status == 200)
    }
    let stream = try WireClient(port: hubs[1].port)
    stream.send(
      "GET /v1/sessions/Hall/events HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer \(guest)\r\n\r\n")
    try stream.wait(for: "event: reset")

    let revoked = try hubs[0].client(token: host).send("POST", "/v1/revocations", ["token": .text(guest)])
    #expect(try [revoked.verdict, verdict(guest, at: hubs[0])] == ["200", "401 tokenRevoked"])
    #expect(try eventually { try verdict(guest, at: hubs[1]) == "401 tokenRevoked" })
    try stream.wait(for: "event: tokenRevoked")
    #expect(eventually { stream.isHungUp })

    for hub in hubs {
      hub.kill()
      try hub.start()
      #expect(try verdict(guest, at: hub) == "401 tokenRevoked")
    }
    // The one that learned it last knows it without the store, and gives it back to one that has forgotten.
    redis.kill()
    hubs[1].kill()
    try hubs[1].start()
    #expect(try verdict(guest, at: hubs[1]) == "401 tokenRevoked")
    hubs[0].kill()
    try redis.start()
    #expect(try eventually { try redis.ask("ZCARD", "hf:revoked") == "1" })
    #expect(try verdict(host, at: hubs[1]) == "404 noSuchSession")
  }

  @Test func `an operator revokes a token by its id from the command line`() throws {
    let made = try HoldfastProcess.run(
      ["token", "--secret", secret.path, "--name", "Max", "--role", "participant", "--session", "Hall"])
    let guest = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let id = String(made.errors.drop { $0 != " " }.dropFirst().prefix { $0 != "," })
    let path = try folder.write(try secret.token("Olga", "operator", of: "*"), to: "operator.token")
    #expect(try verdict(guest, at: hubs[1]) == "404 noSuchSession")
    let hub = "http://127.0.0.1:\(hubs[0].port)"
    let result = try HoldfastProcess.run(["token", "--revoke", id, "--hub", hub, "--token", "@\(path)"])
    #expect(result.status == 0 && result.errors.contains("revoked token \(id) at \(hub)"), "\(result.errors)")
    #expect(try eventually { try verdict(guest, at: hubs[1]) == "401 tokenRevoked" })
    let unknown = try HoldfastProcess.run(["token", "--revoke", "a1", "--hub", hub, "--token", "@\(path)"])
    #expect(unknown.status == 64 && unknown.errors.contains("no token with this id"), "\(unknown.errors)")
  }
}
