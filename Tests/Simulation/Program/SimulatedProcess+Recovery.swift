internal import HoldfastMediaModel
internal import HoldfastRecording

extension SimulatedProcess {
  /// Reads what the disk has, decides as a start does, and ends what is not taken up.
  func recover(mayResume: Bool = true) -> UnfinishedBroadcast? {
    guard disk.isReadable else { return nil }
    let now = host.instant
    let found = disk.unfinished().map { (file: $0.file, journal: Journal($0.file.bytes)) }
    guard !found.isEmpty else {
      if mayResume { surroundings.decided(nil) }
      return nil
    }
    let unfinished = found.compactMap { one in
      UnfinishedBroadcast(one.journal).map { (one.file, one.journal, $0) }
    }
    for (file, journal) in found where UnfinishedBroadcast(journal) == nil { file.leave() }
    let sorted = unfinished.sorted { $1.2.lastSign.isEarlier(than: $0.2.lastSign, boot: now.bootID) }
    var taken: UnfinishedBroadcast?
    for (index, (file, journal, unfinished)) in sorted.enumerated() {
      file.reopen()
      let decision =
        !mayResume || index > 0 || isOutlived(unfinished)
        ? Recovery.finishAndStartNew(unfinished)
        : Recovery.decide(
          journal, now: now, window: MediaTime(nanoseconds: settings.window), policy: .withinWindow)
      switch decision {
      case .resume(let unfinished): taken = unfinished
      case .finishAndStartNew(let unfinished):
        end(file)
        surroundings.truth(of: unfinished.id).overAt = world.now
        disk.recordings[unfinished.id]?.last?.finish()
      case .nothing: break
      }
      world.note("program: found \(unfinished.id): \(index == 0 && taken != nil ? "takes it up" : "ends it")")
    }
    if mayResume { surroundings.decided(taken?.id) }
    return taken
  }

  /// A later broadcast has been there, and has ended: nobody goes on with what was before it.
  private func isOutlived(_ unfinished: UnfinishedBroadcast) -> Bool {
    disk.ends.contains { unfinished.lastSign.isEarlier(than: $0, boot: host.instant.bootID) }
  }

  private func end(_ file: JournalFile) {
    guard disk.takesLines else { return }
    file.endedAt = host.instant
    let line = JournalRecord(at: host.instant, .ended(reason: "crash")).description
    file.append(Array(line.utf8) + [0x0A], onDiskBy: world.now + .ms(10), isEnd: true)
  }
}

extension JournalInstant {
  /// What happened since the machine was booted is the latest, by a clock that nobody sets.
  fileprivate func isEarlier(than other: JournalInstant, boot: String?) -> Bool {
    switch (bootID == boot, other.bootID == boot) {
    case (true, true): sinceBoot < other.sinceBoot
    case (false, false): wall < other.wall
    case (false, true): true
    case (true, false): false
    }
  }
}
