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
      let found = try journals.contents { warn("\($0)") }
      for (broadcast, ending) in found.unreported { repeatEnd(of: broadcast, ending) }
      let plan = Recovery(
        found.unfinished, ends: found.ends, lastWord: journals.lastWord,
        .init(
          now: .now(), window: configuration.session.resumeWindow, policy: configuration.session.afterCrash,
          isTypedAtTerminal: isTypedAtTerminal))
      if let overridden = plan.overridden {
        warn("off air since \(overridden.since.wall.rfc3339); a new broadcast begins, as requested")
        try journals.keep(.onAir(since: .now()))
      }
      let resumed = plan.resumed.map { resume($0) }
      for broadcast in plan.finished { finish(broadcast) }
      return (resumed, plan.offAir)
    } catch {
      warn("can't read the journal of an unfinished broadcast: \(error)")
      return (nil, journals.lastWord?.offAir)
    }
  }

  private func resume(_ broadcast: UnfinishedBroadcast) -> ResumedBroadcast {
    repeatGaps(of: broadcast)
    let broadcast = cleanedUp(own(broadcast), isResumed: true)
    let resumed = ResumedBroadcast(broadcast, configuration, note: warn)
    finishEarlierFiles(of: broadcast, but: resumed.recording?.path ?? broadcast.recordingPath)
    return resumed
  }

  /// The broadcast with only those files that the lock on the journals' folder shows as its own.
  private func own(_ broadcast: UnfinishedBroadcast) -> UnfinishedBroadcast {
    let (own, foreign) = broadcast.withoutForeignFiles(of: journals.name)
    for path in foreign {
      warn("\(path), which a journal names, is not a recording of \(journals.name), and was left alone")
    }
    return own
  }

  /// The broadcast without files in which nothing is readable, and with what others lack.
  private func cleanedUp(_ broadcast: UnfinishedBroadcast, isResumed: Bool) -> UnfinishedBroadcast {
    let files = UnfinishedFiles(of: broadcast)
    for outcome in files.cleanUp(keepsHeads: isResumed) {
      switch outcome {
      case .repaired(let path): warn("\(path) had no head, and got that of another file of the recording")
      case .removed(let path): warn("\(path) had no readable media, and was removed")
      case .renamed(let path, let name): warn("\(path) was empty, and is \(name) now")
      }
    }
    var broadcast = broadcast
    broadcast.seamLosses = files.seamLosses()
    return broadcast
  }

  /// A crash during a change of files may leave the previous file unfinished.
  private func finishEarlierFiles(of broadcast: UnfinishedBroadcast, but current: String?) {
    for path in UnfinishedFiles(of: broadcast).torn(but: current) { finishFile(path, of: broadcast) }
  }

  func finish(_ broadcast: UnfinishedBroadcast, _ reason: BroadcastEvent.EndReason = .crash) {
    if reason == .crash { repeatGaps(of: broadcast) }
    let owned = own(broadcast)
    let hadLatest = owned.recordingPath.map(fileExists) ?? false
    let broadcast = cleanedUp(owned, isResumed: false)
    var end = broadcast.mediaTime
    let latest = broadcast.recordings.last { fileExists($0.path) }
    let path = latest?.path ?? broadcast.recordingPath
    finishEarlierFiles(of: broadcast, but: path)
    if let path, fileExists(path) || !hadLatest {
      do {
        let known = try FragmentedFile.cutTornEnd(of: path)
        end = broadcast.origin(of: known, announcedAs: path) + known.end
        finishFile(path, of: broadcast)
      } catch {
        warn("\(path): \(error)")
      }
    }
    let cut = broadcast.cutLosses(at: end)
    let ending = JournalEntry.Ending(
      reason: reason.rawValue, duration: end, gaps: broadcast.gapMap.count + cut.count)
    journal(of: broadcast.id) { (writer) throws(JournalError) in
      // The one after it was removed.
      if hadLatest, let latest, latest.path != broadcast.recordingPath {
        try writer.write(.recording(path: latest.path, tracks: latest.tracks, origin: latest.origin))
      }
      for gap in cut { try writer.write(.gap(gap)) }
      try writer.write(.ended(ending))
    }
    for gap in cut { report(.gap(gap), of: broadcast.id) }
    report(.ended(reason: reason, duration: end, gaps: ending.gaps), of: broadcast.id)
    journal(of: broadcast.id) { (writer) throws(JournalError) in try writer.write(.reported) }
    observe(.note("broadcast \(broadcast.id) of a process that crashed has been finished"))
  }

  private func finishFile(_ path: String, of broadcast: UnfinishedBroadcast) {
    finishing(path, broadcast.id)
    do {
      _ = try FragmentedFile.finish(path)
      report(.recording(path: path, state: .finished), of: broadcast.id)
    } catch {
      warn("\(path): \(error)")
    }
  }

  private func warn(_ text: String) { observe(.warning(text)) }

  private func report(_ event: BroadcastEvent, of broadcast: String, isRepeated: Bool = false) {
    observe(.event(EventLine(at: .now, broadcast: broadcast, event: event, isRepeated: isRepeated)))
  }

  // MARK: - Events that a killed process may not have reported

  private func repeatGaps(of broadcast: UnfinishedBroadcast) {
    let tracks = Set(TrackKind.allCases.filter(configuration.has))
    let interruption = broadcast.unreportedInterruption?.gap(in: tracks)
    for gap in broadcast.unreportedGaps + [interruption].compactMap(\.self) {
      report(.gap(gap), of: broadcast.id, isRepeated: true)
    }
  }

  private func repeatEnd(of broadcast: String, _ ending: JournalEntry.Ending) {
    if let reason = BroadcastEvent.EndReason(rawValue: ending.reason), let duration = ending.duration {
      report(.ended(reason: reason, duration: duration, gaps: ending.gaps), of: broadcast, isRepeated: true)
    }
    journal(of: broadcast) { (writer) throws(JournalError) in try writer.write(.reported) }
  }

  private func journal(of broadcast: String, _ write: (inout JournalWriter) throws(JournalError) -> Void) {
    do throws(JournalError) {
      var writer = try journals.resume(broadcast)
      try write(&writer)
    } catch {
      warn("\(error)")
    }
  }
}
