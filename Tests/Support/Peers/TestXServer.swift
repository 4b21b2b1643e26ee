import Foundation
import Glibc

/// An X server (Xvfb) with a black screen, on a display that no other test uses.
package final class TestXServer: Peer {
  /// The display and its files, which a killed server leaves behind.
  private final class Place: Sendable {
    let reserved: LoopbackPort
    let folder: ScratchFolder

    init(in folder: ScratchFolder) throws {
      reserved = try LoopbackPort()
      self.folder = folder
    }

    deinit {
      unlink("/tmp/.X\(reserved.number)-lock")
      unlink("/tmp/.X11-unix/X\(reserved.number)")
    }
  }

  private let place: Place
  package let process: PeerProcess

  package convenience init(in folder: ScratchFolder, size: String, depth: Int = 24) throws {
    try self.init(Place(in: folder), "\(size)x\(depth)", nil)
  }

  private init(_ place: Place, _ mode: String, _ authority: String?) throws {
    self.place = place
    let output = place.folder.file("x-\(UUID().uuidString)")
    // It writes the display's number to descriptor 1 once it listens.
    process = try PeerProcess(
      ["Xvfb", ":\(place.reserved.number)", "-displayfd", "1", "-screen", "0", mode, "-br", "-noreset"]
        + (authority.map { ["-auth", $0] } ?? []), output: output, errors: output + ".log"
    ) { _ in !lines(ofFile: output).isEmpty }
  }

  package var number: UInt16 { place.reserved.number }
  package var display: String { ":\(number)" }
  package var environment: [String: String] { ["DISPLAY": display] }

  /// Another server on the display of this one, which is killed.
  package func restarted(size: String, authority: String? = nil) throws -> TestXServer {
    kill()
    return try TestXServer(place, size + "x24", authority)
  }

  /// Plays a file over the whole screen, slowed down, until released. A busy machine slows it down further.
  package func play(_ path: String, size: String, slowedDown factor: Int) throws -> RunningTool {
    let lengths = size.split(separator: "x").map(String.init)
    return try RunningTool(
      [
        "ffplay", "-v", "error", "-an", "-sync", "video", "-noborder", "-left", "0", "-top", "0", "-x",
        lengths[0], "-y", lengths[1], "-vf", "setpts=\(factor)*PTS", path,
      ],
      environment: environment.merging([
        "SDL_VIDEODRIVER": "x11", "SDL_RENDER_DRIVER": "software", "SDL_AUDIODRIVER": "dummy",
      ]) { $1 })
  }
}

/// An X authority file with one cookie, for a display on any machine.
package func xAuthority(display number: UInt16, cookie: [UInt8]) -> [UInt8] {
  [[], Array("\(number)".utf8), Array("MIT-MAGIC-COOKIE-1".utf8), cookie].reduce([0xFF, 0xFF]) {
    $0 + [UInt8($1.count >> 8), UInt8($1.count & 0xFF)] + $1
  }
}
