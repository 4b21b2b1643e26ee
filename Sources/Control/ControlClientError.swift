internal import Platform

/// Why a broadcast could not be asked.
public struct ControlClientError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Nobody listens there.
    case notRunning
    /// It belongs to somebody else.
    case notPermitted
    case noAnswer
    /// What answers is no broadcast of ours, or is about to end.
    case strangeAnswer
    case system
  }

  public let kind: Kind
  public let what: String

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
