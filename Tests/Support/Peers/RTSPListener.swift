import Foundation

/// FFmpeg's RTSP server, which takes one publish and ends with it.
package final class RTSPListener: Peer {
  private let reserved: LoopbackPort
  package let process: PeerProcess
  package let url: String
  private let recording: String

  package init(in folder: ScratchFolder, container: String = "ts") throws {
    reserved = try LoopbackPort()
    let port = reserved.number
    url = "rtsp://127.0.0.1:\(port)/show"
    recording = folder.file("rtsp-\(port).\(container)")
    process = try PeerProcess(
      [
        "ffmpeg", "-v", "error", "-nostdin", "-rtsp_flags", "listen", "-i", url, "-map", "0", "-c", "copy",
        recording,
      ], output: recording + ".output", errors: recording + ".log"
    ) { _ in
      // A connection to see whether it listens would be the one that it takes.
      lines(ofFile: "/proc/net/tcp").contains { line in
        line.contains(String(format: "0100007F:%04X 00000000:0000 0A", Int(port)))
      }
    }
  }

  package var port: UInt16 { reserved.number }

  /// What it has written, once it has ended.
  package func finishedRecording() -> String {
    _ = eventually { process.hasEnded }
    return recording
  }
}
