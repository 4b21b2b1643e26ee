package import HoldfastMediaModel

/// The address of a network source.
package struct SourceAddress: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable, CaseIterable {
    case rtmp, rtmps, rtsp, rtsps, srt, http, https

    var usualPort: UInt16? {
      switch self {
      case .rtmp: 1935
      case .rtmps, .https: 443
      case .rtsp: 554
      case .rtsps: 322
      case .http: 80
      case .srt: nil
      }
    }
  }

  package let scheme: Scheme
  /// May hold keys and passwords; never to be shown.
  package let text: String
  package let host: String
  package let port: UInt16
  /// With its leading slash, without the query.
  package let path: String
  /// Settings of SRT, which other programs write into the address.
  let srt: [SRTKey: String]

  package enum SRTKey: String, Hashable, Sendable, CaseIterable {
    case mode, latency, passphrase, pbkeylen, streamid
  }

  package init(_ text: String) throws(InvalidValue) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let scheme = Scheme(rawValue: parts[0].lowercased()), parts.count == 2, parts[1].hasPrefix("//")
    else {
      throw InvalidValue("not an address of a source", hint: Self.examples)
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), text.utf8.count <= 2048 else {
      throw InvalidValue(
        "an address with a space (write %20) or a control character, or too long", hint: Self.examples)
    }
    let rest = parts[1].dropFirst(2)
    let authority = rest.prefix { !"/?#".contains($0) }
    let target = rest.dropFirst(authority.count)
    path = String(target.prefix { $0 != "?" && $0 != "#" })
    self.scheme = scheme
    self.text = text
    let isAnyHost = scheme == .srt && authority.hasPrefix(":")
    do {
      let authority = try URLAuthority(isAnyHost ? "0.0.0.0" + authority : authority)
      host = authority.host
      guard let port = authority.port ?? scheme.usualPort else {
        throw InvalidValue(
          "an address without a port", hint: "write srt://HOST:PORT, or srt://:PORT?mode=listener")
      }
      self.port = port
    } catch let problem as InvalidValue {
      throw problem
    } catch {
      throw InvalidValue("\(error)", hint: Self.examples)
    }
    srt = scheme == .srt ? try Self.srtSettings(target.drop { $0 != "?" }.dropFirst()) : [:]
    guard !isAnyHost || srt[.mode] == "listener" else {
      throw InvalidValue(
        "an address without a host", hint: "write srt://HOST:PORT, or srt://:PORT?mode=listener")
    }
  }

  package static let examples =
    "write rtsp://HOST/PATH, rtmp://HOST/APP/NAME, srt://HOST:PORT, srt://:PORT?mode=listener or http://HOST/PATH"

  /// The address without user, password, path and argument values, any of which may be a key.
  package var redacted: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let place = port == scheme.usualPort ? name : "\(name):\(port)"
    guard scheme == .srt else { return "\(scheme.rawValue)://\(place)/***" }
    let listens = isListener ? "?mode=listener" : ""
    return "srt://\(place)\(listens)"
  }

  /// Whether only the query differs, in which keys are. A listener and a caller are two places.
  package func isSamePlace(as other: SourceAddress) -> Bool {
    (scheme, host, port, path, isListener)
      == (other.scheme, other.host, other.port, other.path, other.isListener)
      && srt[.streamid] == other.srt[.streamid]
  }

  /// Waits to be called, instead of calling.
  package var isListener: Bool { srt[.mode] == "listener" }
  package var isSecure: Bool { [.rtmps, .rtsps, .https].contains(scheme) }

  private static func srtSettings(_ query: Substring) throws(InvalidValue) -> [SRTKey: String] {
    var settings: [SRTKey: String] = [:]
    for pair in query.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = SRTKey(rawValue: String(sides[0])), sides.count == 2,
        let bytes = sides[1].percentDecoded(isLenient: false),
        let value = String(validating: bytes, as: UTF8.self)
      else {
        throw InvalidValue(
          "an unknown setting of SRT, or one without a value",
          hint: "use \(SRTKey.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      try check(value, of: key)
      settings[key] = value
    }
    return settings
  }

  private static func check(_ value: String, of key: SRTKey) throws(InvalidValue) {
    let (isRight, hint) =
      switch key {
      case .mode: (["caller", "listener"].contains(value), "caller or listener")
      case .latency: (Int(value).map { (0...10_000).contains($0) } ?? false, "milliseconds, 0 to 10000")
      case .passphrase: ((10...79).contains(value.utf8.count), "10 to 79 characters")
      case .pbkeylen: (["16", "24", "32"].contains(value), "16, 24 or 32")
      case .streamid: (value.utf8.count <= 512, "at most 512 characters")
      }
    guard isRight else { throw InvalidValue("a wrong \(key.rawValue)", hint: "use \(hint)") }
  }
}

extension SourceAddress: CustomStringConvertible {
  package var description: String { redacted }
}
