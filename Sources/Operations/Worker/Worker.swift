import HoldfastMediaModel
import HoldfastMembership
package import HoldfastPlatform
package import HoldfastSessionClient

/// Takes jobs of a hub, and runs a process for each.
package struct Worker: Sendable {
  private let settings: ProgrammeChild.Settings
  private let maxJobs: Int
  private let place: WorkerHub.Place
  private let note: @Sendable (String) -> Void
  private let id = hexadecimal(randomBytes(8))

  private static let lookInterval = MediaTime.milliseconds(500)

  /// `token` is read anew for each request; `note` gets lines for people.
  package init(
    _ settings: ProgrammeChild.Settings, maxJobs: Int, token: @escaping TokenSource,
    note: @escaping @Sendable (String) -> Void
  ) {
    (self.settings, self.maxJobs, self.note) = (settings, maxJobs, note)
    place = WorkerHub.Place(origin: settings.hub, tls: TLSSettings(caFile: settings.caFile), token: token)
  }

  /// Looks for jobs twice a second; each that there is room for has a thread of its own.
  package func run(until stop: Wakeup) {
    var hub = WorkerHub(place, worker: id, stop: stop)
    let running = Locked<Set<String>>([])
    var threads: [String: ThreadSlot] = [:]
    var problem: HubFailure?
    while !stop.wait(until: .now + Self.lookInterval) {
      let current = running.withLock { $0 }
      for id in threads.keys where !current.contains(id) { threads.removeValue(forKey: id)?.join() }
      guard threads.count < maxJobs else { continue }
      do throws(HubFailure) {
        let waiting = try hub.waitingJobs()
        if problem != nil { note("the hub answers again") }
        problem = nil
        for job in waiting.prefix(maxJobs - threads.count) where threads[job.id] == nil {
          running.withLock { _ = $0.insert(job.id) }
          threads[job.id] = start(job, until: stop) { running.withLock { _ = $0.remove(job.id) } }
        }
      } catch {
        if problem == nil { note("no jobs: \(error.reason)") }
        problem = error
      }
    }
    for thread in threads.values { thread.join() }
  }

  private func start(
    _ job: WorkerHub.WaitingJob, until stop: Wakeup, ended: @escaping @Sendable () -> Void
  ) -> ThreadSlot {
    let thread = ThreadSlot()
    do throws(SystemError) {
      // Nothing cuts its requests short: it keeps the job until its process has ended.
      let noStop = try Wakeup()
      try thread.start(name: "job") {
        var run = JobRun(job, settings, WorkerHub(place, worker: id, stop: noStop), note: note)
        run.run(until: stop)
        ended()
      }
    } catch {
      note("\(job.session): \(error)")
      ended()
    }
    return thread
  }
}
