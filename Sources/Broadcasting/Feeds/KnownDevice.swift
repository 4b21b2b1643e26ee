import HoldfastCapture
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// The identity of a feed's device, used to find it again wherever it is plugged in.
final class KnownDevice: Sendable {
  private struct Known {
    let identity: DeviceIdentity
    /// The device path or PCM name it was opened with.
    let device: String
    /// The ALSA plugin before the hardware device name, such as `plug`.
    var prefix = ""
  }

  private struct State {
    var known: Known?
    var device: String?
    var hasBeenOpened = false
  }

  private let track: TrackKind
  private let state = Locked(State())

  init(_ track: TrackKind) { self.track = track }

  func markOpened() -> Bool {
    state.withLock { state in
      defer { state.hasBeenOpened = true }
      return state.hasBeenOpened
    }
  }

  /// The device file or ALSA name of the known device; else of the device called `name`, or of the first one.
  func path(_ name: String?) throws(CaptureError) -> String {
    if let known = state.withLock({ $0.known }) {
      guard let path = Self.path(of: known.identity.id, track) else {
        throw CaptureError(
          .lost, track, device: known.device, what: "it is not plugged in", hint: "plug it in again")
      }
      return known.prefix + path
    }
    if let name {
      let isPath = track == .video && name.hasPrefix("/dev/")
      return isPath ? name : Self.path(of: name, track) ?? name
    }
    guard let first = Self.first(track) else { throw Self.noDevice(track) }
    return first
  }

  func isOpen(_ path: String) -> Bool {
    let state = state.withLock { $0 }
    if track == .video, let known = state.known, let other = DeviceIdentity.listedVideo(path: path) {
      return known.identity.id == other.id
    }
    return state.device == path
  }

  func keepCamera(_ path: String) {
    keep(path, DeviceIdentity.listedVideo(path: path).map { Known(identity: $0, device: path) })
  }

  /// Remembers the card only for `hw:` and `plughw:` names; sound servers are reopened by name.
  func keep(_ microphone: Microphone, openedAs name: String) {
    let prefix = ["", "plug"].first { name.hasPrefix($0 + "hw:") }
    keep(
      name,
      prefix.flatMap { prefix in
        microphone.card.map { Known(identity: $0.identity, device: name, prefix: prefix) }
      })
  }

  private func keep(_ device: String, _ known: Known?) {
    state.withLock { state in
      state.device = device
      state.known = known ?? state.known
    }
  }

  private static func path(of identity: String, _ track: TrackKind) -> String? {
    switch track {
    case .video: DeviceIdentity.videoPath(matching: identity)
    case .audio: DeviceIdentity.pcm(matching: identity)
    }
  }

  /// Prefers the sound server, because it holds the hardware device.
  static func first(_ track: TrackKind) -> String? {
    switch track {
    case .video: CameraDescription.all().first?.path
    case .audio: Microphone.defaultExists ? "default" : MicrophoneDescription.all().first?.pcm
    }
  }

  static func noDevice(_ track: TrackKind) -> CaptureError {
    let (device, name) = track == .video ? ("camera", "camera") : ("mic", "microphone")
    return CaptureError(.notFound, track, device: device, what: "no \(name) found", hint: "connect one")
  }
}
