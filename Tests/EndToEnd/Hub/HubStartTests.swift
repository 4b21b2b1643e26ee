import TestSupport
import TestTraits
import Testing

/// What keeps a hub from starting: who reads the log has to know what to do.
@Suite(.realTime) struct HubStartTests {
  private let folder = ScratchFolder()

  private func refusal(_ options: [String]) throws -> (status: Int32, text: String) {
    let result = try HoldfastProcess.run(
      ["hub"] + options, environment: ["XDG_STATE_HOME": folder.file("state")])
    return (result.status, result.output + result.errors)
  }

  @Test func `a hub that members can't publish to says which option is missing`() throws {
    let secret = try SecretFile(in: folder)
    let everywhere = ["--listen", "0.0.0.0:0", "--token-secret", secret.path, "--insecure-lan"]
    for (options, hint) in [
      (everywhere, "--media-name NAME"),
      (["--listen", "127.0.0.1:0", "--public-url", "https://hub.example"], "--media-port off"),
      (["--listen", "127.0.0.1:0", "--store", "redis://127.0.0.1:1"], "--ingest PATTERN"),
    ] {
      let (status, text) = try refusal(options)
      #expect(status == 64)
      #expect(text.contains(hint), "\(text)")
    }
  }

  @Test func `a taken port is no wrong command line: the next start may find it free`() throws {
    let hub = try HubProcess(in: folder, options: ["--media-port", "off"])
    defer { hub.stop() }
    let (status, text) = try refusal(["--listen", "127.0.0.1:\(hub.port)", "--media-port", "off"])
    #expect(status == 71)
    #expect(text.contains("\(hub.port)"), "\(text)")
  }

  @Test func `a Redis that can't hold sessions is told at the start`() throws {
    let redis = try RedisServer(
      in: folder, options: ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"])
    let (status, text) = try refusal([
      "--listen", "127.0.0.1:0", "--media-port", "off", "--store", "redis://127.0.0.1:\(redis.port)",
    ])
    #expect(status == 78)
    #expect(text.contains("set it to noeviction"), "\(text)")
  }
}
