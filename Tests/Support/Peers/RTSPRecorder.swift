import Foundation
package import HoldfastMediaModel

/// GStreamer's RTSP server. It writes each RECORD to a file, `NAME-1.mkv`, `NAME-2.mkv` and so on. It cannot
/// be restarted.
package final class RTSPRecorder: Peer {
  package enum Credentials: Sendable { case none, basic, digest }

  package static let user = "studio"
  package static let password = "secret"

  private let reserved: LoopbackPort
  private let directory: String
  package let process: PeerProcess

  /// `tracks` are the expected ones, in order; a silent publisher is dropped after `timeout` seconds;
  /// `isExclusive` allows one publisher for each name.
  package init(
    in folder: ScratchFolder, tracks: [Codec] = [.h264, .aac], credentials: Credentials = .none,
    timeout: Int = 60, isExclusive: Bool = false
  ) throws {
    reserved = try LoopbackPort()
    directory = folder.file("rtsp-\(reserved.number)")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    var options = ["--timeout", "\(timeout)", "--tracks", tracks.map(\.rawValue).joined(separator: ",")]
    if isExclusive { options.append("--exclusive") }
    if credentials != .none { options += ["--user", Self.user, "--password", Self.password] }
    if credentials == .digest { options.append("--digest") }
    process = try PeerProcess(
      ["/usr/bin/python3", peerProgram("rtsp-record-server"), "\(reserved.number)", directory] + options,
      serving: reserved.number, log: directory + "/events")
  }

  package var port: UInt16 { reserved.number }

  package func url(_ name: String) -> String { "rtsp://127.0.0.1:\(port)/\(name)" }

  package func recordings(_ name: String) -> [String] {
    (1...99).map { "\(directory)/\(name)-\($0).mkv" }.filter(FileManager.default.fileExists)
  }

  /// The events without times: `ANNOUNCE /name`, `RECORD /name`, `PAUSE /name`, `closed /name`…
  package func events() -> [String] {
    lines(ofFile: process.output).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
  }

  package func waitFor(_ event: String) -> Bool { eventually { events().contains(event) } }
}
