import Foundation

/// A server of media that lies, breaks off or never ends (Tests/Peers/Programs/hostile-source).
package final class HostileSource: Peer {
  package enum Habit: String, Hashable, Sendable, CaseIterable {
    case randomFLV = "random-flv"
    case randomInFLV = "random-in-flv"
    case randomInTS = "random-in-ts"
    case stampsBack = "stamps-back"
    case stampsJump = "stamps-jump"
    case stampsStandStill = "stamps-stand-still"
    case noStamps = "no-stamps"
    case fast, slow
    case changesRate = "changes-rate"
    case drips, freezes
    case freezesAtOnce = "freezes-at-once"
    case hugeH264 = "huge-h264"
    case hugeJPEG = "huge-jpeg"
    case emptyJPEG = "empty-jpeg"
    case redirectsToFile = "redirects-to-file"
    case redirectsToRTMP = "redirects-to-rtmp"
    case redirectsForEver = "redirects-for-ever"
    case endlessHeader = "endless-header"
    case endlessLine = "endless-line"
    case endlessPlaylists = "endless-playlists"
    case manyPlaylists = "many-playlists"
    case hugePlaylist = "huge-playlist"
    case rtspRandom = "rtsp-random"
    case rtspGarbage = "rtsp-garbage"
    case rtspHuge = "rtsp-huge"
    case rtspFreezes = "rtsp-freezes"
    case rtspDrips = "rtsp-drips"
    case rtspEndlessHeader = "rtsp-endless-header"
    case rtspHugeDescription = "rtsp-huge-description"
    case rtspRedirects = "rtsp-redirects"
    case rtspRedirectsForEver = "rtsp-redirects-for-ever"
    case rtmpRandom = "rtmp-random"
    case rtmpFreezes = "rtmp-freezes"
  }

  package let process: PeerProcess
  package let address: String
  private let output: String
  private let folder: ScratchFolder

  package init(_ habit: Habit, in folder: ScratchFolder) throws {
    let port = try LoopbackPort()
    let output = folder.file("hostile-\(port.number).log")
    self.output = output
    self.folder = folder
    let ready = "ready "
    process = try PeerProcess(
      [peerProgram("hostile-source"), "\(port.number)", habit.rawValue], output: output,
      errors: folder.file("hostile-\(port.number).errors")
    ) { _ in (try? String(contentsOfFile: output, encoding: .utf8))?.hasSuffix("\n") == true }
    address = String(
      try String(contentsOfFile: output, encoding: .utf8).prefix { $0 != "\n" }.dropFirst(ready.count))
  }

  package var connections: Int { max(0, lines(ofFile: output).count - 1) }
}
