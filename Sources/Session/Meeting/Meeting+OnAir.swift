import HoldfastMediaModel

extension Session.Meeting {
  mutating func goOnAir(_ order: Session.JobOrder) throws(Session.Refusal) -> [Session.Event] {
    if let job, job.state != .over { throw .onAirAlready }
    job = Session.Job(order: order)
    return jobReport
  }

  mutating func goOffAir() -> [Session.Event] {
    guard let job, job.state != .over else { return [] }
    return setJob(.over, reason: "offAir", holder: nil)
  }

  /// By a worker, of a job that nobody has; or by the one that has it, which gets a new lease.
  mutating func take(
    _ id: String, by worker: String, _ lease: Session.Lease, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    try TextRule(subject: .worker, maxCharacters: Session.Limits.idCharacters).check(worker)
    guard let job, job.order.id == id, job.state != .over else { throw .notOnAir }
    if let holder = job.holder, holder.worker != worker { throw .jobTaken }
    return setJob(
      .connecting, reason: nil, holder: Session.Job.Holder(worker: worker, lease: lease, lastSeen: now))
  }

  /// Renews the job's lease.
  mutating func work(
    _ lease: Session.Lease, _ report: Session.WorkReport, epoch: UInt64, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    guard let job, job.state != .over else { throw .notOnAir }
    guard let holder = job.holder else { throw .leaseOver }
    // Also one of an earlier epoch: another worker publishes in its place.
    if lease < holder.lease { throw .superseded }
    if let refusal = lease.refusal(newest: holder.lease, epoch: epoch) { throw refusal }
    let wasBegun = job.begun
    self.job?.begun = job.begun || report.begun
    self.job?.mediaTime = max(job.mediaTime, report.mediaTime)
    if report.begun || wasBegun { self.job?.reportedAt = now }
    var renewed = holder
    renewed.lastSeen = max(holder.lastSeen, now)
    let events = setJob(
      report.state, reason: report.reason,
      holder: report.state == .over || report.isReleased ? nil : renewed)
    return events.isEmpty && report.begun && !wasBegun ? jobReport : events
  }

  /// A worker of which nothing is heard loses the job to whoever takes it.
  mutating func expireJob(
    _ presence: Session.Presence, _ epoch: Session.Epoch, at now: WallTime
  ) -> [Session.Event] {
    guard let end = jobLeaseEnd(presence, epoch), now >= end else { return [] }
    return setJob(.waiting, reason: "workerLost", holder: nil)
  }

  func jobLeaseEnd(_ presence: Session.Presence, _ epoch: Session.Epoch) -> WallTime? {
    job?.holder.map { presence.countedFrom($0.lastSeen, epoch) + Session.Limits.jobLease }
  }

  /// Reported only if it is not what is known already.
  private mutating func setJob(
    _ state: Session.Job.State, reason: String?, holder: Session.Job.Holder?
  ) -> [Session.Event] {
    let isNew = job?.state != state || job?.reason != reason
    job?.state = state
    job?.reason = reason
    job?.holder = holder
    return isNew ? jobReport : []
  }

  private var jobReport: [Session.Event] {
    job.map { [.onAir(job: $0.order.id, $0.state, reason: $0.reason)] } ?? []
  }
}
