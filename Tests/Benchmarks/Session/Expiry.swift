import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// A session that lasts until its time is over. All lengths are seconds from the end that was told last.
struct Expiry {
  static let length = 4

  let isKilled: Bool
  let told: Double
  let lastPicture: Double
  /// The file is whole.
  let finished: Double

  init(killed: Bool) throws {
    isKilled = killed
    let folder = try ScratchFolder()
    var subject = try Self.start(in: folder)
    if killed {
      try Self.wait(
        subject, until: (try? RecordingMarks(path: folder.recordings[0]).pictures.count) ?? 0 > 20)
      subject.signal(SIGKILL)
      subject.waitForEnd()
      subject = try Self.start(in: folder)
    }
    subject.waitForEnd()
    guard let over = subject.events("timer").last, over["state"] as? String == "over",
      let end = Wall.seconds(over["endsAt"]), let at = Wall.seconds(over["at"]),
      let closed = Wall.seconds(subject.events("recording").last?["at"]), let path = folder.recordings.first
    else { throw Broken(said: subject.said) }
    told = at - end
    finished = closed - end
    let captures = try RecordingMarks(path: path).pictures.compactMap { $0.mark?.captureTime.seconds }
    guard let last = captures.last else { throw Broken(said: subject.said) }
    lastPicture = last + Wall.ofMonotonicZero - end
  }

  private static func start(in folder: ScratchFolder) throws -> HoldfastSubject {
    let subject = try HoldfastSubject(
      to: [], environment: ["XDG_STATE_HOME": folder.file("state")],
      options: ["--max-duration", "\(length)"],
      in: folder)
    try wait(subject, until: subject.events("live").count == 1)
    return subject
  }

  private static func wait(_ subject: HoldfastSubject, until condition: @autoclosure () -> Bool) throws {
    guard HoldfastSubject.wait(until: condition) else { throw Broken(said: subject.said) }
  }
}

/// A start, until it is told to be live.
struct Start {
  let untilLive: Double

  init(_ options: [String]) throws {
    let begin = Date().timeIntervalSince1970
    let folder = try ScratchFolder()
    let subject = try HoldfastSubject(to: [], options: ["--duration", "300ms"] + options, in: folder)
    subject.waitForEnd()
    guard let live = Wall.seconds(subject.events("live").first?["at"]) else {
      throw Broken(said: subject.said)
    }
    untilLive = live - begin
  }
}

/// The wall clock, in seconds.
enum Wall {
  static func seconds(_ text: Any?) -> Double? {
    (text as? String).flatMap(WallTime.init(rfc3339:)).map { Double($0.nanoseconds) / 1e9 }
  }

  /// What it shows when the monotonic clock shows zero.
  static var ofMonotonicZero: Double { Date().timeIntervalSince1970 - MonotonicTime.read().seconds }
}

/// It did not come to its end.
struct Broken: Error, CustomStringConvertible {
  let said: String
  var description: String { "the broadcast broke off:\n\(said)" }
}
