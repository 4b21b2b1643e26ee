package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastPublishing

/// A requested output: its address, and the settings that override `Configuration.Outputs`.
package struct OutputRequest: Hashable, Sendable {
  package var address: OutputAddress
  /// The name in event lines; nil for a name derived from the protocol.
  package var id: String?
  package var publishType: PublishType?
  package var outage: OutagePolicy?
  package var connectTimeout: MediaTime?
  package var stallTimeout: MediaTime?
  package var giveUpAfter: MediaTime?
  package var bitrateAdaptation: BitrateAdaptation?
  package var tlsCA: String?
  package var tlsInsecure: Bool?
  package var rtspTransport: RTSPSink.Transport?
  package var insecureAuth: Bool?

  package init(address: OutputAddress) {
    self.address = address
  }
}

extension Configuration {
  /// The settings of each output; `Configuration.Outputs` supplies those that a request leaves nil.
  package var outputSettings: [Output.Settings] {
    var counts: [String: Int] = [:]
    return outputs.requests.map { request in
      let kind = request.address.kind
      counts[kind, default: 0] += 1
      var settings = Output.Settings(
        id: request.id ?? "\(kind)-\(counts[kind] ?? 1)", address: request.address)
      settings.publishType = request.publishType ?? outputs.publishType
      settings.outage = request.outage ?? outputs.outage
      settings.connectTimeout = request.connectTimeout ?? outputs.connectTimeout
      settings.stallTimeout = request.stallTimeout ?? outputs.stallTimeout
      settings.giveUpAfter = request.giveUpAfter ?? outputs.giveUpAfter
      settings.rtspTransport = request.rtspTransport ?? outputs.rtspTransport
      settings.insecureAuth = request.insecureAuth ?? outputs.insecureAuth
      settings.tls.caFile = request.tlsCA ?? outputs.tlsCA
      settings.tls.isVerified = !(request.tlsInsecure ?? outputs.tlsInsecure)
      if lowersBitrate(request.bitrateAdaptation ?? outputs.bitrateAdaptation) {
        settings.bitrates = bitrateLimits
      }
      return settings
    }
  }

  private func lowersBitrate(_ adaptation: BitrateAdaptation) -> Bool {
    switch adaptation {
    case .automatic: outputs.requests.count == 1
    case .always: true
    case .never: false
    }
  }

  /// The range of the adaptive bitrate, by default from a fifth of the configured bitrate up.
  var bitrateLimits: BitrateController.Limits {
    BitrateController.Limits(
      lowest: min(video.minBitrate ?? video.bitrate / 5, video.bitrate), highest: video.bitrate)
  }
}
