internal import Foundation
internal import Glibc

/// nginx with its RTMP module, in a process of its own, on ports of its own.
///
/// What its applications do stands in Tests/Peers/Programs/nginx.conf.
package final class NginxRTMP: @unchecked Sendable {  // guarded by `lock`
  private let rtmp: LoopbackPort
  private let rtmps: LoopbackPort
  private let http: LoopbackPort
  private let directory: String
  private let lock = NSLock()
  private var process: PeerProcess?
  /// Who signed its certificate.
  package let authority: String

  /// Starts it; after `idle` seconds without media it drops a publisher, with 0 never.
  package init(in folder: ScratchFolder, certificate: TestCertificate? = nil, idle: Int = 0) throws {
    (rtmp, rtmps, http) = (try LoopbackPort(), try LoopbackPort(), try LoopbackPort())
    directory = folder.file("nginx-\(rtmp.number)")
    let certificate = try certificate ?? TestCertificate(in: folder)
    authority = certificate.authority
    let files = FileManager.default
    for name in ["append", "typed", "auth", "temporary"] {
      try files.createDirectory(atPath: directory + "/" + name, withIntermediateDirectories: true)
    }
    try files.copyItem(atPath: certificate.certificate, toPath: directory + "/certificate.pem")
    try files.copyItem(atPath: certificate.key, toPath: directory + "/key.pem")
    var configuration = try String(contentsOfFile: Peers.script("nginx.conf"), encoding: .utf8)
    let values = [
      "@DIRECTORY@": directory, "@RTMP@": "\(rtmp.number)", "@RTMPS@": "\(rtmps.number)",
      "@HTTP@": "\(http.number)", "@IDLE@": "\(idle)s",
    ]
    for (name, value) in values {
      configuration = configuration.replacingOccurrences(of: name, with: value)
    }
    try configuration.write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
    try start()
  }

  package var port: UInt16 { rtmp.number }
  package var securePort: UInt16 { rtmps.number }

  package func url(_ application: String, _ name: String) -> String {
    "rtmp://127.0.0.1:\(port)/\(application)/\(name)"
  }

  /// For the name in its certificate.
  package func secureURL(_ application: String, _ name: String) -> String {
    "rtmps://localhost:\(securePort)/\(application)/\(name)"
  }

  /// The file that a publish is recorded to.
  package func recording(_ application: String, _ name: String) -> String {
    "\(directory)/\(application)/\(name).flv"
  }

  /// Starts it again, on the same port; returns when it takes connections.
  package func start() throws {
    try lock.withLock {
      let command = [
        "/usr/sbin/nginx", "-p", directory, "-c", directory + "/nginx.conf", "-e", directory + "/error.log",
      ]
      let started = try PeerProcess(
        command, output: directory + "/output.log", errors: directory + "/error.log")
      process = started
      try started.waitUntilReady(port)
      try started.waitUntilReady(http.number)
    }
  }

  /// Asks it to end: it closes its connections properly.
  package func stop() {
    end(SIGTERM)
  }

  /// As if its machine's power failed, but for the kernel, which closes its connections.
  package func kill() {
    end(SIGKILL)
  }

  /// It holds its connections and does nothing any more.
  package func freeze() {
    lock.withLock { process?.signal(SIGSTOP) }
  }

  package func thaw() {
    lock.withLock { process?.signal(SIGCONT) }
  }

  private func end(_ signal: Int32) {
    lock.withLock {
      process?.signal(signal)
      _ = Peers.wait(atMost: 5) { process?.hasEnded ?? true }
      process?.stop()
      process = nil
    }
  }

  /// Throws a publisher out, as an administrator would.
  package func drop(_ application: String, _ name: String) throws {
    try Tool.run([
      "curl", "-fsS", "-o", "/dev/null",
      "http://127.0.0.1:\(http.number)/control/drop/publisher?app=\(application)&name=\(name)",
    ])
  }

  /// Every publish that was asked for, the oldest first.
  package func publishes() -> [PublishRecord] {
    let text = try? String(contentsOfFile: directory + "/callbacks.log", encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { PublishRecord(logLine: String($0)) }
  }

  /// When publishers left, in seconds of the wall clock, the earliest first.
  package func departures() -> [Double] {
    let text = try? String(contentsOfFile: directory + "/departures.log", encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap {
      $0.split(separator: " ").first.flatMap { Double($0) }
    }
  }

  /// What it wrote to its own log.
  package var log: String {
    (try? String(contentsOfFile: directory + "/error.log", encoding: .utf8)) ?? ""
  }
}
