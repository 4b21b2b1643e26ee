import Foundation
import HoldfastTokens
import TestSupport

/// A hub as it is in use, with the store that it needs. Both end with this program.
final class HubStack {
  enum Store: String { case redis, sqlite }

  let port: LoopbackPort
  let secret: TokenSecret
  private let folder = ScratchFolder()
  private let redis: RedisServer?
  private let certificate: TestCertificate?
  private let hub: PeerProcess

  /// Ten thousand members, their streams, and room for those that come back before the old connection is gone.
  private static let connections = 12_000

  init(_ store: Store, usesTLS: Bool) throws {
    port = try LoopbackPort()
    try TokenSecret.makeFile(folder.file("secret"))
    secret = try TokenSecret(contentsOf: folder.file("secret"))
    certificate = usesTLS ? try TestCertificate(in: folder) : nil
    redis = store == .redis ? try RedisServer(in: folder, options: ["--appendonly", "yes"]) : nil
    let address = redis.map { "redis://127.0.0.1:\($0.port)" } ?? folder.file("sessions.sqlite")
    var command = [
      HoldfastProcess.program.path, "hub", "--listen", "127.0.0.1:\(port.number)", "--media-port", "off",
      "--max-connections", "\(Self.connections)", "--token-secret", folder.file("secret"), "--store", address,
    ]
    if let certificate { command += ["--tls-cert", certificate.certificate, "--tls-key", certificate.key] }
    let shell = ["sh", "-c", "ulimit -n 30000 2>/dev/null; exec \"$@\"", "hub"]
    let environment = ["env", "XDG_STATE_HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)"]
    hub = try PeerProcess(environment + shell + command, serving: port.number, log: folder.file("hub"))
  }

  /// Starts the hub after it was killed.
  func start() throws { try hub.start() }

  func kill() { hub.stop() }

  func stop() {
    kill()
    redis?.kill()
  }

  /// The store has failed over: all leases are over.
  func beginEpoch() throws { try redis?.ask("DEBUG", "CHANGE-REPL-ID") }

  var hubProcess: pid_t { hub.identifier ?? 0 }

  var processes: [(name: String, id: pid_t)] {
    let redis = redis?.process.identifier.map { ("redis-server", $0) }
    return [("hub", hubProcess)] + [redis].compactMap(\.self) + [("load", getpid())]
  }

  /// The hub's last words.
  var log: String { hub.text.split(separator: "\n").suffix(5).joined(separator: "\n") }
}
