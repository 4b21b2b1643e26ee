import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastPublishing
import HoldfastSessionClient

// A command returns once it is accepted; events report its effect. An error means that nothing has changed.

extension Broadcaster {
  /// Starts a broadcast: from the preview, or after the previous one has ended. `person` may not say ready to it.
  public func start(by person: String? = nil) async throws(CommandError) {
    try await perform(.start, by: person)
  }

  /// Disconnects from the servers and stops media time; `resume()` continues the same recording.
  public func interrupt() async throws(CommandError) { try await perform(.interrupt) }

  /// Resumes after `interrupt()`, or starts a new broadcast if the resume window has closed.
  public func resume(by person: String? = nil) async throws(CommandError) {
    try await perform(.resume, by: person)
  }

  /// Ends the broadcast and closes the devices until `foreground()`.
  public func background() async throws(CommandError) { try await perform(.background) }

  /// Returns from `background()` with a new broadcast.
  public func foreground(by person: String? = nil) async throws(CommandError) {
    try await perform(.foreground, by: person)
  }

  /// Ends the broadcast: returns to the preview if the session began with one, otherwise stops like `stop()`.
  public func end() async throws(CommandError) { try await perform(.end) }

  /// Ends everything, after which `run()` returns; media already captured is still sent and recorded.
  ///
  /// It is never refused and never waits: called before `run()`, it ends that at once; called twice, it does
  /// nothing.
  public func stop() { inner.handle(.command(.stop)) }

  /// Extends the session and returns its new time. Repeating a `requestID` does not extend it again; by
  /// default, each call is a new request.
  @discardableResult public func extend(
    by duration: Duration, requestID: String = "\(UInt64.random(in: 0 ... .max))"
  ) async throws(CommandError) -> SessionTime {
    let answer = try await answer { [inner] in inner.extend(by: MediaTime(duration), request: requestID) }
    guard let answer else { throw .notTaken }
    switch answer.result {
    case .extended, .repeated: return SessionTime(answer.status)
    case .refused(let refusal): throw CommandError(refusal)
    }
  }

  /// Replaces the captured pictures by black or the sound by silence until `unmute(_:)`, also in later
  /// broadcasts. The encoder and the connections are kept.
  public func mute(_ track: TrackKind) throws(CommandError) { try setMuted(track, true) }

  /// Shows the pictures or plays the sound again after `mute(_:)`.
  public func unmute(_ track: TrackKind) throws(CommandError) { try setMuted(track, false) }

  /// Switches to another video source as soon as it delivers a picture, which may take up to about 6 s. If
  /// this throws, nothing has changed.
  public func switchVideo(to source: VideoSelection) async throws(CommandError) {
    try await change { [inner] () throws(ChangeError) in try inner.switchSource(.video(source.inner)) }
  }

  /// Switches to another audio source as soon as it delivers sound, which may take up to about 6 s. If this
  /// throws, nothing has changed.
  public func switchAudio(to source: AudioSelection) async throws(CommandError) {
    try await change { [inner] () throws(ChangeError) in try inner.switchSource(.audio(source.inner)) }
  }

  /// Replaces the configuration: bitrates and the resume window change at once, everything else with the next
  /// broadcast.
  ///
  /// Throws if the configuration is invalid, or changes what is fixed in a broadcaster: its name, preview,
  /// crash policy, segment command, session limits, gate and membership, and how long recordings are kept.
  public func reconfigure(_ configuration: Configuration) throws(ConfigurationError) {
    let new = try configuration.checked(receivers: receivers, hasGate: hasGate)
    guard configuration.membership == membership.settings else {
      throw ConfigurationError(
        properties: ["membership"], what: "can't be changed in a broadcaster",
        hint: "make another broadcaster")
    }
    let fixed = new.fixedSettings(changedFrom: inner.configuration)
    guard fixed.isEmpty else {
      throw ConfigurationError(
        properties: fixed.map { $0.property() }, what: "can't be changed in a broadcaster",
        hint: "make another broadcaster")
    }
    inner.configure(new)
  }

  /// Changes the maximum video bitrate, in bits per second, of the running encoder.
  public func setBitrate(_ bitsPerSecond: Int) throws(CommandError) {
    var configuration = inner.configuration
    configuration.video.bitrate = bitsPerSecond
    do { try configuration.validate() } catch {
      let error = ConfigurationError(error)
      throw CommandError(kind: .invalid, what: error.what, hint: error.hint)
    }
    do { try inner.setBitrate(bitsPerSecond) } catch { throw CommandError(error) }
  }

  /// Sends the viewers a named text event along with the media; returns the number of outputs that
  /// carry it: those that publish with RTMP.
  @discardableResult
  public func send(event name: String, text: String) -> Int {
    inner.send(CustomEvent(name: name, text: text))?.sent ?? 0
  }

  /// Says for `person` whether the broadcast may go live, where `session.awaitsReady` is set. An answer before the
  /// question is kept until that start is over.
  public func answerGate(
    ready isReady: Bool, reason: String? = nil, by person: String
  ) async throws(CommandError) {
    let ready = ReadyAnswer(isReady: isReady, reason: reason, by: person)
    switch try await answer({ [inner] in inner.answerGate(ready) }) {
    case .accepted: break
    case .isNotAwaited(let state):
      throw CommandError(
        kind: .notPossible, what: "no gate awaits ready while \(state.name)",
        hint: "set session.awaitsReady, and answer before the broadcast is live")
    case .isAnswered(let first):
      throw CommandError(
        kind: .notPossible, what: "\(first) has answered already", hint: "start again to ask again")
    case .isOwnStart:
      throw CommandError(
        kind: .notPossible, what: "\(person) started this broadcast, so somebody else has to say ready",
        hint: "let another person answer")
    case nil: throw .notTaken
    }
  }

  private func perform(_ command: Lifecycle.Command, by person: String? = nil) async throws(CommandError) {
    switch try await answer({ [inner] in inner.perform(command, by: person) }) {
    case .accepted: break
    case .refused(let refusal, _): throw CommandError(refusal)
    case .timedOut: throw .notTaken
    }
  }

  private func setMuted(_ track: TrackKind, _ isMuted: Bool) throws(CommandError) {
    // What others have muted is not this box's to lift, so that an unmute waits for the session's word.
    if isMuted || membership.link == nil {
      do throws(ChangeError) { try inner.mute(.init(as: track), isMuted) } catch { throw CommandError(error) }
    }
    membership.link?.order(isMuted ? .mute([.init(as: track)]) : .unmute([.init(as: track)]))
  }

  private func change(_ body: @escaping @Sendable () throws(ChangeError) -> Void) async throws(CommandError) {
    let result = try await answer { Result(catching: body) }
    do { try result.get() } catch { throw CommandError(error) }
  }

  private func answer<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) async throws(CommandError) -> Answer {
    guard hasRun.withLock({ $0 }) else { throw .notRunning }
    do { return try await onThread("command", body) } catch {
      throw CommandError(kind: .busy, what: "\(error)", hint: "check whether the machine is out of threads")
    }
  }
}
