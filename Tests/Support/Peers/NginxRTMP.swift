import Foundation
import Glibc

/// nginx with its RTMP module, in a process and on ports of its own. Tests/Peers/Programs/nginx.conf defines
/// its applications.
package final class NginxRTMP: Peer {
  private let rtmp: LoopbackPort
  private let rtmps: LoopbackPort
  private let http: LoopbackPort
  private let directory: String
  package let process: PeerProcess
  /// The file of the CA certificate.
  package let authority: String

  package init(in folder: ScratchFolder, certificate kind: TestCertificate.Kind = .valid) throws {
    (rtmp, rtmps, http) = (try LoopbackPort(), try LoopbackPort(), try LoopbackPort())
    directory = folder.file("nginx-\(rtmp.number)")
    let certificate = try TestCertificate(in: folder, kind)
    authority = certificate.authority
    let files = FileManager.default
    for name in ["append", "typed", "auth", "temporary"] {
      try files.createDirectory(atPath: directory + "/" + name, withIntermediateDirectories: true)
    }
    try files.copyItem(atPath: certificate.certificate, toPath: directory + "/certificate.pem")
    try files.copyItem(atPath: certificate.key, toPath: directory + "/key.pem")
    var configuration = try String(contentsOfFile: peerProgram("nginx.conf"), encoding: .utf8)
    let values = [
      "@DIRECTORY@": directory, "@RTMP@": "\(rtmp.number)", "@RTMPS@": "\(rtmps.number)",
      "@HTTP@": "\(http.number)",
    ]
    for (name, value) in values { configuration = configuration.replacingOccurrences(of: name, with: value) }
    try configuration.write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
    process = try PeerProcess(
      ["/usr/sbin/nginx", "-p", directory, "-c", directory + "/nginx.conf", "-e", directory + "/error.log"],
      output: directory + "/output.log", errors: directory + "/error.log"
    ) { [rtmp, http] _ in LoopbackPort.answers(rtmp.number) && LoopbackPort.answers(http.number) }
  }

  package var port: UInt16 { rtmp.number }
  package var securePort: UInt16 { rtmps.number }

  package func url(_ application: String, _ name: String) -> String {
    "rtmp://127.0.0.1:\(port)/\(application)/\(name)"
  }

  package func recording(_ application: String, _ name: String) -> String {
    "\(directory)/\(application)/\(name).flv"
  }

  /// Stops the server gracefully: it closes its connections.
  package func stop() {
    process.signal(SIGTERM)
    _ = eventually(within: 5) { process.hasEnded }
    process.stop()
  }

  /// Disconnects a publisher through the control module.
  package func drop(_ application: String, _ name: String) throws {
    try Tool.run([
      "curl", "-fsS", "-o", "/dev/null",
      "http://127.0.0.1:\(http.number)/control/drop/publisher?app=\(application)&name=\(name)",
    ])
  }

  package func publishes() -> [PublishRecord] {
    lines(ofFile: directory + "/callbacks.log").compactMap(PublishRecord.init(logLine:))
  }

  /// When publishers left, in seconds of the wall clock, oldest first.
  package func departures() -> [Double] {
    lines(ofFile: directory + "/departures.log").compactMap {
      $0.split(separator: " ").first.flatMap { Double($0) }
    }
  }
}

/// A publish request, from the server's log.
package struct PublishRecord: Hashable, Sendable {
  package let application: String
  package let name: String
  /// `live`, `record` or `append`, as received.
  package let type: String
  package let isAccepted: Bool

  /// Parses `1763722200.123 app name type=record status=200`.
  init?(logLine: String) {
    let words = logLine.split(separator: " ").map(String.init)
    guard words.count == 5, words[3].hasPrefix("type="), words[4].hasPrefix("status=") else { return nil }
    application = words[1]
    name = words[2]
    type = String(words[3].dropFirst(5))
    isAccepted = words[4] == "status=200"
  }
}
