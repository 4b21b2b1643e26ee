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
    request.publishType = publishKind?.inner
    request.outage = outage?.inner
    request.giveUpAfter = giveUpAfter.map(MediaTime.init)
    request.adaptsBitrate = adaptsBitrate
    return request
  }
}

/// Where an output goes to. Its description leaves keys and passwords out.
public struct OutputAddress: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastPublishing.OutputAddress

  /// Reads an rtmp, rtmps, rtsp, rtsps or srt address.
  public init(_ text: String) throws(AddressError) {
    do { inner = try HoldfastPublishing.OutputAddress(text) } catch {
      throw AddressError(what: error.why, remedy: error.remedy)
    }
  }

  /// An RTMP server's stream.
  public static func rtmp(
    host: String, port: UInt16 = 1935, application: String, stream: String, isSecure: Bool = false
  ) throws(AddressError) -> OutputAddress {
    try OutputAddress("\(isSecure ? "rtmps" : "rtmp")://\(host):\(port)/\(application)/\(stream)")
  }

  /// An RTSP server's path.
  public static func rtsp(
    host: String, port: UInt16 = 554, path: String, isSecure: Bool = false
  ) throws(AddressError) -> OutputAddress {
    try OutputAddress("\(isSecure ? "rtsps" : "rtsp")://\(host):\(port)/\(path)")
  }

  /// An SRT listener.
  public static func srt(
    host: String, port: UInt16, streamID: String? = nil
  ) throws(AddressError) -> OutputAddress {
    try OutputAddress("srt://\(host):\(port)" + (streamID.map { "?streamid=\($0)" } ?? ""))
  }

  /// The address without keys, passwords and arguments.
  public var description: String { inner.redacted }
}

/// What a server is asked to do with a broadcast.
public enum PublishKind: Hashable, Sendable, CaseIterable {
  /// Pass it on, and record nothing.
  case live
  /// Record it, and go on with that recording after an outage.
  case record

  var inner: PublishType {
    switch self {
    case .live: .live
    case .record: .record
    }
  }
}

/// What happens after an outage to what was made meanwhile.
public enum OutagePolicy: Hashable, Sendable, CaseIterable {
  /// Leave it out, and go on with what is made now.
  case live
  /// Send it first, faster than it was made.
  case catchUp

  var inner: HoldfastPublishing.OutagePolicy {
    switch self {
    case .live: .live
    case .catchUp: .catchUp
    }
  }
}

/// How media goes to an RTSP server.
public enum RTSPTransport: Hashable, Sendable, CaseIterable {
  /// Within the connection.
  case tcp
  /// Beside it.
  case udp

  var inner: RTSPSink.Transport {
    switch self {
    case .tcp: .tcp
    case .udp: .udp
    }
  }
}
