import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

/// The production environment: devices, gates, journals, and a thread per broadcast.
struct SystemProcessEnvironment: ProcessEnvironment {
  private let broadcaster: Broadcaster
  private let sources: SourceOpener
  private let finished: FinishedRecordings?
  private let gate: GateRunner?
  private let recovery: CrashRecovery?
  private let observe: @Sendable (Broadcast.Observation) -> Void
  /// The broadcast to resume next.
  private(set) var resumed: ResumedBroadcast?
  /// The user has taken an earlier process off air.
  let offAir: OffAirRecord?
  private let lastWords: WriterThread<LastWord>?
  private var broadcasts: [BroadcastNumber: Broadcast] = [:]
  private var preview: Preview?

  /// The clock of `wait` stops while the machine sleeps; the session's does not.
  private static let longestWait = MediaTime.milliseconds(100)
  /// How long a hanging disk blocks a request.
  private static let diskLimit = MediaTime.milliseconds(250)

  /// Starts the threads that `finish` ends, and recovers unfinished broadcasts.
  init(_ broadcaster: Broadcaster, isTypedAtTerminal: Bool) throws(SystemError) {
    self.broadcaster = broadcaster
    let inbox = broadcaster.loop.inbox
    let journals = broadcaster.journals
    let configuration = broadcaster.configuration
    let warn: @Sendable (String) -> Void = { broadcaster.show(.warning($0)) }
    let sources = try SourceOpener(broadcaster)
    var opened: FinishedRecordings?
    do throws(SystemError) {
      opened = try FinishedRecordings(
        configuration, environment: broadcaster.processEnvironment, confinement: broadcaster.confinement,
        ledger: journals.map { "\($0.path)/unfinished-commands" }, observe: broadcaster.show)
      lastWords = try journals.map { (journals) throws(SystemError) in
        try WriterThread(name: "last-word", capacity: 64) { word in
          do throws(JournalError) {
            try journals.keep(word)
          } catch {
            warn("after a crash this broadcast may go on air unasked: \(error)")
          }
        }
      }
    } catch {
      opened?.finish()
      sources.finish()
      throw error
    }
    let finished = opened
    (self.sources, self.finished) = (sources, finished)
    let observe: @Sendable (Broadcast.Observation) -> Void = { observation in
      broadcaster.show(observation)
      if case .event(let line) = observation { finished?.handle(line) }
    }
    self.observe = observe
    let gates = broadcaster.gates
    gate =
      gates.isEmpty
      ? nil
      : GateRunner(gates) { number, report in
        switch report {
        case .began: inbox.post(.gateBegan(number))
        case .passed: inbox.post(.gateAnswered(number, nil))
        case .refused(let error): inbox.post(.gateAnswered(number, error))
        }
      }
    recovery = journals.map {
      CrashRecovery(
        configuration: configuration, journals: $0, finishing: { finished?.announce(path: $0, of: $1) },
        observe: observe)
    }
    (resumed, offAir) = recovery?.recover(isTypedAtTerminal: isTypedAtTerminal) ?? (nil, nil)
    do throws(SystemError) {
      try finished?.begin(keeping: resumed?.recording?.path)
    } catch {
      warn("no command runs for finished recordings, and old ones are not deleted: \(error)")
    }
  }

  func finish() {
    finished?.finish()
    gate?.finish()
    lastWords?.finish()
    sources.finish()
    broadcaster.pictures.finish()
  }

  var hasGate: Bool { gate != nil }

  func request(_ request: SourceRequest) { sources.request(request, broadcaster.configuration) }

  mutating func preview(_ isOn: Bool) {
    preview = isOn ? sources.openFeeds.withLock { $0 }.map(Preview.init) : nil
  }

  mutating func openBroadcast(_ number: BroadcastNumber, id: String) {
    guard let feeds = sources.openFeeds.withLock({ $0 }) else { return }
    let configuration = broadcaster.configuration.with(sourcesOf: feeds.sources)
    broadcaster.published.withLock { $0.running = (configuration, feeds) }
    let inbox = broadcaster.loop.inbox
    let broadcast = Broadcast(
      id: id, configuration, feeds: feeds, journals: broadcaster.journals, resumed: resumed.take(),
      live: broadcaster.live, finishing: { [finished] in finished?.announce(path: $0, of: id) },
      observe: observe,
      answer: { inbox.post(.broadcast(number, $0)) })
    broadcasts[number] = broadcast
    broadcast.start()
    for (output, address) in broadcaster.published.withLock({ $0.sessionAddresses }) {
      broadcast.post(.move(output, to: address))
    }
  }

  func post(_ request: BroadcastRequest, to broadcast: BroadcastNumber) -> Bool {
    broadcasts[broadcast]?.post(request) ?? false
  }

  func write(_ entry: JournalEntry, toJournalOf broadcast: BroadcastNumber) {
    broadcasts[broadcast]?.journal?.write(entry)
  }

  mutating func release(_ broadcast: BroadcastNumber, _ outcome: Broadcast.Outcome) {
    broadcasts.removeValue(forKey: broadcast)?.join()
    broadcaster.finish(outcome)
  }

  mutating func discardInterrupted(_ reason: BroadcastEvent.EndReason) {
    if let resumed = resumed.take() { recovery?.finish(resumed.broadcast, reason) }
  }

  func instant(at now: Instant) -> JournalInstant {
    var instant = JournalInstant.now()
    (instant.wall, instant.sinceBoot) = (now.wall, now.sinceBoot)
    return instant
  }

  /// Blocks until the word is on disk, but not longer than the limit.
  func keep(_ word: LastWord) { _ = lastWords?.write(word, waiting: Self.diskLimit) }

  func askGate(_ number: Int, about broadcast: BroadcastNumber, _ occasion: BroadcastInfo.Occasion) {
    guard let broadcast = broadcasts[broadcast] else { return }
    let configuration = broadcast.configuration
    gate?.ask(
      number,
      about: BroadcastInfo(
        id: broadcast.id, name: configuration.name, occasion: occasion,
        outputs: configuration.outputSettings.map(\.id), recordingDirectory: configuration.recording.directory
      ))
  }

  func cancelGate() { gate?.cancel() }

  func report(_ observation: Broadcast.Observation) { observe(observation) }

  func publish(_ status: ProcessStatus) { broadcaster.published.withLock { $0.status = status } }

  mutating func wait(for inbox: Inbox<ProcessEvent>, until deadline: MonotonicTime?) -> ProcessEvent? {
    let now = MonotonicTime.now
    if let snapshot = preview?.snapshot(at: now) { report(.snapshot(snapshot)) }
    let limit = deadline.map { min($0, now + Self.longestWait) }
    return inbox.take(until: [limit, preview?.nextSnapshot].compactMap(\.self).min())
  }
}
