internal import Foundation
package import HoldfastMediaModel

/// GStreamer's RTSP server, which records what is announced to it: `NAME-1.mkv`, `NAME-2.mkv`, a file for each RECORD.
///
/// It can't be started again: make another one.
package final class RTSPRecorder: Peer {
  package enum Credentials: Sendable {
    case none, basic, digest
  }

  package static let user = "studio"
  package static let password = "secret"

  private let reserved: LoopbackPort
  private let directory: String
  package let process: PeerProcess

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
      ["/usr/bin/python3", peerProgram("rtsp-record-server"), "\(reserved.number)", directory] + options,
      output: directory + "/events.log", errors: directory + "/errors.log"
    ) { _ in LoopbackPort.answers(reserved.number) }
    self.reserved = reserved
  }

  package var port: UInt16 { reserved.number }

  package func url(_ name: String) -> String { "rtsp://127.0.0.1:\(port)/\(name)" }

  /// The files it has written under that name, the oldest first.
  package func recordings(_ name: String) -> [String] {
    (1...99).map { "\(directory)/\(name)-\($0).mkv" }.filter(FileManager.default.fileExists)
  }

  /// What happened to it: `ANNOUNCE /name`, `RECORD /name`, `PAUSE /name`, `closed /name`…, without their times.
  package func events() -> [String] {
    lines(ofFile: process.output).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
  }

  /// Waits until one of its events is `event`; false when that doesn't come.
  package func waitFor(_ event: String) -> Bool {
    eventually { events().contains(event) }
  }
}
