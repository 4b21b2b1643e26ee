internal import HoldfastLifecycle
package import HoldfastMediaModel
internal import HoldfastPlatform

// What may be changed while it broadcasts, and before. From any thread.

extension Broadcaster {
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
    if mutes[track].set(isMuted) { say(.mute(track: track, isMuted: isMuted)) }
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

  /// The newest picture, whole, at most 640 wide, that has been made in the last 2 s; asks for another one. Never waits:
  /// who is the first to ask gets nil, and a picture some 50 ms later.
  package func previewPicture() -> PreviewPicture? {
    pictures.ask()
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
    return switch deviceState(of: track) {
    case .open, .back: .open
    case .lost: .lost
    case .busy: .busy
    case nil: .closed
    }
  }

  private var currentConfiguration: Configuration { runningConfiguration ?? configuration }

  /// How long a new source may take to give something.
  private static var patience: MediaTime { .seconds(5) }

  private func change(_ change: SourceChange) throws(ChangeError) {
    try change.check(currentConfiguration)
    let answer = BoundedQueue<ChangeError?>(capacity: 1)
    let limit = MonotonicTime.now + Self.patience
    guard
      loop.post(
        .switchSource(change, until: limit, answer: { _ = answer.offer($0) }),
        leaving: Self.roomForOthers)
    else { throw .isOver }
    switch answer.take(until: limit + .seconds(1)) {
    case .some(.some(let error)): throw error
    case .some(.none): break
    case .none: throw ChangeError(.busy, "the devices do not answer", hint: "look at the status later")
    }
  }
}

extension Configuration {
  fileprivate func has(_ track: TrackKind) -> Bool {
    switch track {
    case .video: video.source != .off
    case .audio: audio.source != .off
    }
  }
}
