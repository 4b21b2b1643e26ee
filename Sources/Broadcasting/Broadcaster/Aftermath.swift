internal import MediaModel
internal import Platform
internal import Recording

/// What a start does about the broadcasts that processes before it have left unfinished.
struct Aftermath {
  let configuration: Configuration
  let journals: JournalFolder
  let observe: @Sendable (Broadcast.Observation) -> Void

  /// The broadcast that is to be taken up, if there is one; all others are finished.
  func settle() -> TakenUp? {
    do {
      var takenUp: TakenUp?
      let left = try journals.unfinished { note("\($0)") }
      for (index, journal) in left.enumerated() {
        let recovery = Recovery.decide(
          index == 0 ? journal : nil, now: .now(), window: configuration.resumeWindow,
          policy: configuration.afterCrash)
        switch recovery {
        case .resume(let broadcast): takenUp = TakenUp(broadcast, configuration, note: note)
        case .finishAndStartNew(let broadcast): finish(broadcast)
        case .nothing: UnfinishedBroadcast(journal).map(finish)
        }
      }
      return takenUp
    } catch {
      note("what was left unfinished can't be read: \(error)")
      return nil
    }
  }

  /// Leaves its recording whole, and its journal with an end.
  func finish(_ broadcast: UnfinishedBroadcast) {
    var end = broadcast.mediaTime
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
      try writer.write(.ended(reason: BroadcastEvent.EndReason.crash.rawValue))
    } catch {
      note("\(error)")
    }
    let map = broadcast.gapMap
    tell(
      .ended(reason: .crash, duration: end, gaps: map.totals.interruptions + map.totals.gaps), of: broadcast)
    note("broadcast \(broadcast.id) was left by a process that came to a sudden end: it is finished")
  }

  private func note(_ text: String) {
    observe(.note(text))
  }

  private func tell(_ event: BroadcastEvent, of broadcast: UnfinishedBroadcast) {
    let now = WallTime(nanoseconds: wallClockNanoseconds())
    observe(.event(EventLine(at: now, broadcast: broadcast.id, event: event)))
  }
}
