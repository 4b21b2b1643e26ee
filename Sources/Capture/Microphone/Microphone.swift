import Glibc
package import HoldfastMediaModel
package import HoldfastMediaSources
package import HoldfastPlatform

/// An ALSA capture device; `default` may be a sound server.
package final class Microphone: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = true
  package let summary: String
  package let card: MicrophoneDescription?
  private let name: String
  private let pcm: PCM

  /// Opens an ALSA device, such as `hw:1,0` or `default`, in the native format nearest to `requested`.
  package init(pcm name: String, requested: AudioFormat) throws(CaptureError) {
    pcm = try mapError(PCM.open(name, requested: requested)) { (error: PCMError) in
      CaptureError(opening: name, error, available: MicrophoneDescription.all().map(\.pcm))
    }
    self.name = name
    format = pcm.settings.format
    summary = pcm.settings.summary(pcm: name, requested: requested)
    card = pcm.hardware.flatMap { hardware in
      MicrophoneDescription.all().first { $0.card == hardware.card && $0.device == hardware.device }
    }
  }

  /// Whether `default` can be opened; it may be a sound server without a card.
  package static var defaultExists: Bool { PCM.exists("default") }

  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    var reader = MicrophoneReader(pcm, format: format)
    do {
      try reader.run(until: stop, deliver: deliver)
    } catch {
      throw CaptureError(
        .lost, .audio, device: name, what: error.description,
        hint: "plug it in again, or check that its sound server is running")
    }
  }
}

extension CaptureError {
  /// Explains a failure to open the PCM `name`; `available` are the present PCMs.
  init(opening name: String, _ error: PCMError, available: [String]) {
    let kind = Self.kind(ofOpeningCode: error.code)
    let hint =
      switch kind {
      case .notFound where error.code == ECONNREFUSED: "check that its sound server is running"
      case .notFound where available.isEmpty: "no microphone found; plug one in, or choose the test tone"
      case .notFound: "available: " + available.joined(separator: ", ")
      case .busy: "close the program that uses it, or use default if a sound server shares it"
      case .lost: "plug it in again, or check that its sound server is running"
      case .unsuitable where name.hasPrefix("hw:"): "use plug\(name), which converts formats"
      case .unsuitable: "choose another microphone"
      case .notPermitted: "add the user to the group audio"
      }
    let what =
      switch kind {
      case .notFound where error.code != ECONNREFUSED: "there is no such microphone"
      case .busy: "another program is using it"
      case .notPermitted: "permission denied"
      case .notFound, .lost, .unsuitable: error.description
      }
    self.init(kind, .audio, device: name, what: what, hint: hint)
  }

  static func kind(ofOpeningCode code: Int32) -> Kind {
    switch code {
    case ENOENT, ENODEV, ENXIO, ECONNREFUSED: .notFound
    case EBUSY, EAGAIN: .busy
    case EACCES, EPERM: .notPermitted
    case EIO, EPIPE, ETIMEDOUT: .lost
    default: .unsuitable
    }
  }
}
