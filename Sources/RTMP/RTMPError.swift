/// What the other side sent that can't be, or what we were asked to send that can't be.
package enum RTMPError: Error, Hashable, Sendable {
  /// It breaks the protocol's rules.
  case malformed(String)
  /// It is larger, deeper or more than we allow.
  case tooMuch(String)
  /// The protocol has no way to carry it.
  case unsupported(String)
}

extension RTMPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let what): "breaks RTMP's rules: \(what)"
    case .tooMuch(let what): "more than is allowed: \(what)"
    case .unsupported(let what): "RTMP can't carry \(what)"
    }
  }
}
