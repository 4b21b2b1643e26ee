import HoldfastMediaServer
import HoldfastTesting

extension LocalServer {
  /// Whether it refuses somebody like this, or whoever wants `stream`.
  func isEventuallyRefusing(_ refusal: MediaServer.Refusal, of stream: String? = nil) -> Bool {
    wait { event in
      if case .refused(_, let name, refusal) = event { stream == nil || name == stream } else { false }
    } != nil
  }

  /// Whether all of the usual file arrives that `publisher` sends now.
  func receivesFile(from publisher: TestPublisher, as stream: String = "cam") throws -> Bool {
    try publisher.send(file: Fixture.h264AndAAC())
    return waitForReport(of: stream) { $0.video?.packets == 50 } != nil
  }

  /// What had come of the publish of `name` that ended as the last of so many.
  func waitForEnd(of name: String, times: Int = 1) -> StreamReport? {
    var ended: [StreamReport] = []
    _ = wait { _ in
      ended = events.compactMap { event in
        if case .ended(let report, _) = event, report.name == name { report } else { nil }
      }
      return ended.count >= times
    }
    return ended.count >= times ? ended[times - 1] : nil
  }
}
