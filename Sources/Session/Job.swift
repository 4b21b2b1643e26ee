package import HoldfastMediaModel

extension Session {
  /// What the host puts on air: a broadcast of the session that a worker composes and publishes.
  package struct Job: Hashable, Sendable {
    package let order: JobOrder
    package internal(set) var state = State.waiting
    /// Such as `nameTaken`; nil where the state says it all.
    package internal(set) var reason: String?
    package internal(set) var holder: Holder?
    /// Committed before the first publish: whoever publishes from then on appends, whatever it has proven itself.
    package internal(set) var begun = false
    /// As last reported; where the gap of whoever takes over begins.
    package internal(set) var mediaTime = MediaTime.zero
    /// When that was; nil before the publish began.
    package internal(set) var reportedAt: WallTime?

    /// The raw values appear in events, a stable interface.
    package enum State: String, Hashable, Sendable, CaseIterable {
      case waiting, connecting, live, trouble, over
    }

    /// The worker that has the job.
    package struct Holder: Hashable, Sendable {
      package let worker: String
      package let lease: Lease
      package internal(set) var lastSeen: WallTime
    }

    package var publishType: PublishType { begun ? .append : .record }
  }

  package struct JobOrder: Hashable, Sendable {
    package let id: String
    package let broadcast: String
    /// Addresses with their stream keys: for the worker alone.
    package let outputs: [String]

    private static let rule = TextRule(subject: .outputs, maxCharacters: 2048)

    package init(id: String, broadcast: String, outputs: [String]) throws(Refusal) {
      try TextRule(subject: .job, maxCharacters: Limits.idCharacters).check(id)
      try TextRule(subject: .broadcast, maxCharacters: Limits.idCharacters).check(broadcast)
      guard !outputs.isEmpty else { throw Self.rule.fault(.empty) }
      guard outputs.count <= Limits.outputs else {
        throw Self.rule.fault(.tooLong(limit: Limits.outputs, unit: "addresses"))
      }
      for output in outputs { try Self.rule.check(output) }
      self.id = id
      self.broadcast = broadcast
      self.outputs = outputs
    }
  }

  /// What a worker says of its job.
  package struct WorkReport: Hashable, Sendable {
    package let state: Job.State
    package let reason: String?
    package let mediaTime: MediaTime
    package var begun: Bool
    /// The worker gives the job back, and another one may take it at once.
    package var isReleased = false

    private static let rule = TextRule(subject: .reason, maxCharacters: 200)

    /// Of a worker that has just taken the job.
    package init() { (state, reason, mediaTime, begun) = (.connecting, nil, .zero, false) }

    package init(
      _ state: Job.State, reason: String? = nil, mediaTime: MediaTime = .zero, begun: Bool = false
    ) throws(Refusal) {
      if let reason { try Self.rule.check(reason) }
      self.state = state
      self.reason = reason
      self.mediaTime = mediaTime
      self.begun = begun
    }
  }
}
