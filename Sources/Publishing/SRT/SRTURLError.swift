import HoldfastMediaModel

package enum SRTURLKey: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case mode, latency, passphrase, pbkeylen, streamid, peeridletimeo, maxbw

  init(written text: String) throws(SRTURLError) {
    guard let key = SRTURLKey(rawValue: text) else {
      throw .unknownKey(text, nearest: NearestMatch.find(text, among: Self.allCases.map(\.rawValue)))
    }
    self = key
  }

  package var description: String { rawValue }
}

/// An invalid SRT address. Never contains a value, which may be a secret.
package enum SRTURLError: Error, Hashable, Sendable, CustomStringConvertible {
  case notSRT
  case wrongHost
  case noPort
  case notCaller(String)
  case noValue
  case unknownKey(String, nearest: String?)
  case wrongValue(SRTURLKey, String)
  case keyLengthWithoutPassphrase

  package var description: String {
    switch self {
    case .notSRT: "an SRT address begins with srt://"
    case .wrongHost: "invalid host: write srt://HOST:PORT, with an IPv6 address in brackets"
    case .noPort: "SRT has no default port: write srt://HOST:PORT"
    case .notCaller("listener"), .notCaller("rendezvous"), .notCaller("server"):
      "only mode=caller is supported: the other side must listen"
    case .notCaller: "mode can only be caller"
    case .noValue: "KEY=VALUE must follow ? and &; write %26 for an & in a value"
    case .unknownKey(let key, let nearest):
      "unknown SRT parameter \"\(key.prefix(32))\"; "
        + (nearest.map { "did you mean \($0)?" }
          ?? "known: \(SRTURLKey.allCases.map(\.rawValue).joined(separator: ", "))")
    case .wrongValue(let key, let requested): "\(key) must be \(requested)"
    case .keyLengthWithoutPassphrase: "pbkeylen requires a passphrase"
    }
  }
}
