package import HoldfastBroadcasting
package import HoldfastControl
package import HoldfastHTTP
package import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastMembership
package import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
package import HoldfastSessionClient

/// The control API's view of a broadcaster.
package final class BroadcasterControl: Sendable {
  let broadcaster: Broadcaster
  package let history: ControlHistory
  let live: LivePackets
  package let checks = OutputChecks()
  /// Nil without a session of several boxes.
  package let membership = Locked<MembershipLink?>(nil)
  private let initialConfiguration: Configuration
  /// Nil if there is no file to reload.
  private let reloading: (@Sendable () throws(APIError) -> String)?

  package init(
    _ broadcaster: Broadcaster, _ history: ControlHistory, _ live: LivePackets,
    _ reloading: (@Sendable () throws(APIError) -> String)?
  ) {
    self.broadcaster = broadcaster
    self.history = history
    self.live = live
    initialConfiguration = broadcaster.configuration
    self.reloading = reloading
  }
}

extension BroadcasterControl: ControlTarget {
  /// The current snapshot, without stale values of parts that no longer run.
  var snapshot: Snapshot {
    var snapshot = broadcaster.snapshot
    switch broadcaster.state {
    case .idle, .backgrounded, .ended:
      let last = snapshot
      snapshot = Snapshot()
      (snapshot.mediaTime, snapshot.recordedBytes) = (last.mediaTime, last.recordedBytes)
      (snapshot.droppedPictures, snapshot.xruns) = (last.droppedPictures, last.xruns)
    case .previewing, .starting, .live, .interrupted, .ending: break
    }
    return snapshot
  }

  package func picture() -> NumberedPicture? { broadcaster.previewPicture().map(NumberedPicture.init) }

  package func picture(until deadline: MonotonicTime) -> NumberedPicture? {
    broadcaster.previewPicture(until: deadline).map(NumberedPicture.init)
  }

  package func perform(_ command: Lifecycle.Command, by person: String) -> Lifecycle.CommandResult {
    // A check uses the name that the broadcast publishes under.
    if [.start, .foreground].contains(command), broadcaster.state.refusal(of: command) == nil {
      checks.abandon()
    }
    return broadcaster.perform(command, by: person)
  }

  package func orderMember(_ order: MemberOrder) throws(APIError) {
    guard let membership = membership.withLock({ $0 }) else {
      throw .notPossible("the broadcast is in no session", hint: "start with --session https://HUB/NAME")
    }
    switch order {
    case .answer(let agrees):
      guard membership.snapshot?.asked.isEmpty == false else {
        throw .notPossible("the session asks for nothing", hint: "use holdfast ctl unmute instead")
      }
      membership.order(.answer(agrees))
    case .leave: membership.leave()
    case .password(let text): membership.use(password: text)
    }
  }

  package func answerGate(isReady: Bool, reason: String?, by person: String) throws(APIError) {
    switch broadcaster.answerGate(ReadyAnswer(isReady: isReady, reason: reason, by: person)) {
    case .accepted: return
    case .isNotAwaited(let state):
      throw .notPossible(
        "no gate awaits ready while \(state.name)",
        hint: "start with --await-ready, and answer before the broadcast is live")
    case .isAnswered(let first):
      throw .notPossible("\(first) has answered already", hint: "start again to ask again")
    case .isOwnStart:
      throw APIError(
        403, "notAllowed", "\(person) started this broadcast, so somebody else has to say ready",
        hint: "ask anybody else who has a token for this session")
    case nil: throw .notTaken
    }
  }

  package func send(event name: String, data: String) throws(APIError) -> JSONValue {
    switch broadcaster.state {
    case .live: break
    case .idle, .previewing, .starting, .interrupted, .backgrounded, .ending, .ended:
      throw .notPossible("nothing is live", hint: "start the broadcast first")
    }
    guard let delivery = broadcaster.send(CustomEvent(name: name, text: data)) else { throw .notTaken }
    return [
      "outputs": .integer(Int64(delivery.sent)), "of": .integer(Int64(delivery.outputs)),
      "result": .text("\(delivery)"),
    ]
  }

  /// As a member of a session, the box says so there, too: otherwise the next answer of the hub would undo it.
  package func mute(_ track: TrackKind, _ isMuted: Bool) throws(APIError) {
    guard let membership = membership.withLock({ $0 }) else {
      return try change(broadcaster.mute(track, isMuted))
    }
    // What others have muted is not this box's to lift, so that an unmute waits for the session's word.
    if isMuted { try change(broadcaster.mute(track, true)) }
    membership.order(isMuted ? .mute([track]) : .unmute([track]))
  }

  package func limitBitrate(to bitsPerSecond: Int) throws(APIError) {
    try change(broadcaster.setBitrate(bitsPerSecond))
  }

