package import HoldfastMediaModel
internal import HoldfastPlatform
package import HoldfastPublishing

extension Configuration {
  /// Where it is published to, and what holds for every output that has no setting of its own.
  package struct Outputs: Hashable, Sendable {
    package var requests: [OutputRequest] = []
    /// `live`, or `record`, which becomes `append` once a server has accepted the broadcast.
    package var publishType = PublishType.record
    package var outage = OutagePolicy.live
    package var connectTimeout = MediaTime.seconds(5)
    package var stallTimeout = MediaTime.seconds(3)
    /// An output that could not be brought back for so long is given up; nil for never.
    package var giveUpAfter: MediaTime?
    /// The picture's bitrate follows what the networks can carry.
    package var adaptsBitrate = true
    /// Certificates to be trusted besides those of the system.
    package var tlsCA: String?
    /// Any certificate is taken.
    package var tlsInsecure = false
    package var rtspTransport = RTSPSink.Transport.tcp
  }

  /// The settings of each output: its own where it has some, else those of all.
  package var outputSettings: [Output.Settings] {
    var counts: [String: Int] = [:]
    return outputs.requests.map { request in
      let kind = request.address.kind
      counts[kind, default: 0] += 1
      return settings(for: request, id: request.id ?? "\(kind)-\(counts[kind] ?? 1)")
    }
  }

  private func settings(for request: OutputRequest, id: String) -> Output.Settings {
    var settings = Output.Settings(id: id, address: request.address)
    settings.publishType = request.publishType ?? outputs.publishType
    settings.outage = request.outage ?? outputs.outage
    settings.connectTimeout = request.connectTimeout ?? outputs.connectTimeout
    settings.stallTimeout = request.stallTimeout ?? outputs.stallTimeout
    settings.giveUpAfter = request.giveUpAfter ?? outputs.giveUpAfter
    settings.rtspTransport = request.rtspTransport ?? outputs.rtspTransport
    settings.tls.caFile = request.tlsCA ?? outputs.tlsCA
    settings.tls.isVerified = !(request.tlsInsecure ?? outputs.tlsInsecure)
    if request.adaptsBitrate ?? outputs.adaptsBitrate {
      settings.bitrates = bitrateLimits
    }
    return settings
  }

  var bitrateLimits: BitrateController.Limits {
    BitrateController.Limits(lowest: lowestBitrate, highest: video.bitrate)
  }

  /// As configured, else a fifth of the wanted bitrate; never more than that.
  var lowestBitrate: Int { min(video.minBitrate ?? video.bitrate / 5, video.bitrate) }
}
