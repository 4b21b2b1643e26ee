import Foundation
import Glibc

/// A redis-server with a port and data of its own, which it keeps when it is started again.
package final class RedisServer: Peer {
  private let reserved: LoopbackPort
  private let folder: String
  private let arguments: [String]
  package let process: PeerProcess

  /// `options` are those of redis.conf, such as `["--requirepass", "secret"]`. With a certificate it speaks TLS only.
  package init(in folder: ScratchFolder, certificate: TestCertificate? = nil, options: [String] = []) throws {
    reserved = try LoopbackPort()
    let port = reserved.number
    self.folder = folder.file("redis-\(port)")
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    var arguments = [
      "--bind", "127.0.0.1", "--dir", self.folder, "--save", "", "--enable-debug-command", "local",
    ]
    if let certificate {
      arguments += ["--port", "0", "--tls-port", "\(port)", "--tls-auth-clients", "no"]
      arguments += ["--tls-cert-file", certificate.certificate, "--tls-key-file", certificate.key]
      arguments += ["--tls-ca-cert-file", certificate.authority]
    } else {
      arguments += ["--port", "\(port)"]
    }
    self.arguments = arguments + options
    process = try PeerProcess(["redis-server"] + self.arguments, serving: port, log: self.folder + "/output")
  }

  /// A Redis Sentinel that watches `master` by itself, under a name, and replaces it half a second after its end.
  package init(in folder: ScratchFolder, watching master: RedisServer, as name: String) throws {
    reserved = try LoopbackPort()
    self.folder = folder.file("sentinel-\(reserved.number)")
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    let configuration = """
      port \(reserved.number)
      bind 127.0.0.1
      dir \(self.folder)
      sentinel monitor \(name) 127.0.0.1 \(master.port) 1
      sentinel down-after-milliseconds \(name) 500
      sentinel failover-timeout \(name) 5000

      """
    // Sentinel keeps its state in there.
    let file = self.folder + "/sentinel.conf"
    try configuration.write(toFile: file, atomically: true, encoding: .utf8)
    arguments = [file, "--sentinel"]
    process = try PeerProcess(
      ["redis-server"] + arguments, serving: reserved.number, log: self.folder + "/output")
  }

  package var port: UInt16 { reserved.number }

  /// What `redis-cli` prints.
  @discardableResult
  package func ask(_ command: String...) throws -> String { try ask(command) }

  @discardableResult
  package func ask(_ command: [String]) throws -> String {
    try Tool.run(["redis-cli", "-p", "\(port)"] + command).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A field of `INFO replication`.
  package func replication(_ field: String) throws -> String? {
    let lines = try ask("INFO", "replication").split(whereSeparator: \.isNewline)
    let line = lines.first { $0.hasPrefix(field + ":") }
    return line?.dropFirst(field.count + 1).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
