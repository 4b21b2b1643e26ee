import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPublishing

/// A server that a broadcast is published to. A setting that is nil is taken from `Configuration.Outputs`.
public struct Output: Hashable, Sendable {
  public var address: OutputAddress
  /// The output's id in events; nil to derive it from the protocol.
  public var id: String?
  public var publishKind: PublishKind?
  public var outage: OutagePolicy?
  public var giveUpAfter: Duration?
  public var adaptsBitrate: Bool?

  /// Creates an output with the common settings.
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

/// The address of an output.
public struct OutputAddress: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastPublishing.OutputAddress

  /// Parses an address: `rtmp://HOST/APP/KEY`, `rtsp://HOST/PATH` or `srt://HOST:PORT`, or with `rtmps` or
  /// `rtsps`.
  public init(_ text: String) throws(ConfigurationError) {
    do { inner = try HoldfastPublishing.OutputAddress(text) } catch {
      throw ConfigurationError(settings: ["to"], what: error.what, remedy: error.hint)
    }
  }

  /// The address without keys, passwords and arguments; safe to log.
  public var description: String { inner.redacted }
}
