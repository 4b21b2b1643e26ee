internal import Foundation
internal import Glibc
package import HoldfastMediaModel

/// GStreamer's RTSP server, which records what is announced to it: `NAME-1.mkv`, `NAME-2.mkv`, a file for each RECORD.
package final class RTSPRecorder: Sendable {
  package enum Credentials: Sendable {
    case none, basic, digest
  }

  package static let user = "studio"
  package static let password = "secret"

  private let reserved: LoopbackPort
  private let directory: String
  private let process: PeerProcess

  /// `tracks` are those that are expected, in their order; a silent publisher is dropped after `timeout` seconds; with `isExclusive` a
  /// name has one publisher only.
  package init(
    in folder: ScratchFolder, tracks: [Codec] = [.h264, .aac], credentials: Credentials = .none,
    timeout: Int = 60, isExclusive: Bool = false
  ) throws {
    let reserved = try LoopbackPort()
    directory = folder.file("rtsp-\(reserved.number)")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    var options = ["--timeout", "\(timeout)", "--tracks", tracks.map(\.rawValue).joined(separator: ",")]
    if isExclusive { options.append("--exclusive") }
    switch credentials {
    case .none: break
    case .basic: options += ["--user", Self.user, "--password", Self.password]
    case .digest: options += ["--user", Self.user, "--password", Self.password, "--digest"]
    }
    process = try PeerProcess(
      ["/usr/bin/python3", Peers.script("rtsp-record-server"), "\(reserved.number)", directory] + options,
      output: directory + "/events.log", errors: directory + "/errors.log")
    self.reserved = reserved
    try process.waitUntilReady(reserved.number)
  }

  package var port: UInt16 { reserved.number }

  package func url(_ name: String) -> String { "rtsp://127.0.0.1:\(port)/\(name)" }

  /// The files it has written under that name, the oldest first.
  package func recordings(_ name: String) -> [String] {
    (1...99).map { "\(directory)/\(name)-\($0).mkv" }.filter(FileManager.default.fileExists)
  }

  /// What happened to it: `ANNOUNCE /name`, `RECORD /name`, `PAUSE /name`, `closed /name`…, without their times.
  package func events() -> [String] {
    let text = try? String(contentsOfFile: process.output, encoding: .utf8)
    return (text ?? "").split(separator: "\n").map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
  }

  /// Waits until one of its events is `event`; false when that doesn't come.
  package func waitFor(_ event: String) -> Bool {
    Peers.wait { events().contains(event) }
  }

  package func freeze() { process.signal(SIGSTOP) }
  package func thaw() { process.signal(SIGCONT) }

  /// The kernel closes its connections. It can't be started again: make another one.
  package func kill() { process.stop() }
}
