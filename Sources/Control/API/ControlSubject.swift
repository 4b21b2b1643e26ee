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
  func mute(_ track: TrackKind, _ isMuted: Bool) throws(APIError)
  func limitBitrate(to bitsPerSecond: Int) throws(APIError)

  // After a while:

  func perform(_ command: Lifecycle.Command) -> Lifecycle.CommandResult
  func sources() -> JSONValue
  /// An object about the time that is left.
  func extend(by length: MediaTime, request: String) throws(APIError) -> JSONValue
  /// `source` as options write it; `isLocal` for somebody who may open any file of the machine anyway. As it is called from now on.
  func switchSource(of track: TrackKind, to source: String, isLocal: Bool) throws(APIError) -> String
  /// Begins to look whether the outputs can be published to.
  func checkOutputs() throws(APIError)
}
