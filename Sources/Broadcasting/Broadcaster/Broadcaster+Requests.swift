package import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastPublishing

extension Broadcaster {
  /// Requests leave this much room in the inbox for the broadcaster's own events.
  static var roomForOthers: Int { 512 }
  /// Requests not handled within this time are dropped.
  private static var requestTimeout: MediaTime { .seconds(2) }
  /// The time for a new source to deliver its first item.
  private static var switchTimeout: MediaTime { .seconds(5) }
  /// The additional time for the answer to a request that was handled in time.
  private static var answerTimeout: MediaTime { .seconds(1) }

  /// How often a wait for a picture checks that there is a source.
  private static var previewInterval: MediaTime { .milliseconds(200) }

  package func handle(_ event: Lifecycle.Event) { loop.post(.lifecycle(event)) }

  /// Refuses invalid commands at once; blocks for the driver's answer otherwise. `person` may not say ready to a
  /// start of their own.
  package func perform(_ command: Lifecycle.Command, by person: String? = nil) -> Lifecycle.CommandResult {
    let state = state
    if let refusal = state.refusal(of: command) { return .refused(refusal, state) }
    return answer(within: Self.requestTimeout, ifOver: .refused(.isOver, state)) {
      .command(command, by: person, answer: $0)
    } ?? .timedOut
  }

  /// Enters the background. `atRest` is called once nothing is open or being written, unless the foreground
  /// returns first.
  package func goToBackground(isSleep: Bool = false, atRest: @escaping @Sendable () -> Void) {
    loop.post(.background(isSleep: isSleep, atRest: atRest))
  }

  /// A stop during a shutdown of the machine leaves the next process off air if this one is.
  package func noteShutdown(isNear: Bool) { loop.post(.shutdown(isNear: isNear)) }

  /// Replaces the configuration; settings that can't change in a running broadcast apply to the next.
  package func configure(_ new: Configuration) {
    let old = published.withLock { published in
      defer { published.configured = new }
      return published.configured.programme
    }
    loop.post(.configured(new))
    if new.programme.layout != old.layout { changeProgramme { $0.layout = new.programme.layout } }
    if new.programme.spotlight != old.spotlight {
      changeProgramme { $0.spotlight = new.programme.spotlight }
    }
  }

  /// Changes the bitrate of the running encoder, and of the next ones.
  package func setBitrate(_ bitsPerSecond: Int) throws(ChangeError) {
    let new = try published.withLock { (published) throws(ChangeError) in
      guard (published.running?.configuration ?? published.configured).mayChangeBitrate else {
        throw ChangeError(
          .notPossible, "this encoder can't change its bitrate while running", hint: "choose another encoder")
      }
      published.configured.video.bitrate = bitsPerSecond
      return published.configured
    }
    loop.post(.configured(new))
  }

  /// Extends the session; repeating a `request` has no effect. Returns nil on a timeout.
  package func extend(by more: MediaTime, request: String) -> ExtensionAnswer? {
    answer(within: Self.requestTimeout, ifOver: ExtensionAnswer(result: .refused(.isOver), status: timer)) {
      .extend(by: more, request: request, answer: $0)
    }
  }

  /// Answers a gate that awaits ready, also before it is asked. Returns nil on a timeout.
  package func answerGate(_ ready: ReadyAnswer) -> ReadyResult? {
    answer(within: Self.requestTimeout, ifOver: .isNotAwaited(state)) { .ready(ready, answer: $0) }
  }

  /// Sends the event to the outputs that can carry it; nil if it was not taken.
  package func send(_ event: CustomEvent) -> EventDelivery? {
    guard loop.post(.send(event), leaving: Self.roomForOthers) else { return nil }
    let states = Dictionary(snapshot.outputs.map { ($0.id, $0.figures.condition.state) }) { $1 }
    return EventDelivery((runningConfiguration?.outputSettings ?? []).map { ($0, states[$0.id] ?? .closed) })
  }

  /// Mutes a track from now on, as silence or black pictures, in this and later broadcasts.
  package func mute(_ track: TrackKind, _ isMuted: Bool) throws(ChangeError) {
    let configuration = currentConfiguration
    guard configuration.has(track) else {
      throw ChangeError(
        .notPossible, "there is no \(track.rawValue) to mute", hint: "start one with \(track.rawValue)")
    }
    if track == .video, configuration.video.encoder == .copy {
      throw ChangeError(
        .notPossible, "a camera's encoded stream can't be muted",
        hint: "interrupt the broadcast, or start it with another encoder than copy")
    }
    setMuted(track, isMuted)
  }

  /// The loudness of the broadcast sound since the last call, one value for each 20 ms: see `LoudnessMeter`.
  package func takeLoudness() -> [Double] { loudness.take() }

  /// Reports what the box was told as the member of a session.
  package func tell(_ event: MembershipEvent) {
    loop.post(.changed(.membership(event)), leaving: Self.roomForOthers)
  }

