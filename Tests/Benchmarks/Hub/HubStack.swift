import Foundation
import HoldfastTokens
import TestSupport

/// A hub as it is in use, with the store that it needs. Both end with this program.
final class HubStack {
  enum Store: String { case redis, sqlite }

  let store: Store
  let usesTLS: Bool
  let port: LoopbackPort
  let secret: TokenSecret
  private let folder = ScratchFolder()
  private let redis: RedisServer?
  private let certificate: TestCertificate?
  private var hub: PeerProcess?

  /// Ten thousand members, their streams, and room for those that come back before the old connection is gone.
  private static let connections = 12_000

  init(_ store: Store, usesTLS: Bool) throws {
    self.store = store
    self.usesTLS = usesTLS
    port = try LoopbackPort()
    try TokenSecret.makeFile(folder.file("secret"))
    secret = try TokenSecret(contentsOf: folder.file("secret"))
    certificate = usesTLS ? try TestCertificate(in: folder) : nil
    redis = store == .redis ? try RedisServer(in: folder, options: ["--appendonly", "yes"]) : nil
    try start()
  }

  /// Starts the hub, also after it was killed.
  func start() throws {
    var command = ["holdfast", "hub", "--listen", "127.0.0.1:\(port.number)", "--media-port", "off"]
    command[0] = HoldfastProcess.program.path
    command += ["--max-connections", "\(Self.connections)", "--token-secret", folder.file("secret")]
    if let redis {
      command += ["--store", "redis://127.0.0.1:\(redis.port)"]
    } else {
      command += ["--store", folder.file("sessions.sqlite")]
    }
    if let certificate {
      command += ["--tls-cert", certificate.certificate, "--tls-key", certificate.key]
    }
    let shell = ["sh", "-c", "ulimit -n 30000 2>/dev/null; exec \"$@\"", "hub"]
    let environment = ["env", "XDG_STATE_HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)"]
    hub = try PeerProcess(
      environment + shell + command, output: folder.file("hub.output"), errors: folder.file("hub.errors")
    ) { [number = port.number] _ in LoopbackPort.answers(number) }
  }

  func kill() {
    hub?.stop()
    hub = nil
  }

  func stop() {
    kill()
    redis?.kill()
  }

  /// The store has failed over: all leases are over.
  func beginEpoch() throws { try redis?.ask("DEBUG", "CHANGE-REPL-ID") }

  var processes: [(name: String, id: pid_t)] {
    let all = [("hub", hub?.identifier), ("redis-server", redis?.process.identifier)]
    return all.compactMap { name, id in id.map { (name, $0) } } + [("load", getpid())]
  }

  /// The hub's last words.
  var log: String { hub?.text.split(separator: "\n").suffix(5).joined(separator: "\n") ?? "" }
}
