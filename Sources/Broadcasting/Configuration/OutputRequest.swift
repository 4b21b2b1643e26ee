package import HoldfastMediaModel
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
