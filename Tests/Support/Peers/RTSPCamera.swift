import Foundation

/// GStreamer's RTSP server as a network camera: it plays what is published to its SRT port.
package final class RTSPCamera: Peer {
  package static let user = "viewer"
  package static let password = "secret"

  private let port: LoopbackPort
  private let intake: LoopbackPort
  package let process: PeerProcess

  package init(in folder: ScratchFolder, hasCredentials: Bool = false) throws {
    (port, intake) = (try LoopbackPort(), try LoopbackPort())
    let credentials = hasCredentials ? ["--user", Self.user, "--password", Self.password] : []
    process = try PeerProcess(
      ["/usr/bin/python3", peerProgram("rtsp-camera"), "\(port.number)", "\(intake.number)"] + credentials,
      serving: port.number, log: folder.file("camera-\(port.number)"))
  }

  /// Where the picture is published to.
  package var intakeURL: String { "srt://127.0.0.1:\(intake.number)" }

  package func url(_ credentials: String = "") -> String {
    "rtsp://\(credentials)127.0.0.1:\(port.number)/cam"
  }
}
