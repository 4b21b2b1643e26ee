internal import HoldfastPlatform

/// Why a broadcast could not be asked.
package struct ControlClientError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Nobody listens there.
    case notRunning
    /// It belongs to somebody else.
    case notPermitted
    case noAnswer
    /// What answers is no broadcast of ours, or is about to end.
    case strangeAnswer
    case system
  }

  package let kind: Kind
  package let what: String

  init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }

  init(_ error: SystemError) {
    let kind: Kind =
      if error.isNobodyThere {
        .notRunning
      } else if error.isNotPermitted {
        .notPermitted
      } else if error.isTimeOut {
        .noAnswer
      } else if error.isHangUp {
        .strangeAnswer
      } else {
        .system
      }
    self.init(kind, "\(error)")
  }
}
