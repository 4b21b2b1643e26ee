import HoldfastLifecycle
import HoldfastMediaModel
package import HoldfastMediaSources
import HoldfastPlatform
import HoldfastPublishing
package import HoldfastRecording

/// One broadcast and the event loop of its driver.
package final class Broadcast: Sendable {
  package enum Observation: Sendable {
    case event(EventLine)
    case note(String)
    /// The process starts off air, because the user took an earlier one off air.
    case offAir(OffAirRecord)
    /// A note on something wrong.
    case warning(String)
    case snapshot(Snapshot)
  }

  package struct Outcome: Sendable {
    /// Nil if it never went live.
    package let report: Report?
    /// Why it failed; nil if it ended normally.
    package let failure: BroadcastError?
  }

  let id: String
  private let factory: BroadcastFactory
  private let loop = EventLoop<BroadcastMachine.Event>(inbox: Inbox(capacity: 4096))
  private let observe: @Sendable (Observation) -> Void
  private let answer: @Sendable (BroadcastAnswer) -> Void

  /// Requests leave this much room in the inbox for the broadcast's own events.
  private static let roomForAnswers = 1024

  /// `finishing` is called before each file of the recording is finished.
  init(
    id: String, _ configuration: Configuration, feeds: Feeds, journals: JournalFolder?,
    resumed: ResumedBroadcast?, live: LivePackets?,
    finishing: @escaping @Sendable (_ path: String) -> Void,
    observe: @escaping @Sendable (Observation) -> Void, answer: @escaping @Sendable (BroadcastAnswer) -> Void
  ) {
    self.id = id
    self.observe = observe
    self.answer = answer
    let note: @Sendable (String) -> Void = { observe(.warning($0)) }
    let journal = journals.flatMap {
      BroadcastJournal(of: id, name: configuration.name, resuming: resumed, in: $0, note: note)
    }
    factory = BroadcastFactory(
      configuration: configuration, feeds: feeds, resumed: resumed, journal: journal, live: live,
      finishing: finishing, note: note, post: { [inbox = loop.inbox] in inbox.post($0) })
  }

  var configuration: Configuration { factory.configuration }
  var journal: BroadcastJournal? { factory.journal }

  /// Runs the broadcast on its own thread; `join` waits for it.
  func start() {
    loop.post(.started)
    do {
      try loop.start(name: "broadcast") { [self] in makeDriver() }
    } catch {
      answer(.over(.failed))
      answer(.ended(Outcome(report: nil, failure: .system("\(error)"))))
    }
  }

  private func makeDriver() -> BroadcastDriver<SystemBroadcastEnvironment> {
    BroadcastDriver(
      of: id,
      BroadcastMachine.Settings(configuration, factory.feeds.tracks, of: id, factory.resumed, at: .now),
      SystemBroadcastEnvironment(factory, loop.inbox, observe: observe, answer: answer))
  }

  func join() { loop.join() }

  /// Returns false if the broadcast no longer accepts requests. Never blocks; callable from any thread.
  @discardableResult
  func post(_ request: BroadcastRequest) -> Bool {
    loop.post(.request(request), leaving: Self.roomForAnswers)
  }

  static func newID() -> String {
    WallTime.now.compact + "-"
      + String(UInt16.random(in: 0x1000...0xFFFF), radix: 16)
  }
}

extension BroadcastMachine.Settings {
  fileprivate init(
    _ configuration: Configuration, _ tracks: Set<TrackKind>, of broadcast: String,
    _ resumed: ResumedBroadcast?, at now: MonotonicTime
  ) {
    self.init(
      tracks: tracks,
      outputs: configuration.outputSettings.map {
        KnownOutput(
          id: $0.id, url: $0.address.redacted, journalKey: $0.journalKey(in: broadcast),
          wasAccepted: resumed?.hasAccepted($0) ?? false, isOptional: !$0.acceptsRefusals)
      }, isRecorded: configuration.recording.directory != nil, publishType: configuration.outputs.publishType,
      bitrate: configuration.video.bitrate, hasDuration: configuration.session.duration != nil,
      requiresAllOutputs: configuration.outputs.required == .all,
      resumed: resumed.map { BroadcastMachine.Resumed($0, tracks, at: now) })
    (renditions, sharedBitrates) = (configuration.plannedRenditions, configuration.sharedBitrates)
    viewable = Array(configuration.liveRenditions.encodes.values)
  }
}

extension BroadcastMachine.Resumed {
  fileprivate init(_ resumed: ResumedBroadcast, _ tracks: Set<TrackKind>, at now: MonotonicTime) {
    interruption = OpenInterruption(
      since: now - resumed.length(until: .now()), wallSince: resumed.since.wall, cause: resumed.cause,
      mediaAt: resumed.mediaEnd, extraLoss: resumed.extraLoss)
    mediaEnd = resumed.mediaEnd
    interruptions = resumed.interruptions(of: tracks)
    gaps = resumed.broadcast.gapMap.gaps
    cutLosses = resumed.broadcast.cutLosses(at: resumed.mediaEnd)
    recordingPath = resumed.recording?.path
  }
}

package enum BroadcastError: Error, Sendable {
  case capture(CaptureError)
  case recording(RecordingError)
  /// No encoder works, or the encoder failed.
  case encoding(String)
  /// Every output was refused, and there is no recording.
  case refused([String])
  /// Every output was refused or has given up, and there is no recording.
  case gaveUp([String])
  /// Nothing, or too little, of a broadcast was published.
  case notDelivered([String])
  case gate(GateError)
  case system(String)
}