  package func sources() -> JSONValue { sourceList.json }

  private var sourceList: SourceList { .current(of: broadcaster, initial: initialConfiguration) }

  package func extend(by length: MediaTime, request: String) throws(APIError) -> JSONValue {
    guard let answer = broadcaster.extend(by: length, request: request) else { throw .notTaken }
    if case .refused(let refusal) = answer.result { throw APIError(refusal) }
    return [
      "endsAt": JSONValue(answer.status.endsAt?.rfc3339),
      "secondsLeft": answer.status.secondsLeft.map(JSONValue.integer) ?? .null,
      "repeated": .bool(answer.result == .repeated),
    ]
  }

  package func switchSource(of track: TrackKind, to source: String, isLocal: Bool) throws(APIError) -> String
  {
    // Device names can lead to any file of the machine, so remote callers may choose listed sources only.
    guard isLocal || sourceList.has(source) else {
      throw APIError(
        403, "notAllowed", "this source can only be chosen on the machine itself",
        hint: "choose a source from GET /v1/sources, or use holdfast ctl on the machine")
    }
    switch track {
    case .video:
      let chosen = try chosen(
        source, \.video.source, "camera, camera:DEVICE, screen, test or an address")
      try change(broadcaster.switchSource(.video(chosen)))
    case .audio:
      let chosen = try chosen(source, \.audio.source, "mic, mic:DEVICE, tone or an address")
      try change(broadcaster.switchSource(.audio(chosen)))
    }
    return source
  }

  package func showScreen(_ isShown: Bool, isLocal: Bool) throws(APIError) -> String {
    let source = try mapError(broadcaster.source(showingScreen: isShown)) { (error: ChangeError) in
      APIError(error)
    }
    let running = broadcaster.runningConfiguration ?? broadcaster.configuration
    guard source != running.video.source else { return source.description }
    // The source before the screen has been on air already.
    return try switchSource(of: .video, to: source.description, isLocal: isLocal || !isShown)
  }

  private func change(_ change: @autoclosure () throws(ChangeError) -> Void) throws(APIError) {
    do throws(ChangeError) { try change() } catch { throw APIError(error) }
  }

  /// The address of a network source is listed without its keys.
  private func chosen<Medium>(
    _ text: String, _ setting: KeyPath<Configuration, SourceSelection<Medium>>, _ forms: String
  ) throws(APIError) -> SourceSelection<Medium> {
    let known = [initialConfiguration, broadcaster.configuration].map { $0[keyPath: setting] }
    guard let selection = known.first(where: { $0.description == text }) ?? SourceSelection(text) else {
      throw APIError(422, "badValue", "source: not a source", hint: "write \(forms)")
    }
    return selection
  }

  package func checkOutputs(measuringUpload: Bool) throws(APIError) {
    switch broadcaster.state {
    case .idle, .previewing, .backgrounded: break
    case .starting, .live, .interrupted, .ending, .ended:
      throw .notPossible(
        "outputs can't be checked while \(broadcaster.state.name)", hint: "check the outputs' states")
    }
    try checks.start(broadcaster.configuration, measuringUpload: measuringUpload)
  }

  package func reload() throws(APIError) -> String {
    guard let reloading else {
      throw .notPossible("there is no configuration file to reload", hint: "start with --config FILE")
    }
    return try reloading()
  }
}

extension NumberedPicture {
  fileprivate init(_ picture: PreviewPicture) { self.init(number: picture.number, jpeg: picture.jpeg) }
}

extension APIError {
  init(_ error: ChangeError) {
    switch error.kind {
    case .notPossible: self.init(409, "notPossible", error.what, hint: error.hint)
    case .busy: self.init(409, "busy", error.what, hint: error.hint)
    case .notFound: self.init(404, "noSuchSource", error.what, hint: error.hint)
    case .unusable: self.init(409, "unusableSource", error.what, hint: error.hint)
    }
  }

  fileprivate init(_ refusal: SessionTimer.Refusal) {
    switch refusal {
    case .noLimit:
      self.init(409, "noLimit", "the session has no time limit to extend", hint: "start with --max-duration")
    case .limitReached(let left):
      self.init(
        409, "limitReached", "the session would exceed its maximum total duration",
        hint: left == .zero ? "no more extension is possible" : "extend by at most \(left.written)")
    case .isOver: self.init(409, "notPossible", "the session's time is over", hint: nil)
    case .wrongLength:
      self.init(422, "badValue", "by: out of range", hint: "use more than 0, up to 366 days")
    case .requestUsed:
      self.init(409, "idUsed", "this id was used before with another duration", hint: "use a new id")
    case .tooManyRequests:
      self.init(409, "limitReached", "the session was extended too often", hint: "restart the broadcast")
    }
  }
}
