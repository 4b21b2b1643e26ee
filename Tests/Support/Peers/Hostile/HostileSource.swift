import Foundation

/// A server of media that lies, breaks off or never ends (Tests/Peers/Programs/hostile-source).
package final class HostileSource: Peer {
  package enum Habit: String, Hashable, Sendable, CaseIterable {
    case randomFLV, randomInFLV, randomInTS
    case stampsBack, stampsJump, stampsStandStill, noStamps
    case fast, slow, changesRate, drips, freezes, freezesAtOnce
    case hugeH264, hugeJPEG, emptyJPEG
    case redirectsToFile, redirectsToRTMP, redirectsForEver
    case endlessHeader, endlessLine
    case endlessPlaylists, manyPlaylists, hugePlaylist
    case rtspRandom, rtspGarbage, rtspHuge, rtspFreezes, rtspDrips
    case rtspEndlessHeader, rtspHugeDescription, rtspRedirects, rtspRedirectsForEver
    case rtmpRandom, rtmpFreezes
  }

  package let process: PeerProcess
  package let address: String
  private let output: String
  private let folder: ScratchFolder

  package init(_ habit: Habit, in folder: ScratchFolder) throws {
    let port = try LoopbackPort()
    output = folder.file("hostile-\(port.number).log")
    self.folder = folder
    process = try PeerProcess(
      [peerProgram("hostile-source"), "\(port.number)", habit.rawValue], output: output,
      errors: folder.file("hostile-\(port.number).errors")
    ) { (try? String(contentsOfFile: $0.output, encoding: .utf8))?.hasSuffix("\n") == true }
    address = String(lines(ofFile: output)[0].dropFirst("ready ".count))
  }

  package var connections: Int { max(0, lines(ofFile: output).count - 1) }
}
