internal import HoldfastMP4
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// Resumes or finishes the broadcasts that earlier processes have left unfinished.
struct CrashRecovery {
  let configuration: Configuration
  let journals: JournalFolder
  let observe: @Sendable (Broadcast.Observation) -> Void

  /// The broadcast to resume, if there is one; all others are finished.
  func recover() -> ResumedBroadcast? {
    do {
      var resumed: ResumedBroadcast?
      let left = try journals.unfinished { note("\($0)") }
      for (index, journal) in left.enumerated() {
        let recovery = Recovery.decide(
          index == 0 ? journal : nil, now: .now(), window: configuration.session.resumeWindow,
          policy: configuration.session.afterCrash)
        switch recovery {
        case .resume(let broadcast):
          resumed = ResumedBroadcast(broadcast, configuration, note: note)
          finishEarlierFiles(of: broadcast, but: resumed?.recording?.path ?? broadcast.recordingPath)
        case .finishAndStartNew(let broadcast): finish(broadcast)
        case .nothing: UnfinishedBroadcast(journal).map { finish($0) }
        }
      }
      return resumed
    } catch {
      note("what was left unfinished can't be read: \(error)")
      return nil
    }
  }

  /// A process that is killed where a recording goes on in the next file may not have finished the one before.
  private func finishEarlierFiles(of broadcast: UnfinishedBroadcast, but current: String?) {
    let paths = Set(broadcast.recordings.suffix(Self.looksBack).map(\.path))
    for path in paths.sorted() where current.map(absolutePath) != path && fileExists(path) {
      guard let known = try? FragmentedFile(endOf: path), known.tail != .index, known.fragments > 0 else {
        continue
      }
      do {
        _ = try FragmentedFile.finish(path)
        tell(.recording(path: path, state: .finished), of: broadcast)
      } catch {
        note("\(path): \(error)")
      }
    }
  }

  /// So many entries of the journal.
  private static let looksBack = 4

  /// Leaves its recording whole, and its journal with an end.
  func finish(_ broadcast: UnfinishedBroadcast, _ reason: BroadcastEvent.EndReason = .crash) {
    var end = broadcast.mediaTime
    finishEarlierFiles(of: broadcast, but: broadcast.recordingPath)
    if let path = broadcast.recordingPath {
      do {
        end = try FragmentedFile.cutTornEnd(of: path).end
        _ = try FragmentedFile.finish(path)
        tell(.recording(path: path, state: .finished), of: broadcast)
      } catch {
        note("\(path): \(error)")
      }
    }
    do throws(JournalError) {
      var writer = try journals.resume(broadcast.id)
      try writer.write(.ended(reason: reason.rawValue))
    } catch {
      note("\(error)")
    }
    let map = broadcast.gapMap
    tell(
      .ended(reason: reason, duration: end, gaps: map.totals.interruptions + map.totals.gaps), of: broadcast)
    note("broadcast \(broadcast.id) was left by a process that came to a sudden end: it is finished")
  }

  private func note(_ text: String) {
    observe(.note(text))
  }

  private func tell(_ event: BroadcastEvent, of broadcast: UnfinishedBroadcast) {
    let now = WallTime.now
    observe(.event(EventLine(at: now, broadcast: broadcast.id, event: event)))
  }
}
