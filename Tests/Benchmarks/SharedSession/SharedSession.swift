import Foundation
import HoldfastMediaModel
import TestSupport

/// Five boxes in one session, through all that can happen to them and to their hubs.
enum SharedSession {
  static func run(_ arguments: Arguments) throws -> Bool {
    var checks = Claims()
    say("two hubs behind nginx, Redis, media on a server of its own")
    try twoHubs(&checks)
    say("one hub with SQLite and its embedded media server, killed and back")
    try oneHub(&checks)
    say("its programme: two hubs, three workers, a server that begins anew unless it is told to append")
    try OnAir(TwoHubs()).run(&checks)
    return checks.conclude()
  }

  private static let names = ["Left", "Centre", "Right", "Desk", "Door"]

  private static func twoHubs(_ checks: inout Claims) throws {
    let house = try TwoHubs()
    let boxes = try names.enumerated().map { index, name in
      try SessionBox(name, at: house.address, token: house.token(index < 2 ? "host" : "participant", name))
    }
    var evening = Evening(boxes: boxes, host: try house.host(), session: TwoHubs.session)
    try evening.begin(manager: house.token("participant", "Max"), &checks)
    house.hubs[0].kill()
    try evening.goOn(after: "one of two hubs was killed", &checks)
    house.redis.process.signal(SIGSTOP)
    try evening.withoutStore(&checks) { house.redis.process.signal(SIGCONT) }
    try evening.end(&checks)
  }

  private static func oneHub(_ checks: inout Claims) throws {
    let folder = ScratchFolder()
    let hub = try HubProcess(in: folder, options: ["--media-port", "0"])
    defer { withExtendedLifetime(hub) {} }
    let boxes = try names.map { try SessionBox($0, at: hub.address(of: TwoHubs.session), token: nil) }
    var evening = Evening(boxes: boxes, host: hub.client(), session: TwoHubs.session)
    try evening.begin(manager: nil, &checks)
    hub.kill()
    // Longer than a lease.
    Thread.sleep(forTimeInterval: 25)
    try hub.start()
    try evening.goOn(after: "the hub was away for 25 s", &checks)
    try evening.end(&checks)
  }
}

/// Two hubs behind nginx, with one address, a Redis and a media server.
final class TwoHubs {
  static let session = "Hall"

  let redis: RedisServer
  let media: NginxRTMP
  let hubs: [HubProcess]
  let proxy: HubProxy
  private let folder = ScratchFolder()
  private let secret: SecretFile

  init() throws {
    secret = try SecretFile(in: folder)
    (redis, media) = (try RedisServer(in: folder), try NginxRTMP(in: folder))
    hubs = try (1...2).map { [secret, redis, media, folder] _ in
      try HubProcess(
        in: folder,
        options: [
          "--store", "redis://127.0.0.1:\(redis.port)/0", "--token-secret", secret.path, "--trusted-proxy",
          "127.0.0.1", "--public-url", "http://localhost", "--ingest",
          media.url("append", "{session}.{member}?key={key}"), "--play",
          media.url("append", "{session}.{member}"),
        ])
    }
    proxy = try HubProxy(to: hubs.map(\.port), in: folder)
  }

  func host() throws -> HubClient { HubClient(port: proxy.port, token: try token("host", "Anna")) }

  var address: String { "http://127.0.0.1:\(proxy.port)/\(Self.session)" }

  func token(_ role: String, _ name: String, of session: String = session) throws -> String {
    try secret.token(name, role, of: session)
  }
}

/// nginx before hubs, as in samples/hubs.nginx.conf but without TLS.
final class HubProxy {
  private let reserved: LoopbackPort
  private let process: PeerProcess

  var port: UInt16 { reserved.number }

  init(to hubs: [UInt16], in folder: ScratchFolder) throws {
    reserved = try LoopbackPort()
    let port = reserved.number
    let servers = hubs.map { "server 127.0.0.1:\($0) max_fails=1 fail_timeout=2s;" }.joined(separator: "\n")
    let text = """
      pid \(folder.file("proxy.pid")); daemon off; master_process off;
      events { worker_connections 1024; }
      http {
        access_log off;
        upstream hubs { \(servers) keepalive 16; }
        server {
          listen 127.0.0.1:\(port);
          location / {
            proxy_pass http://hubs; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;
            proxy_buffering off; proxy_connect_timeout 2s;
            proxy_next_upstream error timeout non_idempotent;
          }
        }
      }
      """
    let path = try folder.write(text, to: "proxy.conf")
    process = try PeerProcess(
      ["/usr/sbin/nginx", "-p", folder.path, "-c", path, "-e", folder.file("nginx.log")], serving: port,
      log: folder.file("proxy"))
  }
}
