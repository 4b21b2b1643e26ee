import HoldfastMediaModel

extension Session.Meeting {
  mutating func report(
    _ report: Session.Member.Report, of id: Session.Member.ID, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    let before = members[index].reported
    members[index].reported = report
    var events: [Session.Event] = []
    if before.condition != report.condition { events.append(.reported(id, .condition(report.condition))) }
    if before.lacking != report.lacking { events.append(.reported(id, .lacking(report.lacking))) }
    if before.muted != report.muted { events.append(.reported(id, .muted(report.muted))) }
    if before.givesSmall != report.givesSmall { events.append(.reported(id, .givesSmall(report.givesSmall))) }
    if report.condition == .live { events += startTimer(at: now) }
    return events
  }

  /// Once for each time that it joins; who asks later finds it in the state.
  mutating func ready(_ id: Session.Member.ID) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    guard !members[index].isReady else { return [] }
    members[index].isReady = true
    return [.ready(id)]
  }
}
