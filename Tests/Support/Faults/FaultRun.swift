import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// Exposes a publisher to a fault on the path to one of its two servers, and measures the effects: recovery is
/// the first picture that can be decoded in the server's own file, which is read each 5 ms.
package enum FaultRun {
  /// `healthy` may be shared by concurrent runs. `beforeFault` is called right before each occurrence of the
  /// fault.
  package static func measure<Kind: Subject>(
    _ fault: Fault, _ kind: Kind.Type, healthy: NginxRTMP, beforeFault: () -> Void = {}
  ) throws -> Measured {
    let folder = ScratchFolder()
    let scene = try FaultScene(fault, application: Kind.application, in: folder)
    let otherName = UUID().uuidString
    let tail = FLVTail(path: scene.recording)
    let otherTail = FLVTail(path: healthy.recording(Kind.application, otherName))
    let start = MonotonicTime.now
    let subject = try Kind(
      to: [scene.address, healthy.url(Kind.application, otherName)], environment: scene.environment,
      in: folder)
    defer { subject.finish() }
    guard fault.isForGood || tail.isSteady(since: start), otherTail.isSteady(since: start) else {
      subject.finish()
      throw TestFailure("\(Kind.title) did not get on air:\n\(subject.log.suffix(2000))")
    }
    var outages: [Outage] = []
    if fault.isForGood {
      beforeFault()
      outages = [Outage(begin: start, end: start)]
      usleep(observation)
    } else {
      for _ in 0..<fault.times {
        beforeFault()
        let begin = try scene.begin()
        usleep(useconds_t(fault.traits.outage.milliseconds * 1000))
        outages.append(Outage(begin: begin, end: try scene.end()))
        if !tail.isSteady(since: .now) { break }
      }
    }
    let attempts = fault.isForGood ? try scene.attempts() : 0
    subject.finish()
    return try Findings(
      fault: fault, subject: subject, outages: outages, attempts: attempts, ports: (scene.port, healthy.port),
      tags: tail.finish(), recordings: (scene.recording, healthy.recording(Kind.application, otherName)),
      otherTags: otherTail.finish()
    ).measured
  }

  /// How long a publisher is observed that can never connect: long enough to detect an attempt storm.
  private static let observation: useconds_t = 5_000_000
}

struct Outage {
  let begin: MonotonicTime
  let end: MonotonicTime

  var length: MediaTime { end - begin }
}

extension FLVTail {
  /// Waits until a second of video, all captured after `moment`, arrives within a second, so no backlog is
  /// left. False after 20 s.
  fileprivate func isSteady(since moment: MonotonicTime) -> Bool {
    wait(atMost: 20) { tags in
      let now = MonotonicTime.now
      let second = now - MediaTime.seconds(1)
      guard second > moment else { return false }
      let recent = tags.reversed().prefix { $0.arrival > second }.count { $0.kind == .video && !$0.isHeader }
      return (24...36).contains(recent)
    }
  }
}
