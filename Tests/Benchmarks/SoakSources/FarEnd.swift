import Foundation
import Glibc
import HoldfastMediaModel
import TestSupport

/// A network source: the test picture and tone, published to a server from which the broadcast plays them.
final class FarEnd {
  enum Kind: String, CaseIterable {
    case rtsp = "RTSP"
    case rtmp = "RTMP"
    case srt = "SRT"
    case hls = "HLS"
    case mjpeg = "MJPEG"

    var hasSound: Bool { self != .mjpeg }
    /// After a loss, the playlist goes on where it stopped, or where it is by now.
    var isAhead: Bool { self == .hls }
  }

  /// What the broadcast plays.
  let address: String
  /// What is taken away; nil if that is the publisher, who calls the broadcast.
  private var server: PeerProcess?
  /// Makes an SRT stream into what the server delivers.
  private var repacker: PeerProcess?
  private let intake: String
  private var keeper: AnyObject?
  private let folder = ScratchFolder()
  private var publisher: HoldfastSubject
  private var size = "640x360"

  init(_ kind: Kind) throws {
    let (port, feed) = (try LoopbackPort(), try LoopbackPort())
    switch kind {
    case .rtsp:
      let camera = try RTSPCamera(in: folder)
      (server, keeper) = (camera.process, camera)
      (intake, address) = (camera.intakeURL, camera.url())
    case .rtmp:
      let nginx = try NginxRTMP(in: folder)
      (server, keeper) = (nginx.process, nginx)
      intake = nginx.url("append", "far")
      address = intake
    case .srt:
      intake = "srt://127.0.0.1:\(port.number)"
      address = intake + "?mode=listener"
    case .hls:
      let files = try FileServer(of: folder)
      (server, keeper) = (files.process, files)
      repacker = try PeerProcess(
        [
          "ffmpeg", "-nostdin", "-v", "error", "-y", "-fflags", "nobuffer", "-i",
          "srt://127.0.0.1:\(feed.number)?mode=listener", "-c", "copy", "-f", "hls", "-hls_time", "1",
          "-hls_list_size", "6", "-hls_flags", "append_list+omit_endlist", folder.file("live.m3u8"),
        ], output: folder.file("repacker.log"), errors: folder.file("repacker.errors"))
      intake = "srt://127.0.0.1:\(feed.number)"
      address = files.url("live.m3u8")
    case .mjpeg:
      server = try PeerProcess(
        ["/usr/bin/python3", peerProgram("mjpeg-camera"), "\(port.number)", "\(feed.number)"],
        serving: port.number, log: folder.file("camera"))
      intake = "srt://127.0.0.1:\(feed.number)"
      address = "http://127.0.0.1:\(port.number)/cam"
    }
    publisher = try Self.publisher(to: intake, size)
    guard kind != .hls || eventually({ FileManager.default.fileExists(atPath: folder.file("live3.ts")) })
    else { throw TestFailure("there is no playlist:\n\(publisher.log)") }
  }

  private static func publisher(to address: String, _ size: String) throws -> HoldfastSubject {
    try .farEnd(to: address, ["--size", size, "--bitrate", "1M", "--duration", "2h"], in: ScratchFolder())
  }

  func pull() { if let server { server.stop() } else { publisher.kill() } }

  func start() throws {
    if let server { try server.start() } else { publisher = try Self.publisher(to: intake, size) }
  }

  func restart() throws {
    if let server {
      server.signal(SIGTERM)
      _ = eventually(within: 5) { server.hasEnded }
      server.stop()
    } else {
      publisher.finish()
    }
    try start()
  }

  func freeze() { signal(SIGSTOP) }
  func thaw() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    if let server { server.signal(number) } else { publisher.signal(number) }
  }

  /// Another publisher goes on with a larger picture.
  func enlarge() throws {
    publisher.finish()
    repacker?.stop()
    try repacker?.start()
    size = "1280x720"
    publisher = try Self.publisher(to: intake, size)
  }

  func stop() {
    publisher.kill()
    repacker?.stop()
    server?.stop()
  }
}
