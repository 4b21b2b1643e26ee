internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Which device a feed was opened with, so that it is found again wherever it is plugged in.
final class DeviceMemory: Sendable {
  private struct Known {
    let identity: DeviceIdentity
    /// What somebody called it, or what it was found as.
    let device: String
    /// What stands before ALSA's name of the bare device.
    var prefix = ""
  }

  private let known = Locked<Known?>(nil)
  /// What was opened last.
  private let device = Locked<String?>(nil)
  private let opened = Locked(false)

  /// Whether it has been opened before.
  func markOpened() -> Bool {
    opened.withLock { opened in
      defer { opened = true }
      return opened
    }
  }

  /// The file of the camera that was open before; else a device file as it is, and anything else as an identity.
  func cameraPath(_ name: String?) throws(CaptureError) -> String {
    if let known = known.withLock({ $0 }) {
      guard let path = DeviceIdentity.videoPath(matching: known.identity.id) else {
        throw Self.isAway(.video, known.device)
      }
      return path
    }
    guard let name else {
      guard let first = CameraDescription.all().first else { throw SourceOpening.noCamera }
      return first.path
    }
    return name.hasPrefix("/dev/") ? name : DeviceIdentity.videoPath(matching: name) ?? name
  }

  /// Whether `path` is the camera that was open last.
  func isCamera(_ path: String) -> Bool {
    if let known = known.withLock({ $0 }), let other = DeviceIdentity.listedVideo(path: path) {
      return known.identity.id == other.id
    }
    return device.withLock { $0 == path }
  }

  func isMicrophone(_ pcm: String) -> Bool {
    device.withLock { $0 == pcm }
  }

  func keepCamera(_ path: String) {
    device.withLock { $0 = path }
    guard let identity = DeviceIdentity.listedVideo(path: path) else { return }
    known.withLock { $0 = Known(identity: identity, device: path) }
  }

  /// The same for a microphone. A sound server, and what else ALSA's configuration names, is asked for by its name.
  func microphonePCM(_ name: String?) throws(CaptureError) -> String {
    if let known = known.withLock({ $0 }) {
      guard let pcm = DeviceIdentity.pcm(matching: known.identity.id) else {
        throw Self.isAway(.audio, known.device)
      }
      return known.prefix + pcm
    }
    if let name { return DeviceIdentity.pcm(matching: name) ?? name }
    guard let first = SourceOpening.firstMicrophone else {
      throw CaptureError(
        .notFound, .audio, device: "mic", what: "there is no microphone at all",
        hint: "--audio tone gives a test tone")
    }
    return first
  }

  func keep(_ microphone: Microphone, openedAs name: String) {
    device.withLock { $0 = name }
    guard let card = microphone.card, let prefix = ["", "plug"].first(where: { name.hasPrefix($0 + "hw:") })
    else { return }
    known.withLock { $0 = Known(identity: card.identity, device: name, prefix: prefix) }
  }

  private static func isAway(_ track: TrackKind, _ device: String) -> CaptureError {
    CaptureError(.lost, track, device: device, what: "it is not plugged in", hint: "plug it in again")
  }
}
