package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRTMP
package import HoldfastRTSP

/// Where an output goes to: an address of one of the protocols that there are.
package enum OutputAddress: Hashable, Sendable {
  case rtmp(RTMPURL)
  case rtsp(RTSPURL)
  case srt(SRTURL)

  /// What is wrong with an address: why, and what to write instead.
  package struct Problem: Error, Hashable, Sendable {
    package let why: String
    package let remedy: String
  }

  package init(_ text: String) throws(Problem) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    do {
      switch scheme {
      case "rtmp", "rtmps": self = .rtmp(try RTMPURL(text))
      case "rtsp", "rtsps": self = .rtsp(try RTSPURL(text))
      case "srt": self = .srt(try SRTURL(text))
      default: throw Problem(why: "not an address that can be published to", remedy: Self.examples)
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(why: "\(error)", remedy: Self.examples)
    }
  }

  private static let examples = "write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT"

  /// As it may be shown: without keys, passwords and the values of arguments.
  package var redacted: String {
    switch self {
    case .rtmp(let url): url.redacted
    case .rtsp(let url): url.redacted
    case .srt(let url): url.redacted
    }
  }

  /// What tells it from other destinations: with keys, so it may not be shown.
  package var destination: String {
    switch self {
    case .rtmp(let url): "\(url.tcURL)/\(url.streamName)"
    case .rtsp(let url): url.requestURI
    case .srt(let url): "srt://\(url.host):\(url.port)?streamid=\(url.streamID ?? "")"
    }
  }

  package var kind: String {
    switch self {
    case .rtmp: "rtmp"
    case .rtsp: "rtsp"
    case .srt: "srt"
    }
  }

  package var isSecure: Bool {
    switch self {
    case .rtmp(let url): url.isSecure
    case .rtsp(let url): url.isSecure
    case .srt: false
    }
  }

  /// Whether the protocol has a way for `codec` at all; a server may still not know it.
  package func canCarry(_ codec: Codec) -> Bool {
    switch (self, codec) {
    case (.rtmp, _), (_, .h264), (_, .hevc), (_, .aac), (_, .opus): true
    case (.rtsp, .av1), (.srt, .av1): false
    }
  }

  /// Where a server redirects us, with our user and password. Nil where that is no address, or an insecure one instead of
  /// a secure one.
  func moved(to location: String) -> OutputAddress? {
    guard let address = try? OutputAddress(location), address.isSecure || !isSecure else { return nil }
    switch (self, address) {
    case (.rtmp(let old), .rtmp(var new)):
      if new.user == nil { (new.user, new.password) = (old.user, old.password) }
      return .rtmp(new)
    case (.rtsp(let old), .rtsp(var new)):
      if new.user == nil { (new.user, new.password) = (old.user, old.password) }
      return .rtsp(new)
    default: return address
    }
  }

  func makeSink(_ settings: Output.Settings) -> any PacketSink {
    switch self {
    case .rtmp(let url): RTMPSink(url, tls: settings.tls)
    case .rtsp(let url): RTSPSink(url, tls: settings.tls, transport: settings.rtspTransport)
    case .srt(let url): SRTSink(url)
    }
  }
}
