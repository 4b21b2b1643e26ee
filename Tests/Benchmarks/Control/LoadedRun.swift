import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// A broadcast's cost, event latency and lost pictures before, during and after the load of a thousand event readers and many
/// requests.
struct LoadedRun {
  static let readers = 1000
  static let slowReaders = 20
  static let requestsPerSecond = 200
  /// In MB.
  private static let maxGrowth = 100.0

  private let seconds: Int
  private let folder: ScratchFolder
  private let server: ServeProcess
  private let broadcast: ControlledBroadcast

  private init(seconds: Int, in folder: ScratchFolder) throws {
    self.seconds = seconds
    self.folder = folder
    server = try ServeProcess(in: folder)
    broadcast = try ControlledBroadcast(
      to: [server.address],
      options: ["--size", "640x360", "--bitrate", "1M", "--duration", "\(seconds * 3 + 120)s"], in: folder
    ).whenLive()
  }

  static func run(_ arguments: Arguments) throws -> Bool {
    let seconds = try arguments.number(0, default: 60)
    try needDescriptors(readers + 200)
    return try LoadedRun(seconds: max(2, seconds), in: ScratchFolder()).run()
  }

  private func run() throws -> Bool {
    print(
      "640x360 at 30, 1 Mb/s, test picture and tone, to a recording and to holdfast serve; \(Self.readers) readers of "
        + "events, \(Self.slowReaders) of them read nothing; \(Self.requestsPerSecond) requests a second; \(seconds) s\n"
    )
    pause(.seconds(2))
    let rest = MediaTime.seconds(Int64(max(2, seconds / 3)))
    let process = broadcast.subject.identifier
    let (_, alone) = Phase.measured(process) { pause(rest) }
    let readers = try EventReaders(port: broadcast.port, token: broadcast.host)
    readers.waitUntilOpen()
    let load = RequestLoad(port: broadcast.port, token: broadcast.host)
    let (_, loaded) = Phase.measured(process) { load.run(seconds: seconds) }
    let reading = readers.finish()
    let (_, afterwards) = Phase.measured(process) { pause(rest) }
    let dropped = try droppedFrames()
    broadcast.subject.finish()
    server.finish()

    print(reading.report)
    print(load.report)
    Phase.print([("before", alone), ("under load", loaded), ("afterwards", afterwards)])
    print(
      "dropped before the encoder: \(dropped), pictures that a gap says were never taken: "
        + "\(broadcast.subject.uncapturedPictures)")
    for gap in broadcast.subject.events("gap") {
      print(
        "  told: \(gap["cause"] ?? "") at \(gap["mediaAt"] ?? "") ms of the recording: \(gap["lostMs"] ?? "")"
      )
    }
    let recorded = try reportPictures("recording", broadcast.subject.recording)
    _ = try reportPictures("server", server.recording)
    var claims = Claims()
    claims.check(recorded, "no picture is missing or doubled in the recording")
    claims.check(reading.lost == 0, "no reader was dropped that reads")
    claims.check(
      loaded.memory - alone.memory <= Self.maxGrowth,
      "memory grew by at most \(figure(Self.maxGrowth, 0)) MB")
    claims.check(broadcast.subject.status == 0, "it ended as asked")
    return claims.hold
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

  private func droppedFrames() throws -> Int64 {
    let answer = try broadcast.send("GET", "/v1/status")
    guard case .integer(let dropped)? = answer["droppedFrames"] else {
      throw TestFailure("no status at the end: \(answer.verdict)")
    }
    return dropped
  }
}
