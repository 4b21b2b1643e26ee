import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import Testing

@testable import HoldfastOperations

/// A worker's machine, and what it has asked for last.
private struct JobRun {
  var machine = JobMachine()
  var now = MonotonicTime(nanoseconds: 0)

  mutating func handle(_ events: JobMachine.Event...) -> [JobMachine.Action] {
    events.flatMap { machine.handle($0, at: now) }
  }

  mutating func pass(_ seconds: Int64) -> [JobMachine.Action] {
    now = now + .seconds(seconds)
    return handle(.timePassed)
  }

  static func grant(_ sequence: UInt64 = 1, _ type: PublishType = .record) -> JobMachine.Grant {
    JobMachine.Grant(
      lease: Session.Lease(epoch: 1, sequence: sequence), broadcast: "b", outputs: ["rtmp://m/live/k"],
      publishType: type, mediaTime: type == .append ? .seconds(12) : .zero)
  }

  static func refusal(_ code: String, _ status: Int = 409) -> HubFailure {
    .refused(HubRefusal(status, code, "refused"))
  }

  /// On air, with request 2 answered.
  static func onAir() -> JobRun {
    var run = JobRun()
    _ = run.handle(.started, .taken(1, grant()), .worked(2))
    return run
  }
}

@Suite final class JobMachineTests {
  private var run = JobRun.onAir()
  private static let beginning: Session.WorkReport = {
    var report = Session.WorkReport()
    report.begun = true
    return report
  }()

  @Test func `that a publish begins is said before it does`() {
    run = JobRun()
    #expect(run.handle(.started) == [.take(1)])
    let grant = JobRun.grant()
    #expect(run.handle(.taken(1, grant)) == [.work(2, grant.lease, Self.beginning)])
    // The answer is lost.
    #expect(run.handle(.failed(2, .unreachable("no answer"))).isEmpty)
    #expect(run.pass(1) == [.work(3, grant.lease, Self.beginning)])
    #expect(run.handle(.worked(3)) == [.begin(grant)])
  }

  @Test func `a job that has begun goes on at once, and appends`() {
    run = JobRun()
    _ = run.handle(.started)
    let grant = JobRun.grant(4, .append)
    #expect(run.handle(.taken(1, grant)) == [.begin(grant)])
  }

  @Test func `a worker says each second how it is, and a change at once`() throws {
    #expect(run.machine.nextDeadline == run.now + .seconds(1))
    let lease = JobRun.grant().lease
    var report = try Session.WorkReport(.live, mediaTime: .seconds(1))
    let actions = run.handle(.reported(report))
    report.begun = true
    #expect(actions == [.work(3, lease, report)])
    #expect(run.handle(.worked(3)).isEmpty)
    // How far it is alone is no news.
    report = try Session.WorkReport(.live, mediaTime: .seconds(2))
    #expect(run.handle(.reported(report)).isEmpty)
    report.begun = true
    #expect(run.pass(1) == [.work(4, lease, report)])
  }

  @Test func `a hub that is away changes nothing on air`() {
    for number in 3..<100 {
      #expect(run.pass(1) == [.work(number, JobRun.grant().lease, Self.beginning)])
      let failure = number.isMultiple(of: 2) ? JobRun.refusal("storeAway", 503) : .unreachable("no answer")
      #expect(run.handle(.failed(number, failure)).isEmpty)
    }
  }

  @Test func `after the end of its lease a worker takes the job again, and goes on`() {
    _ = run.pass(1)
    #expect(run.handle(.failed(3, JobRun.refusal("leaseOver"))) == [.take(4)])
    let grant = JobRun.grant(9, .append)
    // No second beginning.
    #expect(run.handle(.taken(4, grant)) == [.work(5, grant.lease, Self.beginning)])
  }

  @Test(arguments: [
    ("superseded", JobMachine.Ending.superseded), ("notOnAir", .over), ("sessionOver", .over),
  ])
  func `a broadcast that is another's, or over, closes at once`(code: String, ending: JobMachine.Ending) {
    _ = run.pass(1)
    #expect(run.handle(.failed(3, JobRun.refusal(code))) == [.close(ending)])
    #expect(run.machine.isFinished && run.machine.nextDeadline == nil)
    #expect(run.handle(.worked(3)).isEmpty && run.pass(5).isEmpty)
  }

  @Test func `a lease that is over, and a job that another has taken meanwhile`() {
    _ = run.pass(1)
    _ = run.handle(.failed(3, JobRun.refusal("leaseOver")))
    #expect(run.handle(.failed(4, JobRun.refusal("jobTaken"))) == [.close(.superseded)])
  }

  @Test func `a store that came back empty is waited for`() {
    _ = run.pass(1)
    #expect(run.handle(.failed(3, JobRun.refusal("noSuchSession", 404))).isEmpty)
    #expect(run.pass(1).count == 1)
  }

  @Test func `who is refused before the beginning gives up, and who is on air goes on`() {
    let refusal = JobRun.refusal("notAllowed", 403)
    run = JobRun()
    _ = run.handle(.started)
    #expect(run.handle(.failed(1, refusal)) == [.close(.refused(refusal))])
    run = JobRun.onAir()
    _ = run.pass(1)
    #expect(run.handle(.failed(3, refusal)).isEmpty)
    #expect(run.pass(9).isEmpty && run.pass(1).count == 1)
  }

  @Test func `a worker that is stopped gives its job back, once`() throws {
    run = JobRun()
    _ = run.handle(.started)
    #expect(run.handle(.stopped).isEmpty && run.machine.isFinished)

    run = JobRun.onAir()
    _ = run.handle(.reported(try Session.WorkReport(.live, mediaTime: .seconds(5))))
    var last = try Session.WorkReport(.waiting, reason: "workerStopped", mediaTime: .seconds(5), begun: true)
    last.isReleased = true
    #expect(run.handle(.stopped) == [.release(JobRun.grant().lease, last)])
    #expect(run.handle(.stopped).isEmpty && run.pass(5).isEmpty)

    run = JobRun.onAir()
    _ = run.pass(1)
    _ = run.handle(.failed(3, JobRun.refusal("superseded")))
    #expect(run.handle(.stopped).isEmpty)
  }

  @Test func `an answer to an earlier request means nothing`() {
    _ = run.pass(1)
    #expect(run.handle(.taken(1, JobRun.grant(7))).isEmpty && run.handle(.worked(2)).isEmpty)
    #expect(run.handle(.failed(1, JobRun.refusal("superseded"))).isEmpty)
  }
}
