import HoldfastMarks
import HoldfastMediaModel
import TestSupport

extension Claims {
  mutating func check(_ run: SoakRun) {
    expect(run.status == 0, "it ends as asked", "status \(run.status ?? -1)")
    let broadcasts = Set(run.events.compactMap { $0.fields["broadcast"] as? String })
    expect(
      broadcasts.count == 1 && run.folder.recordings.count == 1, "one broadcast, one recording",
      "\(broadcasts.count), \(run.folder.recordings.count)")
    func named(_ event: String) -> [[String: Any]] {
      run.events.map(\.fields).filter { $0["event"] as? String == event }
    }
    let told = named("clock").compactMap { $0["byMs"] as? Double }
    let steps = run.clock.steps.map(\.length.milliseconds)
    expect(
      told.count == steps.count && zip(told, steps).allSatisfy { abs($0 - $1) <= 20 },
      "each step of the clock is told", "\(told.count) of \(steps.count)")
    let losses = run.faults.count { $0.kind == .deviceLoss }
    let toldLosses = named("gap").count { $0["cause"] as? String == "device" && lostMs($0, "audio") != nil }
    expect(toldLosses == losses, "each loss of the microphone is told", "\(toldLosses) of \(losses)")
  }

  mutating func check(_ gaps: GapComparison) {
    let (output, report) = (gaps.output, gaps.marks.report)
    expect(
      report.repeated + report.goingBack == 0 && report.pictures > 0,
      "\(output): every picture once, in order",
      "\(report.pictures) pictures, \(report.repeated) repeated, \(report.goingBack) back, "
        + "\(report.unreadable) unreadable")
    let (all, lacking) = (gaps.rows.count, gaps.rows.count(where: \.lacksMore))
    expect(lacking == 0, "\(output): no more is missing than is told", "in \(all - lacking) of \(all) gaps")
    let (telling, inFlight) = (gaps.rows.count(where: \.tellsMore), gaps.rows.filter(\.tellsWhatWasInFlight))
    expect(
      telling == 0, "\(output): no more is told than is missing or was in flight",
      "in \(all - telling) of \(all) gaps; in flight in \(inFlight.count), at most "
        + "\(figure(inFlight.map(\.excess).max() ?? 0)) ms")
  }

  /// The processes need as much when they are old as when they were young.
  mutating func check(memory lives: [[Int]]) {
    let all = lives.joined().map(Double.init)
    let settled = lives.flatMap { life in
      life.enumerated().dropFirst(Self.warmUp).map { (age: $0.offset, memory: Double($0.element)) }
    }.sorted { $0.age < $1.age }
    let (young, old) = (settled.prefix(settled.count / 3), settled.suffix(settled.count / 3))
    let growth = median(old.map(\.memory)) / median(young.map(\.memory)) - 1
    expect(
      growth <= 0.03, "memory stays flat",
      "\(figure(median(all) / 1000)) MB, at most \(figure((all.max() ?? 0) / 1000)) MB; processes older than "
        + "\(old.first?.age ?? 0) s need \(figure(growth * 100)) % more than those younger than "
        + "\(young.last?.age ?? 0) s")
  }

  /// In samples, one a second.
  private static let warmUp = 20
}
