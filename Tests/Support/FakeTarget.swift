package import HoldfastControl
package import HoldfastHTTP
package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// A broadcaster that records its commands and executes none.
package struct FakeTarget: ControlTarget {
  package struct Received: Hashable, Sendable {
    package var commands: [Lifecycle.Command] = []
    package var extensions: [String] = []
    package var mutes: [String] = []
    package var sources: [String] = []
    package var bitrates: [Int] = []
    package var events: [String] = []
    package var answers: [String] = []
    package var checks: [Bool] = []
    package var memberOrders: [MemberOrder] = []
    package var reloads = 0

    package init(_ change: (inout Received) -> Void = { _ in }) { change(&self) }

    package var isEmpty: Bool { self == Received() }
  }

  package let received = Locked(Received())
  package var statusJSON: JSONValue = ["name": "hall", "state": "live"]
  package var result: @Sendable (Lifecycle.Command) -> Lifecycle.CommandResult = { _ in .accepted(.live) }
  package var newest: NumberedPicture? = NumberedPicture(number: 1, jpeg: [0xFF, 0xD8, 0xFF, 0xD9])
  /// The picture that a wait brings.
  package var later: NumberedPicture?
  package var hasGate = true
  package var reloadError: APIError?

  package init() {}

  package func status() -> JSONValue { statusJSON }
  package func metrics() -> PrometheusText { PrometheusText() }
  package func picture() -> NumberedPicture? { newest }
  package func picture(until deadline: MonotonicTime) -> NumberedPicture? { newest ?? later }

  package func isLiveEncoded(_ rendition: String?) -> Bool { rendition != "slow" }

  package func live(rendition: String?) throws(APIError) -> HTTPResponse {
    HTTPResponse(contentType: "video/mp4", body: Array((rendition ?? "").utf8))
  }

  package func perform(_ command: Lifecycle.Command, by person: String) -> Lifecycle.CommandResult {
    received.withLock { $0.commands.append(command) }
    return result(command)
  }

  package func orderMember(_ order: MemberOrder) throws(APIError) {
    received.withLock { $0.memberOrders.append(order) }
  }

  package func answerGate(isReady: Bool, reason: String?, by person: String) throws(APIError) {
    received.withLock { $0.answers.append(isReady ? person : "\(person) not") }
    if !hasGate { throw .notPossible("no gate awaits ready", hint: nil) }
  }

  package func send(event name: String, data: String) throws(APIError) -> JSONValue {
    received.withLock { $0.events.append("\(name) \(data)") }
    return ["outputs": .integer(1), "of": .integer(2), "result": "sent to 1 of 2 outputs"]
  }

  package func mute(_ track: TrackKind, _ isMuted: Bool) throws(APIError) {
    received.withLock { $0.mutes.append("\(track.rawValue) \(isMuted)") }
  }

  package func limitBitrate(to bitsPerSecond: Int) throws(APIError) {
    received.withLock { $0.bitrates.append(bitsPerSecond) }
  }

  package func arrangeTiles(layout: String?, spotlight: String?) throws(APIError) -> JSONValue {
    received.withLock { $0.sources.append("layout \(layout ?? "-") spotlight \(spotlight ?? "-")") }
    return ["layout": .text(layout ?? "grid"), "spotlight": JSONValue(spotlight)]
  }

  package func muteTile(_ name: String, _ isMuted: Bool) throws(APIError) {
    received.withLock { $0.mutes.append("tile \(name) \(isMuted)") }
  }

  package func sources() -> JSONValue { ["cameras": .list([]), "microphones": .list([])] }

  package func extend(by length: MediaTime, request: String) throws(APIError) -> JSONValue {
    received.withLock { $0.extensions.append("\(request) \(length.written)") }
    return ["endsAt": .null, "secondsLeft": .null, "repeated": .bool(false)]
  }

  package func switchSource(of track: TrackKind, to source: String, isLocal: Bool) throws(APIError)
    -> String
  {
    received.withLock { $0.sources.append("\(track.rawValue) \(source)\(isLocal ? "" : " from afar")") }
    return source
  }

  package func showScreen(_ isShown: Bool, isLocal: Bool) throws(APIError) -> String {
    received.withLock { $0.sources.append("screen \(isShown)\(isLocal ? "" : " from afar")") }
    return isShown ? "screen" : "camera"
  }

  package func checkOutputs(measuringUpload: Bool) throws(APIError) {
    received.withLock { $0.checks.append(measuringUpload) }
  }

  package func reload() throws(APIError) -> String {
    received.withLock { $0.reloads += 1 }
    if let reloadError { throw reloadError }
    return "configuration reloaded: no changes"
  }
}
