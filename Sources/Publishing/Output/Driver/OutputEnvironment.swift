package import HoldfastMediaModel
package import HoldfastPlatform

/// The side effects of an output. Outcomes are events with the connection's number, never inside a call.
package protocol OutputEnvironment {
  /// Connects without publishing, and keeps the connection. Answered by `prepared` or `failed`.
  mutating func prepare(_ number: Int, to address: OutputAddress, _ request: PublishRequest)
  /// Publishes, on the prepared connection if the server still has it. Answered by `connected` or `failed`.
  mutating func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest)
  /// Resumes a suspended session. Answered by `connected` or `failed`.
  mutating func resume(_ number: Int)
  /// Starts sending with a keyframe; `isFresh` drops what is queued.
  mutating func begin(isFresh: Bool)
  /// What is queued for the connection is sent with its headers, and what follows with those of `tracks`.
  mutating func change(to tracks: [Track])
  /// A stalled server is handed nothing more.
  mutating func hold(_ isHeld: Bool)
  mutating func send(_ event: CustomEvent)
  /// Sends the queue within `limit`, then suspends the session or closes the connection. Answered by
  /// `suspended` or `disconnected`.
  mutating func close(_ number: Int, keepsSession: Bool, within limit: MediaTime)
  /// Closes the connection or cancels the attempt immediately. Answered by `disconnected`.
  mutating func drop(_ number: Int, keepsQueue: Bool)
  mutating func requestKeyframe()
  mutating func report(_ event: Output.Event)
  mutating func show(_ figures: OutputFigures)
  /// Moves media and returns the next event; the one verb that blocks.
  mutating func wait(for inbox: Inbox<OutputMachine.Event>, until deadline: MonotonicTime?) -> OutputMachine
    .Event?
}

package struct OutputReading: Hashable, Sendable {
  package var health: SinkHealth
  package var queued: MediaTime
  /// Nil until the next sample is due.
  package var sample: BitrateController.Sample?
  package var lost: OutputLoss
  /// The oldest media of each track that the server has not received, as far as is known.
  package var undelivered: [TrackKind: MediaTime]
  /// The server's program has taken media on this connection.
  package var isProven: Bool

  package init(
    _ health: SinkHealth, queued: MediaTime = .zero, sample: BitrateController.Sample? = nil,
    lost: OutputLoss = OutputLoss(), undelivered: [TrackKind: MediaTime] = [:],
    isProven: Bool = false
  ) {
    self.health = health
    self.queued = queued
    self.sample = sample
    self.lost = lost
    self.undelivered = undelivered
    self.isProven = isProven
  }
}
