import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
package import HoldfastRecording

/// The journal of a broadcast, for recovery after a crash. Each entry is on disk before its event is
/// reported. A write error is reported once and otherwise ignored.
final class BroadcastJournal: Sendable {
  private let thread: JournalThread
  private let filter: Locked<JournalFilter>

  /// The journal of a new broadcast, or of one that is resumed; nil if it can't be opened, with the reason passed to
  /// `note`.
  init?(
    of broadcast: String, name: String, resuming resumed: ResumedBroadcast?, in folder: JournalFolder,
    note: @escaping @Sendable (String) -> Void
  ) {
    let isReported = Locked(false)
    let report: @Sendable (any Error) -> Void = { error in
      let isFirst = isReported.withLock { isReported in
        defer { isReported = true }
        return !isReported
      }
      if isFirst { note("the journal is incomplete: \(error)") }
    }
    let known = resumed?.broadcast
    do {
      let writer = if let known { try folder.resume(known.id) } else { try folder.begin(broadcast) }
      thread = try JournalThread(writer, report: report)
    } catch {
      report(error)
      return nil
    }
    filter = Locked(JournalFilter(resuming: known))
    guard let resumed else {
      write(.began(.init(broadcast: broadcast, name: name)))
      return
    }
    guard resumed.broadcast.interruption == nil else { return }
    // Dated at the end of the recording, so that the journal alone shows the gap.
    let window = resumed.since.wall.nanoseconds &+ resumed.window.nanoseconds
    write(
      .interrupted(
        cause: Interruption.crash, mediaAt: resumed.mediaEnd,
        resumableUntil: WallTime(nanoseconds: window)), at: resumed.since)
  }

  func write(_ entry: JournalEntry, at instant: JournalInstant = .now()) {
    let entries = filter.withLock { $0.admit(entry, at: instant.sinceBoot) }
    for entry in entries { thread.write(entry, at: instant) }
    if entries.contains(.reported) { thread.finish() }
  }
}

/// Decides which entries are written to a broadcast's journal.
package struct JournalFilter: Sendable {
  private var isLive: Bool
  private var isOver = false
  private var isReported = false
  private var accepted: Set<String>
  /// Session extension requests already written.
  private var requests: Set<String> = []
  package private(set) var nextCheckpoint: MediaTime?
  /// As in the last checkpoint.
  private var behind: [String: [TrackKind: MediaTime]] = [:]

  package static let checkpointInterval = MediaTime.seconds(1)

  package init(resuming broadcast: UnfinishedBroadcast? = nil) {
    isLive = broadcast != nil
    accepted = Set(broadcast?.acceptedOutputs ?? [])
  }

  package mutating func admit(_ entry: JournalEntry, at now: MediaTime) -> [JournalEntry] {
    if isOver {
      defer { isReported = isReported || entry == .reported }
      return entry == .reported && !isReported ? [entry] : []
    }
    switch entry {
    case .live: isLive = true
    case .outputAccepted(let output): return accepted.insert(output).inserted ? [entry] : []
    // A broadcast that never went live has nothing to resume.
    case .interrupted, .backgrounded: return isLive ? [entry] : []
    case .resumed: nextCheckpoint = nil
    case .checkpoint(_, let behind):
      guard isLive, behind != self.behind || nextCheckpoint.map({ $0 <= now }) ?? true else { return [] }
      self.behind = behind
      nextCheckpoint = now + Self.checkpointInterval
    case .session(var session):
      session.requests = session.requests.filter { requests.insert($0.key).inserted }
      return session.parts.map(JournalEntry.session)
    case .ended: isOver = true
    case .reported: return []
    case .began, .recording, .gap, .losing, .muted, .gate: break
    }
    return [entry]
  }
}

extension Output.Settings {
  /// The journal's key for an output that accepted `broadcast`: its id and a digest of its destination.
  func journalKey(in broadcast: String) -> String {
    "\(id)#" + hexadecimal(sha256(Array("\(broadcast) \(address.destination)".utf8))).prefix(16)
  }
}
