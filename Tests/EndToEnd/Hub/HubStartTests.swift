import TestSupport
import TestTraits
import Testing

/// What keeps a hub from starting: who reads the log has to know what to do.
@Suite(.realTime) struct HubStartTests {
  private let folder = ScratchFolder()

  private func expectRefusal(_ options: [String], _ status: Int32, says hint: String) throws {
    let result = try HoldfastProcess.run(
      ["hub"] + options, environment: ["XDG_STATE_HOME": folder.file("state")])
    let text = result.output + result.errors
    #expect(result.status == status && text.contains(hint), "\(result.status): \(text)")
  }

  @Test func `a hub that members can't publish to says which option is missing`() throws {
    let secret = try SecretFile(in: folder).path
    for (options, hint) in [
      (["--listen", "0.0.0.0:0", "--token-secret", secret, "--insecure-lan"], "--media-name NAME"),
      (["--listen", "127.0.0.1:0", "--public-url", "https://hub.example"], "--media-port off"),
      (["--listen", "127.0.0.1:0", "--store", "redis://127.0.0.1:1"], "--ingest PATTERN"),
    ] {
      try expectRefusal(options, 64, says: hint)
    }
  }

  @Test func `a taken port is no wrong command line: the next start may find it free`() throws {
    let hub = try HubProcess(in: folder, options: ["--media-port", "off"])
    defer { hub.stop() }
    try expectRefusal(["--listen", "127.0.0.1:\(hub.port)", "--media-port", "off"], 71, says: "\(hub.port)")
  }

  @Test func `a Redis that can't hold sessions is told at the start`() throws {
    let redis = try RedisServer(
      in: folder, options: ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"])
    let options = ["--listen", "127.0.0.1:0", "--store", "redis://127.0.0.1:\(redis.port)"]
    try expectRefusal(options + ["--media-port", "off"], 78, says: "set it to noeviction")
  }
}
