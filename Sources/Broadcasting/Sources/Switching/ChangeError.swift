internal import HoldfastCapture

/// Why something of a broadcast that runs could not be changed: all is as it was.
package struct ChangeError: Error, Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Not in this state, or not with this configuration.
    case notPossible
    /// Another change is under way, or somebody else uses the device.
    case busy
    /// There is no such device or file.
    case notFound
    /// It can't be opened, or gives nothing.
    case unusable
  }

  package let kind: Kind
  package let what: String
  /// What to do about it.
  package let hint: String

  init(_ kind: Kind, _ what: String, hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  static let isOver = ChangeError(.notPossible, "it is over", hint: "start holdfast again")

  init(_ error: CaptureError) {
    let kind: Kind =
      switch error.kind {
      case .notFound: .notFound
      case .busy: .busy
      case .lost, .unsuitable, .notPermitted: .unusable
      }
    self.init(kind, "\(error.device): \(error.what)", hint: error.hint)
  }
}

extension ChangeError: CustomStringConvertible {
  package var description: String { "\(what); \(hint)" }
}
