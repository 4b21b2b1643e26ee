package import HoldfastMediaModel

/// An RTSP server that can pause. It keeps no media, only the sender reports.
package final class RTSPReportServer: Peer {
  package struct Report: Hashable, Sendable {
    package let track: Int
    /// Seconds on the report's wall clock.
    package let wallClock: Double
    package let timestamp: UInt32
  }

  private let reserved: LoopbackPort
  package let process: PeerProcess

  /// `name` is what it calls itself.
  package init(in folder: ScratchFolder, name: String = "reports") throws {
    reserved = try LoopbackPort()
    process = try PeerProcess(
      ["/usr/bin/python3", peerProgram("rtsp-report-server"), "\(reserved.number)", name],
      serving: reserved.number, log: folder.file("rtsp-reports-\(reserved.number)"))
  }

  package func url(_ name: String) -> String { "rtsp://127.0.0.1:\(reserved.number)/\(name)" }

  /// Methods, and `report TRACK WALL STAMP`.
  package var events: [String] { lines(ofFile: process.output) }

  package var reports: [Report] { events.compactMap(Report.init) }

  /// How far each report of a track's clock is from what the first one said, in milliseconds. The picture is track 0.
  package func deviations(of track: TrackKind) -> [Double] {
    let (number, rate) = track == .video ? (0, 90_000.0) : (1, 48_000.0)
    let reports = reports.filter { $0.track == number }
    guard let first = reports.first else { return [] }
    return reports.map { report in
      let elapsed = Double(Int32(truncatingIfNeeded: report.timestamp &- first.timestamp)) / rate
      return abs(report.wallClock - first.wallClock - elapsed) * 1000
    }
  }
}

extension RTSPReportServer.Report {
  fileprivate init?(_ event: String) {
    let words = event.split(separator: " ")
    guard words.count == 4, words[0] == "report", let track = Int(words[1]), let wallClock = Double(words[2]),
      let timestamp = UInt32(words[3])
    else { return nil }
    self.init(track: track, wallClock: wallClock, timestamp: timestamp)
  }
}
