import Foundation
import Glibc
import TestSupport

/// A program that takes SRT connections, one after the other, and writes what they bring into one file.
final class SRTListener: Sendable {
  let port: UInt16
  let path: String
  private let process: PeerProcess
  private let folder = ScratchFolder()

  /// `arguments` are part of the listener's own address.
  init(arguments: String = "", port: UInt16 = freeUDPPort()) throws {
    self.port = port
    path = folder.file("out.ts")
    let address = "srt://127.0.0.1:\(port)?mode=listener\(arguments)"
    process = try PeerProcess(
      ["srt-live-transmit", "-a:yes", "-v", address, "file://con"], output: path,
      errors: folder.file("errors"))
  }

  /// An ffmpeg that takes one connection and ends with it; `container` is what it writes.
  init(ffmpegWriting container: String) throws {
    port = freeUDPPort()
    path = folder.file("out.\(container)")
    let address = "srt://127.0.0.1:\(port)?mode=listener"
    process = try PeerProcess(
      ["ffmpeg", "-v", "error", "-nostdin", "-i", address, "-map", "0", "-c", "copy", path],
      output: "/dev/null", errors: folder.file("errors"))
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits until so many callers have gone, or the program has ended with its only one; false when they don't.
  func waitUntilLeft(times: Int = 1) -> Bool {
    eventually {
      let log = (try? String(contentsOfFile: process.errors, encoding: .utf8)) ?? ""
      return log.components(separatedBy: "disconnected").count > times || process.hasEnded
    }
  }

  /// Waits until a caller has gone, ends the program, so that everything is in the file, and counts the packets of each
  /// track.
  func recordedPackets() throws -> [String?] {
    guard waitUntilLeft() else { throw TestFailure("the caller has not left") }
    signal(SIGINT)
    _ = eventually { process.hasEnded }
    process.stop()
    return try Tool.probe(path, count: true).map { $0["nb_read_packets"] }
  }
}

extension EncodedMedia {
  /// The number of packets of each track, as ffprobe writes it.
  func packetCounts(times: Int = 1) -> [String?] { ["\(times * pictures)", "\(times * sounds)"] }
}

/// A port that nobody had just now, and that the system gives to nobody by itself.
func freeUDPPort() -> UInt16 {
  while true {
    let port = UInt16.random(in: 10_000..<32_000)
    let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    if withLoopback(port, { bind(socket, $0, $1) }) == 0 { return port }
  }
}
