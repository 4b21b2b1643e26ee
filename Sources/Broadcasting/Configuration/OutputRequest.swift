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
  /// It publishes where the hub of the broadcast's session says; the address is only its name.
  package var isOfSession = false

  package init(address: OutputAddress) { self.address = address }
}

/// What a member publishes at its session, by the ids of the outputs.
package enum SessionOutput: String, Hashable, Sendable, CaseIterable {
  case main = "session"
  /// A rendition for small tiles.
  case small = "session-small"
}

extension Configuration {
  /// Adds the outputs at the session, the small one if there is a rendition of this name; `host` is their name until the
  /// hub has said where. A server of the hub's may have a certificate of the same authority as the hub, whose
  /// certificates are in `caFile`.
  package mutating func addSessionOutputs(
    at host: String, trusting caFile: String?, small rendition: String? = nil
  ) {
    let name = host.contains(":") ? "[\(host)]" : host
    guard let address = try? OutputAddress("rtmp://\(name)/session/output") else { return }
    var request = OutputRequest(address: address)
    (request.id, request.publishType, request.isOfSession) = (SessionOutput.main.rawValue, .live, true)
    request.tlsCA = caFile
    outputs.requests.append(request)
    guard let rendition, renditions[rendition] != nil else { return }
    (request.id, request.rendition) = (SessionOutput.small.rawValue, rendition)
    outputs.requests.append(request)
  }

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
      // Who is refused there is let in again: the session may readmit the member, or give it another key.
      (settings.awaitsAddress, settings.acceptsRefusals) = (request.isOfSession, !request.isOfSession)
      switch adaptation(to: request, of: rendition) {
      case .off: break
      case .all, .shared, .own, .dropping:
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

  /// What a weak network of each output leads to, by their ids.
  package var adaptations: [String: OutputAdaptation] {
    let renditions = plannedRenditions
    let adaptations = zip(outputs.requests, outputIDs).map { request, id in
      let rendition = renditions.first { $0.outputs.contains(id) }
      return (id, adaptation(to: request, of: rendition))
    }
    return Dictionary(adaptations) { first, _ in first }
  }

  private func adaptation(to request: OutputRequest, of rendition: PlannedRendition?) -> OutputAdaptation {
    let requested = request.bitrateAdaptation ?? outputs.bitrateAdaptation
    if requested == .never { return .off(why: "adaptive is false") }
    guard let rendition else {
      return .off(why: video.source == .off ? "there is no picture" : "a copied stream is not encoded here")
    }
    if requested == .automatic, rendition.isShared { return .shared }
    guard rendition.encoders.contains(where: { $0.changesBitrateWhileRunning(video.codec) }) else {
      return .off(why: "its encoder can't change the bitrate while running")
    }
    return .all(
      why: requested == .always
        ? "adaptive is true: its network may lower the encode of all who share it"
        : "nobody shares its encode")
  }

  /// The bitrates of what outputs share that may have an encode of their own, by their ids.
  var sharedBitrates: [String: Int] {
    adaptations.filter { $0.value == .shared }.reduce(into: [:]) { $0[$1.key] = videoBitrate(of: $1.key) }
  }

  /// The range of the main rendition's adaptive bitrate.
  var bitrateLimits: BitrateController.Limits { bitrateLimits(upTo: video.bitrate) }

  /// By default from a fifth of the configured bitrate up.
  private func bitrateLimits(upTo highest: Int) -> BitrateController.Limits {
    BitrateController.Limits(lowest: min(video.minBitrate ?? highest / 5, highest), highest: highest)
  }
}
