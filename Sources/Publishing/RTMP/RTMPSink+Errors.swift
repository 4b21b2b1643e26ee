internal import HoldfastLifecycle
internal import HoldfastPlatform
internal import HoldfastRTMP

extension SinkError {
  init(_ error: RTMPError, _ url: RTMPURL) {
    switch error {
    case .malformed, .tooMuch: self.init(.violated, "\(url.redacted): the server \(error)")
    case .unsupported: self.init(.unsupported, "\(error)")
    }
  }

  init(_ refusal: RTMPRefusal, _ url: RTMPURL) {
    let query = url.streamName.split(separator: "?", maxSplits: 1)
    let arguments = query.dropFirst().joined().split(separator: "&").compactMap {
      $0.split(separator: "=").last
    }
    let secrets = [url.streamName, query.first.map(String.init), url.password] + arguments.map(String.init)
    let said = [refusal.status.code, refusal.status.description].filter { !$0.isEmpty }
      .map { Self.quoted($0, without: secrets) }.joined(separator: ": ")
    let words = said.isEmpty ? "the server refuses" : said
    switch refusal.reason {
    case .nameTaken: self.init(.nameTaken, "somebody publishes there already (\(words))")
    case .credentials: self.init(.refused, "the server refuses us (\(words))")
    case .other: self.init(.refused, "the server refuses the publish (\(words))")
    }
  }
}

extension MessageDigests {
  static let system = MessageDigests(
    md5: { HoldfastPlatform.md5($0) }, hmacSHA256: { HoldfastPlatform.hmacSHA256(key: $0, message: $1) })
}
