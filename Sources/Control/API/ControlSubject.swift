package import HoldfastLifecycle
package import HoldfastMediaModel

/// What the API is about: a broadcaster, as far as others may see and steer it.
package protocol ControlSubject: Sendable {
  // At once:

  func status() -> JSONValue
  /// As Prometheus reads them.
  func metrics() -> PrometheusText
  /// The newest picture that has been made lately; asks for another one, which the first to ask has to wait for.
  func picture() -> ControlPicture?
  /// False where nobody waits for an answer.
  func answerGate(isReady: Bool, reason: String?) -> Bool
  /// How many outputs it goes to; nil where nothing is live.
  func send(event name: String, data: String) -> Int?
  func mute(_ track: TrackKind, _ isMuted: Bool) throws(ControlRefusal)
  func limitBitrate(to bitsPerSecond: Int) throws(ControlRefusal)

  // After a while:

  func perform(_ command: Lifecycle.Command) -> Lifecycle.CommandResult
  func sources() -> JSONValue
  /// What is told of the time that is left.
  func extend(by length: MediaTime, request: String) throws(ControlRefusal) -> [JSONValue.Field]
  /// `source` as options write it; `isLocal` for somebody who may open any file of the machine anyway. As it is called from now on.
  func switchSource(of track: TrackKind, to source: String, isLocal: Bool) throws(ControlRefusal) -> String
  /// Begins to look whether the outputs can be published to.
  func checkOutputs() throws(ControlRefusal)
}

/// Why something is not done.
package struct ControlRefusal: Error, Hashable, Sendable {
  /// HTTP's.
  package let status: Int
  package let error: ControlError
  /// When it may be asked for again.
  package var retryAfter: MediaTime?

  package init(
    _ status: Int, _ code: String, _ message: String, hint: String? = nil, retryAfter: MediaTime? = nil
  ) {
    self.status = status
    error = ControlError(code: code, message: message, hint: hint)
    self.retryAfter = retryAfter
  }
}

extension ControlRefusal {
  /// A value that can't be.
  static func badValue(_ field: String, _ why: String, hint: String) -> ControlRefusal {
    ControlRefusal(422, "badValue", "\(field): \(why)", hint: hint)
  }

  /// It may mean something later.
  package static func notPossible(_ why: String, hint: String?) -> ControlRefusal {
    ControlRefusal(409, "notPossible", why, hint: hint)
  }

  /// Nobody took it in time.
  package static let notTaken = ControlRefusal(
    503, "notTaken", "the broadcast did not take the command in time", hint: "try again")
}
