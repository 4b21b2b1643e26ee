package import HoldfastMediaModel
package import HoldfastPlatform

/// What an output needs of the world. Answers come as messages with the connection's number, never inside the call.
package protocol OutputEnvironment {
  /// Answered by `connected` or `failed`.
  mutating func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest)
  /// Resumes a session that the server has kept. Answered by `connected` or `failed`.
  mutating func resume(_ number: Int)
  /// Sends everything from now on, beginning with a keyframe; with `isFresh` nothing that was made before.
  mutating func begin(isFresh: Bool)
  mutating func send(_ event: CustomEvent)
  /// Sends what is queued, within `limit`, then has the server keep the session if it can, or closes the connection.
  /// Answered by `suspended` or `disconnected`.
  mutating func close(_ number: Int, keepsSession: Bool, within limit: MediaTime)
  /// Ends the connection or the attempt at once. Answered by `disconnected`.
  mutating func drop(_ number: Int, keepsQueue: Bool)
  mutating func requestKeyframe()
  mutating func report(_ event: Output.Event)
  mutating func publish(_ figures: OutputFigures)
  /// The one verb that blocks: moves media, and returns what was asked for or what came of it.
  mutating func wait(for inbox: Inbox<OutputMessage>, until deadline: MonotonicTime?) -> OutputMessage?
}

/// What an output is asked for, and what its environment answers.
package enum OutputMessage: Hashable, Sendable {
  case track(Track)
  case pause, resume, stop
  case networkChanged
  case limit(BitrateController.Limits)
  case send(CustomEvent)

  /// The server has accepted the publish.
  case connected(Int)
  case failed(Int, SinkError)
  /// The first media of the connection has gone out; what was lost before it.
  case mediaSent(Int, lost: OutputLoss)
  case exchanged(Int, OutputReading)
  /// The server keeps the session until `resume`. `lag` is how far one track was behind the other, at most.
  case suspended(Int, lost: OutputLoss, lag: MediaTime)
  case disconnected(Int, lost: OutputLoss, lag: MediaTime)
}

/// What an open connection has shown since the last reading.
package struct OutputReading: Hashable, Sendable {
  package enum Progress: Hashable, Sendable {
    case nothingNew
    /// The server took media.
    case progressed
    case wentQuiet
    case spokeAgain
  }

  package var progress: Progress
  package var health: SinkHealth
  package var queued: MediaTime
  /// What the bitrate depends on; nil where it is too early for the next sample.
  package var sample: BitrateController.Sample?
  package var lost: OutputLoss

  package init(
    _ progress: Progress, health: SinkHealth, queued: MediaTime = .zero,
    sample: BitrateController.Sample? = nil, lost: OutputLoss = OutputLoss()
  ) {
    self.progress = progress
    self.health = health
    self.queued = queued
    self.sample = sample
    self.lost = lost
  }
}
