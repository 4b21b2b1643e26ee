package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRTMP
package import HoldfastRTSP

/// The address of an output, in one of the supported protocols.
package enum OutputAddress: Hashable, Sendable {
  case rtmp(RTMPURL)
  case rtsp(RTSPURL)
  case srt(SRTURL)

  package struct Problem: Error, Hashable, Sendable {
    package let what: String
    package var hint: String { "write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT" }
  }

  package init(_ text: String) throws(Problem) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    do {
      switch scheme {
      case "rtmp", "rtmps": self = .rtmp(try RTMPURL(text))
      case "rtsp", "rtsps": self = .rtsp(try RTSPURL(text))
      case "srt": self = .srt(try SRTURL(text))
      default: throw Problem(what: "not an address to publish to")
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(what: "\(error)")
    }
  }

  /// The address without keys, passwords and argument values.
  package var redacted: String {
    switch self {
    case .rtmp(let url): url.redacted
    case .rtsp(let url): url.redacted
    case .srt(let url): url.redacted
    }
  }

  /// Identifies the destination. Contains keys, so it must not be shown.
  package var destination: String {
    switch self {
    case .rtmp(let url): "\(url.tcURL)/\(url.streamName)"
    case .rtsp(let url): url.requestURI
    case .srt(let url): "srt://\(url.host):\(url.port)?streamid=\(url.streamID ?? "")"
    }
  }

  /// Where it is; without a path, a port has one stream.
  package var place: (host: String, port: UInt16, path: String?) {
    switch self {
    case .rtmp(let url): (url.host, url.port, "/\(url.application)/\(url.streamName)")
    case .rtsp(let url): (url.host, url.port, url.path)
    case .srt(let url): (url.host, url.port, nil)
    }
  }

  /// Whether they differ in arguments at most, as a key may be.
  func isSamePlace(as other: OutputAddress) -> Bool {
    func path(_ address: OutputAddress) -> Substring? { address.place.path?.prefix { $0 != "?" } }
    return kind == other.kind && isSecure == other.isSecure && place.host == other.place.host
      && place.port == other.place.port && path(self) == path(other)
  }

  package var kind: String {
    switch self {
    case .rtmp: "rtmp"
    case .rtsp: "rtsp"
    case .srt: "srt"
    }
  }

  /// Whether viewers can get a `CustomEvent`.
  package var carriesEvents: Bool {
    if case .rtmp = self { true } else { false }
  }

  package var isSecure: Bool {
    switch self {
    case .rtmp(let url): url.isSecure
    case .rtsp(let url): url.isSecure
    case .srt: false
    }
  }

  /// Whether the protocol can carry `codec`; a server may still refuse it.
  package func canCarry(_ codec: Codec) -> Bool {
    switch (self, codec) {
    case (.rtmp, _), (_, .h264), (_, .hevc), (_, .aac), (_, .opus): true
    case (.rtsp, .av1), (.srt, .av1): false
    }
  }

  /// Whether a connection can go on with other headers: a transport stream has those of the pictures in front of each
  /// keyframe.
  func canChange(from old: Track, to new: Track) -> Bool {
    switch self {
    case .srt: old.codec == new.codec && new.codec.hasNALUnits
    // A publish of RTSP describes its headers, and servers of RTMP describe theirs to viewers only once.
    case .rtmp, .rtsp: false
    }
  }

  private var hasCredentials: Bool {
    switch self {
    case .rtmp(let url): url.user != nil
    case .rtsp(let url): url.user != nil
    case .srt: false
    }
  }

  /// Whether a redirection to `target` left our user and password behind.
  func withholdsCredentials(from target: OutputAddress) -> Bool { hasCredentials && !target.hasCredentials }

  /// The target of a redirection. Nil if it is invalid or not as secure. Another host does not get our user and password.
  func moved(to location: String) -> OutputAddress? {
    guard let address = try? OutputAddress(location), address.isSecure || !isSecure else { return nil }
    switch (self, address) {
    case (.rtmp(let old), .rtmp(var new)):
      if new.user == nil, new.host.equalsIgnoringCase(old.host) {
        (new.user, new.password) = (old.user, old.password)
      }
      return .rtmp(new)
    case (.rtsp(let old), .rtsp(var new)):
      if new.user == nil, new.host.equalsIgnoringCase(old.host) {
        (new.user, new.password) = (old.user, old.password)
      }
      return .rtsp(new)
    default: return address
    }
  }

  func makeSink(_ settings: Output.Settings) -> any ServerSink {
    switch self {
    case .rtmp(let url): RTMPSink(url, tls: settings.tls)
    case .rtsp(let url):
      RTSPSink(
        url, tls: settings.tls, transport: settings.rtspTransport, insecureAuth: settings.insecureAuth)
    case .srt(let url): SRTSink(url)
    }
  }
}
