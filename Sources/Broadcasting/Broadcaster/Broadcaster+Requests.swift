package import HoldfastLifecycle
package import HoldfastMediaModel
internal import HoldfastPlatform
package import HoldfastPublishing

/// What goes on air as a track, and how.
package struct TrackStatus: Hashable, Sendable {
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case open, lost, busy, closed
  }

  /// As `--video` or `--audio` takes it.
  package var source: String
  package var isMuted: Bool
  package var device: Device
}

// What others ask of it. From any thread.

extension Broadcaster {
  /// They never take the room that the broadcast's own events need.
  private static var roomForOthers: Int { 512 }
  /// What is not read by then is not done.
  private static var requestTimeout: MediaTime { .seconds(2) }
  /// How long a new source may take to give something.
  private static var switchTimeout: MediaTime { .seconds(5) }
  /// What is read in time is answered after this time at the latest.
  private static var answerTimeout: MediaTime { .seconds(1) }

  /// Something has happened, or is requested.
  package func handle(_ event: Lifecycle.Event) {
    loop.post(.lifecycle(event))
  }

  /// What is refused is so at once, as the broadcaster may have ended; the broadcaster itself decides about the rest.
  package func perform(_ command: Lifecycle.Command) -> Lifecycle.CommandResult {
    let state = state
    if let refusal = state.refusal(of: command) { return .refused(refusal, state) }
    return answer(within: Self.requestTimeout) { .command(command, answer: $0) } ?? .timedOut
  }

  /// Goes to the background. `atRest` is called once nothing is open or being written any more, unless it becomes active
  /// before.
  package func goToBackground(atRest: @escaping @Sendable () -> Void) {
    loop.post(.background(atRest: atRest))
  }

  /// Takes another configuration: what can change in a broadcast that runs changes at once, all else with the next one.
  package func configure(_ new: Configuration) {
    published.withLock { $0.configured = new }
    loop.post(.configured(new))
  }

  /// The session may last longer. The same `request` does nothing twice. Nil where nobody takes it in time.
  package func extend(by more: MediaTime, request: String) -> ExtensionAnswer? {
    answer(within: Self.requestTimeout) { .extend(by: more, request: request, answer: $0) }
  }

  /// Answers a broadcast that waits for leave to go live; false where none does.
  package func answerGate(isReady: Bool, reason: String? = nil) -> Bool {
    readyGate.answer(isReady: isReady, reason: reason)
  }

  /// Sends the viewers something beside picture and sound. How many outputs take it that can.
  package func send(_ event: CustomEvent) -> Int {
    guard loop.post(.send(event), leaving: Self.roomForOthers) else { return 0 }
    return snapshot.outputs.count { $0.figures.condition.state == .publishing }
  }

  /// A muted track goes on as silence or as black pictures, from what is captured now on, in all broadcasts to come.
  package func mute(_ track: TrackKind, _ isMuted: Bool) throws(ChangeError) {
    let configuration = currentConfiguration
    guard configuration.has(track) else {
      throw ChangeError(
        .notPossible, "there is no \(track.rawValue) to mute", hint: "start it with --\(track.rawValue)")
    }
    if track == .video, configuration.video.encoder == .copy {
      throw ChangeError(
        .notPossible, "nothing can stand in for what the camera encodes by itself (--encoder copy)",
        hint: "start it with --encoder auto, or interrupt the broadcast")
    }
    setMuted(track, isMuted)
  }

  func setMuted(_ track: TrackKind, _ isMuted: Bool) {
    guard mutes[track].set(isMuted) else { return }
    loop.post(.changed(.mute(track: track, isMuted: isMuted)), leaving: Self.roomForOthers)
  }

  /// Another picture takes the place of the one that there is, as soon as it comes. Blocks for that long, at most some 6 s;
  /// all is as it was where it throws.
  package func switchVideo(to selection: VideoSelection) throws(ChangeError) {
    try change(.video(selection))
  }

  /// The same for the sound.
  package func switchAudio(to selection: AudioSelection) throws(ChangeError) {
    try change(.audio(selection))
  }

  private func change(_ change: SourceChange) throws(ChangeError) {
    try change.check(currentConfiguration)
    let error = answer(within: Self.switchTimeout, ifOver: .isOver) {
      .switchSource(change, answer: $0)
    }
    switch error {
    case .some(.some(let error)): throw error
    case .some(.none): break
    case .none: throw ChangeError(.busy, "the devices do not answer", hint: "look at the status later")
    }
  }

  /// What the driver answers; nil where it does not in time.
  private func answer<Answer: Sendable>(
    within timeout: MediaTime, ifOver refusal: Answer? = nil,
    _ request: (@escaping @Sendable (Answer) -> Void) -> BroadcasterRequest
  ) -> Answer? {
    let answers = BoundedQueue<Answer>(capacity: 1)
    let limit = MonotonicTime.now + timeout
    let event = BroadcasterEvent.request(request { _ = answers.offer($0) }, until: limit)
    guard loop.post(event, leaving: Self.roomForOthers) else { return refusal }
    return answers.take(until: limit + Self.answerTimeout)
  }

  /// The newest picture, whole, at most 640 wide, that has been made in the last 2 s; requests another one. Never waits:
  /// the first request returns nil, and there is a picture some 50 ms later.
  package func previewPicture() -> PreviewPicture? {
    pictures.request()
  }

  /// The tracks that there are, or will be with the next broadcast.
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
    return switch published.withLock({ $0.devices[track] }) {
    case .open, .back: .open
    case .lost: .lost
    case .busy: .busy
    case nil: .closed
    }
  }

  private var currentConfiguration: Configuration { runningConfiguration ?? configuration }
}

extension Configuration {
  fileprivate func has(_ track: TrackKind) -> Bool {
    switch track {
    case .video: video.source != .off
    case .audio: audio.source != .off
    }
  }
}
