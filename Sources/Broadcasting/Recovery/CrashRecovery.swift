import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// Resumes or finishes unfinished broadcasts of earlier processes.
struct CrashRecovery {
  let configuration: Configuration
  let journals: JournalFolder
  let finishing: @Sendable (_ path: String, _ broadcast: String) -> Void
  let observe: @Sendable (Broadcast.Observation) -> Void

  /// Returns the broadcast to resume, if any, and finishes all others. `isTypedAtTerminal` if a person has just asked for
  /// a broadcast.
  func recover(isTypedAtTerminal: Bool) -> (resumed: ResumedBroadcast?, offAir: OffAirRecord?) {
    do {
      let (unfinished, ends) = try journals.contents { warn("\($0)") }
      let plan = Recovery(
        unfinished, ends: ends, lastWord: journals.lastWord,
        .init(
          now: .now(), window: configuration.session.resumeWindow, policy: configuration.session.afterCrash,
          isTypedAtTerminal: isTypedAtTerminal))
      if let overridden = plan.overridden {
        warn("off air since \(overridden.since.wall.rfc3339); a new broadcast begins, as requested")
        try journals.keep(.onAir(since: .now()))
      }
      let resumed = plan.resumed.map { ResumedBroadcast($0, configuration, note: warn) }
      if let resumed {
        finishEarlierFiles(
          of: resumed.broadcast, but: resumed.recording?.path ?? resumed.broadcast.recordingPath)
      }
      for broadcast in plan.finished { finish(broadcast) }
      return (resumed, plan.offAir)
    } catch {
      warn("can't read the journal of an unfinished broadcast: \(error)")
      return (nil, journals.lastWord?.offAir)
    }
  }

  /// A crash during a change of files may leave the previous file unfinished.
  private func finishEarlierFiles(of broadcast: UnfinishedBroadcast, but current: String?) {
    let paths = Set(broadcast.recordings.suffix(Self.maxRecordingsChecked).map(\.path))
    for path in paths.sorted() where current.map(absolutePath) != path && fileExists(path) {
      guard let known = try? FragmentedFile(endOf: path), known.tail != .index, known.fragments > 0 else {
        continue
      }
      finishFile(path, of: broadcast)
    }
  }

  /// The newest recordings of a journal that are checked for unfinished files.
  private static let maxRecordingsChecked = 4

  func finish(_ broadcast: UnfinishedBroadcast, _ reason: BroadcastEvent.EndReason = .crash) {
    var end = broadcast.mediaTime
    finishEarlierFiles(of: broadcast, but: broadcast.recordingPath)
    if let path = broadcast.recordingPath {
      do {
        end = try FragmentedFile.cutTornEnd(of: path).end
        finishFile(path, of: broadcast)
      } catch {
        warn("\(path): \(error)")
      }
    }
    let cut = broadcast.cutLosses(at: end)
    do throws(JournalError) {
      var writer = try journals.resume(broadcast.id)
      for gap in cut { try writer.write(.gap(gap)) }
      try writer.write(.ended(reason: reason.rawValue))
    } catch {
      warn("\(error)")
    }
    for gap in cut { report(.gap(gap), of: broadcast) }
    report(.ended(reason: reason, duration: end, gaps: broadcast.gapMap.count + cut.count), of: broadcast)
    observe(.note("broadcast \(broadcast.id) of a process that crashed has been finished"))
  }

  private func finishFile(_ path: String, of broadcast: UnfinishedBroadcast) {
    finishing(path, broadcast.id)
    do {
      _ = try FragmentedFile.finish(path)
      report(.recording(path: path, state: .finished), of: broadcast)
    } catch {
      warn("\(path): \(error)")
    }
  }

  private func warn(_ text: String) {
    observe(.warning(text))
  }

  private func report(_ event: BroadcastEvent, of broadcast: UnfinishedBroadcast) {
    let now = WallTime.now
    observe(.event(EventLine(at: now, broadcast: broadcast.id, event: event)))
  }
}
