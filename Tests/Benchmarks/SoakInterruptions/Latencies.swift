import Foundation
import HoldfastMediaModel
import TestSupport

/// How fast a broadcast leaves and returns: milliseconds, one element for each interruption.
struct Latencies {
  /// From the interrupt request to the server's last media.
  var lastMedia: [Double] = []
  /// To the end of the publish at the server.
  var departure: [Double] = []
  /// To the last write of the recording.
  var recorded: [Double] = []
  /// From the resume request to the reported resumption.
  var resumed: [Double] = []
  /// To the report that the output is publishing.
  var publishing: [Double] = []
  /// To the server's first picture.
  var firstPicture: [Double] = []

  init(of run: InterruptionsRun, by ways: Set<InterruptionsPlan.Way> = [.control, .signal]) {
    func times(_ lines: [[String: Any]]) -> [WallTime] { lines.compactMap { wallTime($0["at"]) } }
    let publishing = times(run.events.named("output").filter { $0["state"] as? String == "publishing" })
    let returns = times(run.events.named("resumed"))
    for (index, injection) in run.injections.enumerated() where ways.contains(injection.way) {
      let (interrupt, resume) = (injection.interrupt.sent, injection.resume.sent)
      if index < run.publishes.count, let last = run.publishes[index].last {
        lastMedia.append((last.arrival - interrupt.monotonic).milliseconds)
      }
      if index < run.departures.count {
        departure.append(Self.milliseconds(from: interrupt, to: run.departures[index]))
      }
      resumed.append(Self.milliseconds(from: resume, to: returns[index]))
      if let written = run.writes.last(where: { $0 < resume.wall }) {
        recorded.append(max(0, Self.milliseconds(from: interrupt, to: written)))
      }
      if let back = publishing.first(where: { $0 >= resume.wall.wholeMillisecond }) {
        self.publishing.append(Self.milliseconds(from: resume, to: back))
      }
      if index + 1 < run.publishes.count,
        let first = run.publishes[index + 1].first(where: { $0.kind == .video })
      {
        firstPicture.append((first.arrival - resume.monotonic).milliseconds)
      }
    }
  }

  private static func milliseconds(from begin: Instant, to end: WallTime) -> Double {
    Double(end.nanoseconds - begin.wall.nanoseconds) / 1e6
  }
}

extension WallTime {
  /// Truncated like the times in event lines and logs.
  fileprivate var wholeMillisecond: WallTime { WallTime(nanoseconds: nanoseconds / 1_000_000 * 1_000_000) }
}
