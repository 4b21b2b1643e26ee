package import HoldfastMediaModel
internal import HoldfastPlatform
package import HoldfastPublishing

/// An output as somebody asked for it: an address, and what is to be otherwise than for all outputs.
package struct OutputRequest: Hashable, Sendable {
  package var address: OutputAddress
  /// What event lines call it; nil for a name after its protocol.
  package var id: String?
  package var publishType: PublishType?
  package var outage: OutagePolicy?
  package var connectTimeout: MediaTime?
  package var stallTimeout: MediaTime?
  package var giveUpAfter: MediaTime?
  package var adaptsBitrate: Bool?
  package var tlsCA: String?
  package var tlsInsecure: Bool?
  package var rtspTransport: RTSPSink.Transport?

  package init(address: OutputAddress) {
    self.address = address
  }
}

extension Configuration {
  /// The settings of each output: its own where it has some, else those of all.
  package var outputSettings: [Output.Settings] {
    var counts: [String: Int] = [:]
    return outputs.map { request in
      let kind = request.address.kind
      counts[kind, default: 0] += 1
      return settings(for: request, id: request.id ?? "\(kind)-\(counts[kind] ?? 1)")
    }
  }

  private func settings(for request: OutputRequest, id: String) -> Output.Settings {
    var settings = Output.Settings(id: id, address: request.address)
    settings.publishType = request.publishType ?? publishType
    settings.outage = request.outage ?? outage
    settings.connectTimeout = request.connectTimeout ?? connectTimeout
    settings.stallTimeout = request.stallTimeout ?? stallTimeout
    settings.giveUpAfter = request.giveUpAfter ?? giveUpAfter
    settings.rtspTransport = request.rtspTransport ?? rtspTransport
    settings.tls.caFile = request.tlsCA ?? tlsCA
    settings.tls.isVerified = !(request.tlsInsecure ?? tlsInsecure)
    if request.adaptsBitrate ?? adaptsBitrate {
      settings.bitrates = bitrateLimits
    }
    return settings
  }

  var bitrateLimits: BitrateController.Limits {
    BitrateController.Limits(lowest: lowestBitrate, highest: bitrate)
  }

  /// As configured, else a fifth of the wanted bitrate; never more than that.
  var lowestBitrate: Int { min(minBitrate ?? bitrate / 5, bitrate) }
}
