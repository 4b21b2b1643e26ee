internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastPublishing

/// One server that a broadcast is published to. What is nil is as `Configuration.Outputs` says.
public struct Output: Hashable, Sendable {
  public var address: OutputAddress
  /// What events call it; nil for a name after its protocol.
  public var id: String?
  public var publishKind: PublishKind?
  public var outage: OutagePolicy?
  public var giveUpAfter: Duration?
  public var adaptsBitrate: Bool?

  /// An output with the settings of all.
  public init(_ address: OutputAddress, id: String? = nil) {
    self.address = address
    self.id = id
  }

  var inner: OutputRequest {
    var request = OutputRequest(address: address.inner)
    request.id = id
    request.publishType = publishKind.map(PublishType.init(as:))
    request.outage = outage.map(HoldfastPublishing.OutagePolicy.init(as:))
    request.giveUpAfter = giveUpAfter.map(MediaTime.init)
    request.adaptsBitrate = adaptsBitrate
    return request
  }
}

/// Where an output goes to.
public struct OutputAddress: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastPublishing.OutputAddress

  /// Reads an address: `rtmp://HOST/APP/KEY`, `rtsp://HOST/PATH` or `srt://HOST:PORT`, also `rtmps` and `rtsps`.
  public init(_ text: String) throws(ConfigurationError) {
    do { inner = try HoldfastPublishing.OutputAddress(text) } catch {
      throw ConfigurationError(settings: ["to"], what: error.why, remedy: error.remedy)
    }
  }

  /// The address without keys, passwords and arguments.
  public var description: String { inner.redacted }
}
