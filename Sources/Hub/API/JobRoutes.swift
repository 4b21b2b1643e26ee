import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// What workers ask for, and what the one gets that takes a job.
extension SessionRoutes {
  /// The jobs that nobody has.
  func jobs() throws(APIError) -> JSONValue {
    if hub.board.isAsked(at: .now) {
      do throws(APIError) {
        try forEach { hub.board.take($0.session) }
      } catch {
        hub.board.lookFailed()
        throw error
      }
    }
    return [
      "jobs": .list(
        hub.board.waiting.map { name, job in
          ["session": .text(name.text), "job": .text(job.id), "reason": JSONValue(job.reason)]
        })
    ]
  }

  /// For the worker that has just taken it, or has asked twice; nobody else sees the addresses.
  func job(_ id: String, of worker: String, in name: Session.Name) throws(APIError) -> JSONValue {
    let loaded = try hub.load(name)
    guard let job = loaded.session.meeting?.job, job.order.id == id, let holder = job.holder,
      holder.worker == worker
    else { throw APIError(.jobTaken) }
    return [
      "lease": .text(holder.lease.description), "broadcast": .text(job.order.broadcast),
      "outputs": .list(job.order.outputs.map(JSONValue.text)),
      "publishType": .text(job.publishType.rawValue), "mediaTime": JSONValue(job.mediaTime),
      "reportedAgo": JSONValue(job.reportedAt.map { max(.zero, loaded.now - $0) }),
    ]
  }
}
