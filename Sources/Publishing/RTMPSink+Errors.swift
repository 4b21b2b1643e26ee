internal import Lifecycle
internal import Platform
internal import RTMP

extension SinkError {
  init(_ error: RTMPError, _ url: RTMPURL) {
    switch error {
    case .malformed, .tooMuch: self.init(.violated, "\(url.redacted): the server \(error)")
    case .unsupported: self.init(.unsupported, "\(error)")
    }
  }

  init(_ refusal: RTMPRefusal) {
    let said = [refusal.status.code, refusal.status.description].filter { !$0.isEmpty }.joined(
      separator: ": ")
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
    md5: { Platform.md5($0) }, hmacSHA256: { Platform.hmacSHA256(key: $0, message: $1) })
}
