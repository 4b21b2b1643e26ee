import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// The jobs that wait for a worker, in all sessions. It hears of changes only while workers ask; what it shows may be a
/// moment old, and the rules refuse a job that somebody has taken meanwhile.
final class JobBoard: Sendable {
  struct Job: Hashable, Sendable {
    let id: String
    /// Why it waits, where the state says not all.
    let reason: String?
  }

  private let contents = Locked(Contents())

  private struct Contents: Sendable {
    var waiting: [Session.Name: Job] = [:]
    var askedAt: MonotonicTime?
    var lookedAt: MonotonicTime?

    func isListening(at now: MonotonicTime) -> Bool { askedAt.map { now - $0 < JobBoard.patience } ?? false }
  }

  /// Workers ask twice a second.
  private static let patience = MediaTime.seconds(10)
  /// A store that has begun anew names no changes: all sessions are looked at again.
  private static let lookInterval = MediaTime.seconds(30)

  /// Somebody asks; returns whether all sessions have to be looked at first.
  func isAsked(at now: MonotonicTime) -> Bool {
    contents.withLock { contents in
      let wasListening = contents.isListening(at: now)
      contents.askedAt = now
      let isKnown = wasListening && contents.lookedAt.map { now - $0 < Self.lookInterval } ?? false
      guard !isKnown else { return false }
      contents.lookedAt = now
      return true
    }
  }

  /// The look at all sessions has failed: the next one who asks repeats it.
  func lookFailed() { contents.withLock { $0.lookedAt = nil } }

  func isListening(at now: MonotonicTime) -> Bool { contents.withLock { $0.isListening(at: now) } }

  func take(_ session: Session) {
    let job = session.meeting?.job.flatMap { job in
      job.state == .waiting && job.holder == nil ? Job(id: job.order.id, reason: job.reason) : nil
    }
    contents.withLock { $0.waiting[session.name] = job }
  }

  /// In an order that depends on the names alone.
  var waiting: [(name: Session.Name, job: Job)] {
    contents.withLock { $0.waiting.map { ($0.key, $0.value) } }.sorted { $0.name.folded < $1.name.folded }
  }
}
