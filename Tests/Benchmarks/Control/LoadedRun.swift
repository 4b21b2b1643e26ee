import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// A broadcast before, during and after the load.
struct LoadedRun {
  static let readers = 1000
  static let slowReaders = 20
  static let requestsPerSecond = 200
  private static let maxGrowth = 100

  private let seconds: Int
  private let folder: ScratchFolder
  private let server: ServeProcess
  private let broadcast: ControlledBroadcast

  init(seconds: Int, in folder: ScratchFolder) throws {
    self.seconds = seconds
    self.folder = folder
    server = try ServeProcess(in: folder)
    broadcast = try ControlledBroadcast(
      to: [server.address],
      options: ["--size", "640x360", "--bitrate", "1M", "--duration", "\(seconds * 3 + 120)s"], in: folder)
  }

  func run() throws -> Bool {
    try broadcast.waitUntilLive()
    let token = try broadcast.token()
    print(
      "640x360 at 30, 1 Mb/s, test picture and tone, to a recording and to holdfast serve; \(Self.readers) readers of "
        + "events, \(Self.slowReaders) of them read nothing; \(Self.requestsPerSecond) requests a second; \(seconds) s\n"
    )
    pause(2)
    let rest = max(2, seconds / 3)
    let alone = measured { pause(rest) }
    let readers = try EventReaders(port: broadcast.port, token: token)
    readers.waitUntilOpen()
    let load = try RequestLoad(port: broadcast.port, token: token, badToken: token + "x")
    let loaded = measured {
      load.begin(seconds: seconds)
      pause(seconds)
    }
    load.finish()
    let reading = readers.finish()
    let afterwards = measured { pause(rest) }
    let status = try figures(token)
    broadcast.subject.finish()
    server.finish()

    print(reading)
    print(load.report)
    Phase.print([("before", alone), ("under load", loaded), ("afterwards", afterwards)])
    print(
      "dropped before the encoder: \(status), pictures that a gap says were never taken: "
        + "\(broadcast.subject.uncapturedPictures)")
    for gap in broadcast.subject.events("gap") {
      print(
        "  told: \(gap["cause"] ?? "") at \(gap["mediaAt"] ?? "") ms of the recording: \(gap["lostMs"] ?? "")"
      )
    }
    let recorded = try reportPictures("recording", broadcast.subject.recording)
    _ = try reportPictures("server", server.recording)
    return Self.judge([
      ("a picture is missing or doubled in the recording", !recorded),
      ("a reader was dropped that reads", reading.lost > 0),
      (
        "memory grew by more than \(Self.maxGrowth) MB",
        loaded.memory - alone.memory > Double(Self.maxGrowth)
      ),
      ("it did not end as asked", broadcast.subject.status != 0),
    ])
  }

  private static func judge(_ claims: [(what: String, isSo: Bool)]) -> Bool {
    let wrong = claims.filter(\.isSo)
    for claim in wrong { print("FAIL \(claim.what)") }
    if wrong.isEmpty { print("ok   nothing of it has cost a picture, a reader or more memory than it may") }
    return wrong.isEmpty
  }

  /// Prints the picture marks of a file; false if a picture is missing or repeated.
  private func reportPictures(_ name: String, _ path: String?) throws -> Bool {
    guard let path else { throw TestFailure("there is no file of the \(name)") }
    let media = try ServerMedia(path: path)
    let report = media.report
    print(
      "\(name): \(report.pictures) pictures, \(media.missingPictures) missing, \(report.repeated) doubled, "
        + "\(report.goingBack) back, \(report.unreadable) unreadable")
    return media.missingPictures == 0 && report.isFaultless && report.pictures > 0
  }

  private func measured(_ work: () -> Void) -> Phase {
    let watch = ProcessUse(broadcast.subject.identifier)
    work()
    return watch.finish()
  }

  private func pause(_ seconds: Int) { usleep(useconds_t(seconds) * 1_000_000) }

  private func figures(_ token: String) throws -> Int {
    let answer = try WireClient(port: broadcast.port).request("GET", "/v1/status", token: token)
    let status = try answer.map { try JSONSerialization.jsonObject(with: Data($0.body)) } as? [String: Any]
    guard let dropped = status?["droppedFrames"] as? Int else {
      throw TestFailure("no status at the end: \(answer?.text ?? "")")
    }
    return dropped
  }
}
