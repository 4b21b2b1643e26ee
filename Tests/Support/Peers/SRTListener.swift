import Foundation

/// `srt-live-transmit` as an SRT listener, writing all callers' data into one transport stream. Callers
/// cannot detect its end, as there is no connection that the kernel closes.
package final class SRTListener: Peer {
  private let reserved: LoopbackPort
  package let process: PeerProcess
  /// The program holds the last 4 kB back until it ends.
  package let recording: String

  /// `options` are those of an SRT address: `passphrase=…`, `latency=200`.
  package init(in folder: ScratchFolder, options: [String] = []) throws {
    reserved = try LoopbackPort()
    let port = reserved.number
    recording = folder.file("srt-\(port).ts")
    let address = "srt://127.0.0.1:\(port)?" + (["mode=listener"] + options).joined(separator: "&")
    process = try PeerProcess(
      ["srt-live-transmit", "-a:yes", "-q", address, "file://con"], output: recording,
      errors: recording + ".log"
    ) { _ in
      // A UDP port cannot be probed by connecting, so check the kernel's socket table.
      lines(ofFile: "/proc/net/udp").contains { $0.contains(String(format: "0100007F:%04X ", Int(port))) }
    }
  }

  package var port: UInt16 { reserved.number }

  /// What it has written, ended by this call.
  package func finishedRecording() -> String {
    process.signal(SIGINT)
    _ = eventually { process.hasEnded }
    return recording
  }

  package func url(_ query: String = "") -> String {
    "srt://127.0.0.1:\(port)" + (query.isEmpty ? "" : "?" + query)
  }
}
