package import HoldfastHTTP
package import HoldfastLifecycle
package import HoldfastMediaModel

/// What is asked for of the broadcast as the member of a session of several boxes.
package enum MemberOrder: Hashable, Sendable {
  /// Whether it unmutes what it muted itself, as the session asks.
  case answer(Bool)
  /// The broadcast goes on without the session.
  case leave
  case password(String)
}

/// The broadcaster as the API observes and controls it.
package protocol ControlTarget: Sendable {
  // Nonblocking:

  func status() -> JSONValue
  func metrics() -> PrometheusText
  /// The latest recent picture; also requests another one, so the first call may return nil.
  func picture() -> NumberedPicture?
  /// Whether `live` has nothing to wait for.
  func isLiveEncoded(_ rendition: String?) -> Bool
  /// Returns which outputs got the event.
  func send(event name: String, data: String) throws(APIError) -> JSONValue
  func mute(_ track: TrackKind, _ isMuted: Bool) throws(APIError)
  func limitBitrate(to bitsPerSecond: Int) throws(APIError)
  /// Changes what is not nil; an empty spotlight is none. Returns an object with both.
  func arrangeTiles(layout: String?, spotlight: String?) throws(APIError) -> JSONValue
  func muteTile(_ name: String, _ isMuted: Bool) throws(APIError)

  // May block:

  /// A stream of what is encoded, as MP4; a rendition is encoded from its first viewer on.
  func live(rendition: String?) throws(APIError) -> HTTPResponse
  /// Like `picture`, but waits for the first one; nil if there is nothing to show.
  func picture(until deadline: MonotonicTime) -> NumberedPicture?
  func perform(_ command: Lifecycle.Command, by person: String) -> Lifecycle.CommandResult
  /// Throws if the broadcast is no member of a session.
  func orderMember(_ order: MemberOrder) throws(APIError)
  func answerGate(isReady: Bool, reason: String?, by person: String) throws(APIError)
  func sources() -> JSONValue
  /// Returns an object describing the remaining time.
  func extend(by length: MediaTime, request: String) throws(APIError) -> JSONValue
  /// Returns the source's new name; `isLocal` permits any file of the machine.
  func switchSource(of track: TrackKind, to source: String, isLocal: Bool) throws(APIError) -> String
  /// Switches the picture to the screen, or back to the source before it; returns the source's name. Unless `isLocal`,
  /// the screen has to be listed.
  func showScreen(_ isShown: Bool, isLocal: Bool) throws(APIError) -> String
  /// Starts checking whether the outputs can be published to. To measure the upload rate, a grey picture goes on air.
  func checkOutputs(measuringUpload: Bool) throws(APIError)
  /// Reads the configuration file again; returns what has changed, for people.
  func reload() throws(APIError) -> String
}

extension APIError {
  package static let notTaken = APIError(
    503, "notTaken", "the broadcast did not take the command in time", hint: "try again")
}
