import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPublishing

private let defaults = HoldfastBroadcasting.Configuration().outputs

/// A server that a broadcast is published to, and how.
public struct Output: Hashable, Sendable {
  public var address: OutputAddress
  /// The output's id in events: 1 to 32 of a-z, A-Z, 0-9 and . _ -; nil to derive it from the protocol, as
  /// in `rtmp-1`.
  public var id: String?
  public var publishType = PublishType(as: defaults.publishType)
  public var outage = OutagePolicy(as: defaults.outage)
  /// The time limit for connecting and being accepted.
  public var connectTimeout = Duration(defaults.connectTimeout)
  /// The time without progress after which the output reconnects.
  public var stallTimeout = Duration(defaults.stallTimeout)
  /// The time after which an output that cannot be restored is abandoned; nil for never.
  public var giveUpAfter: Duration?
  /// Whether the video bitrate is lowered to what the network can carry.
  public var bitrateAdaptation = BitrateAdaptation(as: defaults.bitrateAdaptation)
  /// A PEM file of certificates to trust in addition to the system's.
  public var certificateFile: String?
  /// Accepts any certificate, so that anyone on the network path can read and alter the stream.
  public var skipsCertificateCheck = defaults.tlsInsecure
  public var rtspTransport = RTSPTransport(as: defaults.rtspTransport)
  /// Sends the password unencrypted to an RTSP server that asks for it, so that anyone on the network path can read it.
  public var sendsPasswordUnencrypted = defaults.insecureAuth

  /// The name of its rendition in `Configuration.renditions`; nil for what `Configuration.video` says.
  public var rendition: String?

  /// Creates an output with default settings.
  public init(_ address: OutputAddress, id: String? = nil) {
    self.address = address
    self.id = id
  }

  var inner: OutputRequest {
    var request = OutputRequest(address: address.inner)
    request.id = id
    request.publishType = .init(as: publishType)
    request.outage = .init(as: outage)
    request.connectTimeout = MediaTime(connectTimeout)
    request.stallTimeout = MediaTime(stallTimeout)
    request.giveUpAfter = giveUpAfter.map(MediaTime.init)
    request.bitrateAdaptation = .init(as: bitrateAdaptation)
    request.tlsCA = certificateFile
    request.tlsInsecure = skipsCertificateCheck
    request.rtspTransport = .init(as: rtspTransport)
    request.insecureAuth = sendsPasswordUnencrypted
    request.rendition = rendition
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
      throw ConfigurationError(properties: ["address"], what: error.what, hint: error.hint)
    }
  }

  /// The address without keys, passwords and arguments; safe to log.
  public var description: String { inner.redacted }
}
