import HoldfastMediaModel

/// What may be said behind the `?` of an SRT address.
package enum SRTURLKey: String, Hashable, Sendable, CaseIterable {
  case mode, latency, passphrase, pbkeylen, streamid, peeridletimeo, maxbw

  init(written text: String) throws(SRTURLError) {
    guard let key = SRTURLKey(rawValue: text) else {
      throw .unknownKey(text, nearest: NearestMatch.find(text, among: Self.allCases.map(\.rawValue)))
    }
    self = key
  }
}

extension SRTURLKey: CustomStringConvertible {
  package var description: String { rawValue }
}

/// What is wrong with an SRT address. It never repeats a value, which may be a secret.
package enum SRTURLError: Error, Hashable, Sendable {
  case notSRT
  case wrongHost
  case noPort
  case notCaller(String)
  /// Something between two `&` is no `KEY=VALUE`.
  case noValue
  case unknownKey(String, nearest: String?)
  /// The key's value is not this.
  case wrongValue(SRTURLKey, String)
  case keyLengthWithoutPassphrase
}

extension SRTURLError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notSRT: "an SRT address begins with srt://"
    case .wrongHost: "the host is written wrongly: srt://HOST:PORT, an IPv6 address in brackets"
    case .noPort: "SRT has no usual port: write srt://HOST:PORT"
    case .notCaller("listener"), .notCaller("rendezvous"), .notCaller("server"):
      "only mode=caller is there: the other side has to listen"
    case .notCaller: "mode can only be caller"
    case .noValue: "behind ? and & stands KEY=VALUE; write %26 for an & in a value"
    case .unknownKey(let key, let nearest):
      "\"\(key.prefix(32))\" is not known in an SRT address; "
        + (nearest.map { "did you mean \($0)?" }
          ?? "there are \(SRTURLKey.allCases.map(\.rawValue).joined(separator: ", "))")
    case .wrongValue(let key, let wanted): "\(key) has to be \(wanted)"
    case .keyLengthWithoutPassphrase: "pbkeylen is of use only with a passphrase"
    }
  }
}
