import Glibc
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// The end of an output whose server answers late, as one on a busy machine does, or not at all.
@Suite(.realTime) struct LateAnswerTests {
  enum Place: CaseIterable {
    case rtmp, rtsp, srt

    fileprivate func start(in folder: ScratchFolder) throws -> (
      url: String, signal: @Sendable (Int32) -> Void
    ) {
      switch self {
      case .rtmp:
        let server = try NginxRTMP(in: folder)
        return (server.url("typed", "late"), { server.process.signal($0) })
      case .rtsp:
        let server = try RTSPRecorder(in: folder)
        return (server.url("late"), { server.process.signal($0) })
      case .srt:
        let server = try SRTListener()
        return ("srt://127.0.0.1:\(server.port)", { server.signal($0) })
      }
    }
  }

  private static let lateness: useconds_t = 500_000

  private let folder = ScratchFolder()

  /// An output that publishes to a server that was frozen twice, for longer than it will be at the end.
  private func publishing(to place: Place) throws -> LatePublish {
    let publish = try LatePublish(to: place.start(in: folder))
    try #require(publish.isEventually(.publishing))
    for _ in 1...2 {
      publish.signal(SIGSTOP)
      usleep(Self.lateness / 5 * 9)
      publish.signal(SIGCONT)
      usleep(Self.lateness)
    }
    return publish
  }

  @Test(arguments: Place.allCases)
  func `nothing that arrives is lost when the server is late to answer the end`(place: Place) throws {
    let publish = try publishing(to: place)
    publish.signal(SIGSTOP)
    publish.end()
    usleep(Self.lateness)
    publish.signal(SIGCONT)
    publish.join()
    #expect(publish.lost.isEmpty, "\(publish.lost)")
  }

  @Test(arguments: Place.allCases)
  func
    `what a frozen server has not confirmed at the end is lost, and nothing waits for it for longer than 2 s`(
      place: Place
    ) throws
  {
    let publish = try publishing(to: place)
    publish.signal(SIGSTOP)
    usleep(Self.lateness / 2)
    let ended = MonotonicTime.now
    publish.end()
    publish.join()
    // The thread may be scheduled late.
    #expect(.now - ended < .seconds(20))
    #expect(publish.lost.pictures > 0 && publish.lost.audio > .zero, "\(publish.lost)")
  }
}

/// A publish in real time, and what the output reports of it.
private final class LatePublish: Sendable {
  let signal: @Sendable (Int32) -> Void
  private let output: Output
  private let events: Locked<[Output.Event]>
  private let encoder = ThreadSlot()
  private let isOver: Wakeup

  init(to server: (url: String, signal: @Sendable (Int32) -> Void)) throws {
    let media = try EncodedMedia.usual.get().looped(60)
    var settings = Output.Settings(id: "late", address: try OutputAddress(server.url))
    settings.stallTimeout = .seconds(30)
    let (events, isOver) = (Locked<[Output.Event]>([]), try Wakeup())
    let output = try Output(settings, tracks: [.video, .audio], requestKeyframe: nil) { event in
      events.withLock { $0.append(event) }
    }
    (signal, self.output, self.events, self.isOver) = (server.signal, output, events, isOver)
    for track in media.tracks { output.offer(track) }
    try output.start()
    output.publish()
    try encoder.start(name: "encoder") {
      let start = MonotonicTime.now
      for packet in media.packets {
        guard !isOver.wait(until: start + packet.decodeTime) else { return }
        output.offer(packet)
      }
    }
  }

  func isEventually(_ state: OutputLifecycle.Condition.State) -> Bool {
    eventually { output.status.condition.state == state }
  }

  /// Sends nothing more, and disconnects.
  func end() {
    isOver.signal()
    encoder.join()
    events.withLock { $0 = [] }
    output.stop()
  }

  func join() { output.join() }

  /// What is reported as lost since the end began.
  var lost: OutputLoss { events.withLock { $0.compactMap(\.loss) }.reduce(into: OutputLoss()) { $0.add($1) } }
}
