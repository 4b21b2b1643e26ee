import Foundation
import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// A broadcaster that records test signals on a thread of its own, and its events.
final class RunningBroadcaster: Sendable {
  let broadcaster: Broadcaster
  let folder = ScratchFolder()
  private let events = Locked<[BroadcastEvent]>([])
  private let thread = ThreadSlot()

  init(_ change: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration()
    configuration.video.source = .test
    configuration.audio.source = .test
    configuration.video.size = PictureSize(width: 320, height: 240)
    configuration.video.bitrate = 800_000
    configuration.recording.directory = folder.path
    change(&configuration)
    broadcaster = Broadcaster(
      configuration,
      observe: { [events] observation in
        if case .event(let line) = observation { events.withLock { $0.append(line.event) } }
      }, finish: { _ in })
    try thread.start(name: "broadcaster") { [broadcaster] in _ = broadcaster.run() }
  }

  /// Seconds reported as missing: a busy machine loses some.
  var lost: (video: Double, audio: Double) {
    told.reduce(into: (0, 0)) { lost, event in
      guard case .gap(let gap) = event else { return }
      lost.video += gap.lostVideo.seconds
      lost.audio += gap.lostAudio.seconds
    }
  }

  var told: [BroadcastEvent] { events.withLock { $0 } }

  /// False where it takes far longer than it should.
  func wait(_ condition: (Broadcaster) -> Bool) -> Bool { eventually { condition(broadcaster) } }

  /// Waits until media time has advanced by so much.
  @discardableResult func play(_ seconds: Double) -> Bool {
    guard wait({ $0.state == .live }) else { return false }
    let until = broadcaster.snapshot.mediaTime + MediaTime(nanoseconds: Int64(seconds * 1e9))
    return wait { $0.snapshot.mediaTime >= until }
  }

  /// When on the timeline `change` was made, with a margin: a beep and a picture that don't belong together may meet there.
  func noting(_ change: () throws -> Void) rethrows -> ClosedRange<Double> {
    let before = broadcaster.snapshot.mediaTime.seconds
    try change()
    return before...broadcaster.snapshot.mediaTime.seconds + 1
  }

  func finish() {
    broadcaster.handle(.command(.stop))
    thread.join()
  }

  var recording: String { folder.recordings.first ?? "" }
}
