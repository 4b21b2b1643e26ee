import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// Runs the configured command for finished recordings and deletes old ones.
final class FinishedRecordings: Sendable {
  private let hook: SegmentHook?
  private let sweep: RetentionSweep
  private let wait: MediaTime
  private let observe: @Sendable (Broadcast.Observation) -> Void
  private let open = Locked<Set<String>>([])
  private let isOver = Locked(false)
  private let wakeup: Wakeup
  private let thread = ThreadSlot()

  /// Sweeps also while a single growing file uses up the space.
  private static let sweepInterval = MediaTime.seconds(60)

  /// Nil if there is nothing to do. `environment` is the program's own; `ledger` keeps the files whose
  /// command has not run until the next start.
  init?(
    _ configuration: Configuration, environment: [String: String], confinement: FolderConfinement?,
    ledger: String?,
    observe: @escaping @Sendable (Broadcast.Observation) -> Void
  ) throws(SystemError) {
    guard let folder = configuration.recording.directory else { return nil }
    sweep = RetentionSweep(
      Retention(age: configuration.recording.keepAge, size: configuration.recording.keepSize), in: folder,
      of: configuration.name)
    wait = configuration.recording.onSegmentWait
    self.observe = observe
    if let command = configuration.recording.onSegment {
      var settings = SegmentHookSettings(command, name: configuration.name, environment: environment)
      settings.ledger = ledger
      settings.confinement = confinement
      hook = try SegmentHook(settings) { event in
        if let text = event.text { observe(.warning(text)) }
      }
    } else {
      hook = nil
    }
    wakeup = try Wakeup()
    guard hook != nil || !sweep.retention.keepsAll else { return nil }
  }

  /// Starts the commands that earlier processes left, and deletion; `resumed` is the recording to be continued.
  func begin(keeping resumed: String?) throws(SystemError) {
    if let resumed { open.withLock { _ = $0.insert(resumed) } }
    try hook?.begin(keeping: resumed.map(absolutePath)) { FragmentedFile.isFinished($0) }
    guard !sweep.retention.keepsAll else { return }
    try thread.start(name: "retention") { [self] in
      while !isOver.withLock({ $0 }) {
        wakeup.clear()
        sweepOnce()
        wakeup.wait(until: .now + Self.sweepInterval)
      }
      sweepOnce()
    }
  }

  /// Returns once it is on disk that the file will need the command.
  func announce(path: String, of broadcast: String) {
    hook?.announce(path: absolutePath(path), broadcast: broadcast)
  }

  func handle(_ line: EventLine) {
    guard case .recording(let path, let state) = line.event else { return }
    switch state {
    case .open: open.withLock { _ = $0.insert(path) }
    case .finished:
      open.withLock { _ = $0.remove(path) }
      hook?.offer(path: absolutePath(path), broadcast: line.broadcast)
      wakeup.signal()
    case .failed: open.withLock { _ = $0.remove(path) }
    }
  }

  func finish() {
    isOver.withLock { $0 = true }
    wakeup.signal()
    thread.join()
    hook?.finish(within: wait)
  }

  private func sweepOnce() {
    guard fileExists(sweep.folder) else { return }
    let outcome = sweep.run(keeping: open.withLock { $0 }.union(hook?.unfinished ?? []))
    for file in outcome.deleted {
      observe(.note("deleted \(sweep.folder)/\(file.name) (over the age or size limit)"))
    }
    for failure in outcome.failures { observe(.warning("can't delete an old recording: \(failure)")) }
  }
}

extension SegmentHook.Event {
  fileprivate var text: String? {
    switch self {
    case .succeeded: nil
    case .failed(let path, let reason, let delay): "command for \(path) failed: \(reason); retry in \(delay)"
    case .gaveUp(let path, let reason):
      "command for \(path) failed: \(reason); file kept, retry at the next start"
    case .leftRunning(let path): "command for \(path) is still running and was left running"
    case .notRun(let path): "command for \(path) was not run; it runs at the next start"
    case .ledgerFailed(let error):
      "can't write the list of pending recording commands: \(error)"
    }
  }
}
