package import HoldfastMediaModel

/// The address of an SRT listener: `srt://HOST:PORT?latency=MS&passphrase=…&streamid=…`.
package struct SRTURL: Hashable, Sendable, CustomStringConvertible {
  /// A passphrase and the length in bytes of the key derived from it; nil leaves the length to the listener.
  package struct Secret: Hashable, Sendable {
    package var passphrase: String
    package var keyLength: Int?
  }

  package var host: String
  package var port: UInt16
  /// The receiver's buffering, which leaves time for retransmissions.
  package var latency = MediaTime.milliseconds(120)
  package var secret: Secret?
  package var streamID: String?
  /// libsrt gives up a silent peer after this time, but not before 5 s.
  package var peerIdleTimeout = MediaTime.seconds(3)
  /// The maximum rate including overhead; nil for no limit.
  package var maxBytesPerSecond: Int?

  package init(_ text: String) throws(SRTURLError) {
    guard text.lowercased().hasPrefix("srt://") else { throw .notSRT }
    // A stream's name may contain `#`, `/` and `?`, so only the first `?` separates.
    let parts = text.dropFirst(6).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    (host, port) = try Self.authority(parts[0])
    var keyLength: Int?
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { throw .noValue }
      let key = try SRTURLKey(written: String(sides[0]))
      guard let value = Self.decoded(sides[1]) else {
        throw .wrongValue(key, "text, with %25 for a % sign")
      }
      switch key {
      case .mode: guard value == "caller" else { throw .notCaller(value) }
      case .latency: latency = try Self.milliseconds(value, key)
      case .peeridletimeo: peerIdleTimeout = try Self.milliseconds(value, key)
      case .maxbw:
        maxBytesPerSecond = Int(value).flatMap { $0 > 0 ? $0 : nil }
        guard maxBytesPerSecond != nil || value == "-1" else {
          throw .wrongValue(key, "bytes per second, or -1 for no limit")
        }
      case .passphrase:
        guard 10...79 ~= value.utf8.count else { throw .wrongValue(key, "10 to 79 characters") }
        secret = Secret(passphrase: value)
      case .pbkeylen:
        keyLength = Int(value)
        guard [16, 24, 32].contains(keyLength) else { throw .wrongValue(key, "16, 24 or 32") }
      case .streamid:
        guard value.utf8.count <= 512 else { throw .wrongValue(key, "at most 512 characters") }
        streamID = value.isEmpty ? nil : value
      }
    }
    if secret == nil, keyLength != nil { throw .keyLengthWithoutPassphrase }
    secret?.keyLength = keyLength
  }

  /// The address without the passphrase and the stream's name, which often is a key.
  package var redacted: String {
    let host = host.contains(":") ? "[\(host)]" : host
    var arguments: [String] = []
    if secret != nil { arguments.append("passphrase=…") }
    if streamID != nil { arguments.append("streamid=…") }
    return "srt://\(host):\(port)" + (arguments.isEmpty ? "" : "?" + arguments.joined(separator: "&"))
  }

  package var description: String { redacted }
}

// MARK: - Reading

extension SRTURL {
  private static func authority(_ text: Substring) throws(SRTURLError) -> (host: String, port: UInt16) {
    var rest = text
    if rest.last == "/" { rest.removeLast() }
    guard let colon = rest.lastIndex(of: ":"), rest[colon...].dropFirst().allSatisfy(\.isNumber) else {
      throw .noPort
    }
    guard let port = UInt16(rest[colon...].dropFirst()), port > 0 else { throw .noPort }
    var host = rest[..<colon]
    let isBracketed = host.first == "[" && host.last == "]" && host.count > 2
    if isBracketed { host = host.dropFirst().dropLast() }
    if host.isEmpty {
      // Other programs write a listener like this.
      throw .notCaller("listener")
    }
    guard isBracketed || !host.contains(where: { ":/@[]# ".contains($0) }) else { throw .wrongHost }
    return (String(host), port)
  }

  private static let maxMilliseconds = 10_000

  private static func milliseconds(_ value: String, _ key: SRTURLKey) throws(SRTURLError) -> MediaTime {
    guard let count = Int(value), count >= 0 else { throw .wrongValue(key, "milliseconds, as in \(key)=200") }
    guard count <= maxMilliseconds else {
      throw .wrongValue(
        key,
        "at most \(maxMilliseconds) milliseconds (ffmpeg uses microseconds: \(key)=200 here is 200000 there)"
      )
    }
    return .milliseconds(Int64(count))
  }

  /// Nil for an incomplete `%XX` or invalid UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    guard let bytes = text.percentDecoded(isLenient: false), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