  /// An output at the session publishes there from now on, in this and later broadcasts; nil: nowhere.
  package func move(_ output: SessionOutput, to address: OutputAddress?) {
    published.withLock { $0.sessionAddresses[output] = address }
    loop.post(.moved(output, to: address))
  }

  /// Whether the output publishes, as far as the last snapshot knows.
  package func isPublishing(_ output: SessionOutput) -> Bool {
    switch snapshot.outputs.first(where: { $0.id == output.rawValue })?.figures.condition.state {
    // Who stalls has its connection yet.
    case .publishing, .stalled: true
    case .closed, .connecting, .waiting, .refused, nil: false
    }
  }

  func setMuted(_ track: TrackKind, _ isMuted: Bool) {
    guard mutes[track].set(isMuted) else { return }
    loop.post(.changed(.mute(track: track, isMuted: isMuted)), leaving: Self.roomForOthers)
  }

  /// Switches to another source once it delivers. Blocks for at most about 6 s; throws if the switch fails
  /// or times out.
  package func switchSource(_ change: SourceChange) throws(ChangeError) {
    try change.check(currentConfiguration)
    guard
      let error = answer(within: Self.switchTimeout, ifOver: .isOver, { .switchSource(change, answer: $0) })
    else { throw ChangeError(.busy, "the devices do not respond", hint: "check the status later") }
    if let error { throw error }
  }

  /// Shows the screen, or what was shown before. Never blocks: `answer` gets the error, or nil once it is done.
  package func showScreen(_ isShown: Bool, answer: @escaping @Sendable (ChangeError?) -> Void) {
    do throws(ChangeError) {
      let change = SourceChange.video(try source(showingScreen: isShown))
      guard change.source != currentConfiguration.video.source.description else { return answer(nil) }
      try change.check(currentConfiguration)
      let event = ProcessEvent.request(
        .switchSource(change, answer: answer), until: .now + Self.switchTimeout)
      guard loop.post(event, leaving: Self.roomForOthers) else { throw .isOver }
    } catch {
      answer(error)
    }
  }

  package var showsScreen: Bool { currentConfiguration.video.source.isScreen }

  /// The source that shows the screen, or that is to return from it. Throws if there is none to return to.
  package func source(showingScreen isShown: Bool) throws(ChangeError) -> VideoSelection {
    guard let source = status.choices.video(showingScreen: isShown) else {
      throw ChangeError(
        .notPossible, "the broadcast began with the screen, so there is no source to return to",
        hint: "choose one with holdfast ctl camera")
    }
    return source
  }

  /// Blocks for the driver's answer; nil on a timeout, and if too many requests wait.
  private func answer<Answer: Sendable>(
    within timeout: MediaTime, ifOver refusal: Answer,
    _ request: (@escaping @Sendable (Answer) -> Void) -> ProcessRequest
  ) -> Answer? {
    let answer = Promise<Answer>()
    let deadline = MonotonicTime.now + timeout
    let event = ProcessEvent.request(request { answer.fulfil($0) }, until: deadline)
    guard loop.post(event, leaving: Self.roomForOthers) else {
      if case .ended = state { return refusal }
      return nil
    }
    return answer.take(until: deadline + Self.answerTimeout)
  }

  /// Returns the newest preview picture, at most 640 wide and 2 s old, and requests another. Never blocks;
  /// the first call returns nil.
  package func previewPicture() -> PreviewPicture? { pictures.request() }

  /// Like `previewPicture`, but waits for the first one while there is a source of pictures.
  package func previewPicture(until deadline: MonotonicTime) -> PreviewPicture? {
    while currentConfiguration.video.encoder != .copy, tracks[.video].map({ $0.device != .closed }) ?? false {
      let next = min(deadline, .now + Self.previewInterval)
      if let picture = pictures.next(until: next) { return picture }
      if .now >= deadline { return nil }
    }
    return nil
  }

  package var tracks: [TrackKind: TrackStatus] {
    let configuration = currentConfiguration
    var tracks: [TrackKind: TrackStatus] = [:]
    for track in [TrackKind.video, .audio] where configuration.has(track) {
      tracks[track] = TrackStatus(
        source: track == .video
          ? configuration.video.source.description : configuration.audio.source.description,
        isMuted: mutes[track].isMuted, device: status(ofDevice: track))
    }
    return tracks
  }

  private func status(ofDevice track: TrackKind) -> TrackStatus.Device {
    switch state {
    case .idle, .backgrounded, .ended: return .closed
    case .previewing, .starting, .live, .interrupted, .ending: break
    }
    return TrackStatus.Device(published.withLock { $0.devices[track] })
  }

  var currentConfiguration: Configuration { runningConfiguration ?? configuration }
}

extension Configuration {
  func has(_ track: TrackKind) -> Bool {
    switch track {
    case .video: video.source != .off
    case .audio: audio.source != .off
    }
  }
}
