import HoldfastFFmpeg
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
  /// The name of its rendition; nil for the main one.
  package var rendition: String?

  package init(address: OutputAddress) {
    self.address = address
  }
}

extension Configuration {
  /// The settings of each output; `Configuration.Outputs` supplies those that a request leaves nil.
  package var outputSettings: [Output.Settings] {
    let renditions = plannedRenditions
    return zip(outputs.requests, outputIDs).map { request, id in
      let rendition = renditions.first { $0.outputs.contains(id) }
      var settings = Output.Settings(id: id, address: request.address)
      settings.publishType = request.publishType ?? outputs.publishType
      settings.outage = request.outage ?? outputs.outage
      settings.connectTimeout = request.connectTimeout ?? outputs.connectTimeout
      settings.stallTimeout = request.stallTimeout ?? outputs.stallTimeout
      settings.giveUpAfter = request.giveUpAfter ?? outputs.giveUpAfter
      settings.rtspTransport = request.rtspTransport ?? outputs.rtspTransport
      settings.insecureAuth = request.insecureAuth ?? outputs.insecureAuth
      settings.tls.caFile = request.tlsCA ?? outputs.tlsCA
      settings.tls.isVerified = !(request.tlsInsecure ?? outputs.tlsInsecure)
      let adaptation = request.bitrateAdaptation ?? outputs.bitrateAdaptation
      if adapts(rendition, adaptation) {
        settings.bitrates = bitrateLimits(upTo: rendition?.bitrate ?? video.bitrate)
      }
      return settings
    }
  }

  var outputIDs: [String] {
    var counts: [String: Int] = [:]
    return outputs.requests.map { request in
      let kind = request.address.kind
      counts[kind, default: 0] += 1
      return request.id ?? "\(kind)-\(counts[kind] ?? 1)"
    }
  }

  /// Whether the bitrate follows an output's network: its encode's, or that of one of its own.
  private func adapts(_ rendition: PlannedRendition?, _ adaptation: BitrateAdaptation) -> Bool {
    switch adaptation {
    case .automatic: rendition.map { !$0.isShared || mayBeReplaced($0) } ?? false
    case .always: true
    case .never: false
    }
  }

  /// Whether another encode can take its place within a track: it needs the same headers.
  private func mayBeReplaced(_ rendition: PlannedRendition) -> Bool {
    video.codec == .h264 && rendition.encoders.contains(.software)
  }

  /// The bitrates of what outputs share that may have an encode of their own, by their ids.
  var sharedBitrates: [String: Int] {
    let renditions = plannedRenditions
    let adaptations = outputs.requests.map { $0.bitrateAdaptation ?? outputs.bitrateAdaptation }
    let shared = zip(outputIDs, adaptations).compactMap { id, adaptation -> (String, Int)? in
      guard adaptation == .automatic, let rendition = renditions.first(where: { $0.outputs.contains(id) }),
        rendition.isShared, mayBeReplaced(rendition)
      else { return nil }
      return (id, rendition.bitrate)
    }
    return Dictionary(uniqueKeysWithValues: shared)
  }

  /// The range of the main rendition's adaptive bitrate.
  var bitrateLimits: BitrateController.Limits { bitrateLimits(upTo: video.bitrate) }

  /// By default from a fifth of the configured bitrate up.
  private func bitrateLimits(upTo highest: Int) -> BitrateController.Limits {
    BitrateController.Limits(lowest: min(video.minBitrate ?? highest / 5, highest), highest: highest)
  }
}
