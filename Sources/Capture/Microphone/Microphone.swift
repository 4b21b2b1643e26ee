package import HoldfastMediaModel
package import HoldfastPlatform

/// A microphone of ALSA's, or of a sound server behind ALSA's `default`.
package final class Microphone: AudioSource {
  package let format: AudioFormat
  package let hasOwnClock = true
  package let summary: String
  /// The sound card behind it; nil for a sound server, which has no identity of its own.
  package let card: MicrophoneDescription?
  private let name: String
  private let pcm: PCM

  /// Opens `pcm`, an ALSA name such as `hw:1,0` or `default`, with what it gives by itself that is nearest to
  /// `wanted`.
  package init(pcm name: String, wanted: AudioFormat) throws(CaptureError) {
    do {
      pcm = try PCM.open(name, wanted: wanted)
    } catch {
      throw CaptureError(opening: name, error, available: MicrophoneDescription.all().map(\.pcm))
    }
    self.name = name
    format = pcm.settings.format
    summary = pcm.settings.summary(pcm: name, wanted: wanted)
    card = pcm.hardware.flatMap { hardware in
      MicrophoneDescription.all().first { $0.card == hardware.card && $0.device == hardware.device }
    }
  }

  /// Whether `default` opens for capture: it may be a sound server where there is no card at all.
  package static var defaultExists: Bool { PCM.exists("default") }

  package func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    var reader = MicrophoneReader(pcm, format: format)
    do {
      try reader.run(until: stop, deliver: deliver)
    } catch {
      throw CaptureError(
        .lost, .audio, device: name, what: error.description,
        hint: "plug it in again, or see that its sound server runs")
    }
  }
}
