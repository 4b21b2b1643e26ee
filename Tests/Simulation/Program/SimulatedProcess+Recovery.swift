internal import HoldfastMediaModel
internal import HoldfastRecording

extension SimulatedProcess {
  /// Reads what the disk has, decides as a start does, and ends what is not resumed.
  func recover(mayResume: Bool = true) -> UnfinishedBroadcast? {
    guard disk.isReadable else { return nil }
    let found = disk.unfinished().compactMap { _, file -> UnfinishedBroadcast? in
      let unfinished = UnfinishedBroadcast(Journal(file.bytes))
      if unfinished == nil { file.leave() } else { file.reopen() }
      return unfinished
    }
    let plan = Recovery.plan(
      UnfinishedBroadcast.latestFirst(found, boot: host.instant.bootID), ends: disk.ends, now: host.instant,
      window: MediaTime(nanoseconds: settings.window), policy: mayResume ? .withinWindow : .new)
    for broadcast in plan.finished { finish(broadcast, disk.journal(of: broadcast.id)) }
    world.note("program: resumes \(plan.resumed?.id ?? "nothing"), ends \(plan.finished.map(\.id))")
    if mayResume { day.check(resumed: plan.resumed?.id) }
    return plan.resumed
  }

  /// Leaves its recording whole, and its journal with an end.
  func finish(_ unfinished: UnfinishedBroadcast, _ file: JournalFile) {
    day.truth(of: unfinished.id).overAt = world.now
    disk.recordings[unfinished.id]?.last?.finish()
    guard disk.takesLines else { return }
    file.endedAt = host.instant
    let line = JournalRecord(at: host.instant, .ended(reason: "crash")).description
    file.append(Array(line.utf8) + [0x0A], onDiskBy: world.now + .ms(10), isEnd: true)
  }
}
