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
  init(arguments: String = "", port: UInt16? = nil) throws {
    self.port = try port ?? LoopbackPort().number
    path = folder.file("out.ts")
    let address = "srt://127.0.0.1:\(self.port)?mode=listener\(arguments)"
    process = try PeerProcess(
      ["srt-live-transmit", "-a:yes", "-v", address, "file://con"], output: path,
      errors: folder.file("errors"))
  }

  /// An ffmpeg that takes one connection and ends with it; `container` is what it writes.
  init(ffmpegWriting container: String) throws {
    port = try LoopbackPort().number
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
