import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// A session that expires. All times are in seconds from the last reported end.
struct Expiry {
  static let length = 4

  let isKilled: Bool
  let reported: Double
  let lastPicture: Double
  let finished: Double

  init(killed: Bool) throws {
    isKilled = killed
    let folder = ScratchFolder()
    var subject = try HoldfastSubject(options: ["--max-duration", "\(Self.length)"], in: folder)
    if killed {
      _ = eventually {
        folder.recordings.first.flatMap { try? RecordingMarks(path: $0).pictures.count } ?? 0 > 20
      }
      subject.kill()
      subject = try subject.restarted()
    }
    subject.waitForEnd()
    guard let over = subject.events("timer").last, over["state"] as? String == "over",
      let end = wallSeconds(over["endsAt"]), let at = wallSeconds(over["at"]),
      let closed = wallSeconds(subject.events("recording").last?["at"]), let path = folder.recordings.first,
      let last = try RecordingMarks(path: path).captures.last
    else { throw TestFailure("the broadcast broke off:\n\(subject.log)") }
    reported = at - end
    finished = closed - end
    lastPicture = last.seconds + Date().timeIntervalSince1970 - MonotonicTime.now.seconds - end
  }
}

/// The seconds from the start of a broadcast with these options until `live` is reported.
func secondsUntilLive(_ options: [String]) throws -> Double {
  let begin = Date().timeIntervalSince1970
  let folder = ScratchFolder()
  let subject = try HoldfastSubject(options: ["--duration", "300ms"] + options, in: folder)
  subject.waitForEnd()
  guard let live = wallSeconds(subject.events("live").first?["at"]) else {
    throw TestFailure("the broadcast broke off:\n\(subject.log)")
  }
  return live - begin
}
