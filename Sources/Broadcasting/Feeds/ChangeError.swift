import HoldfastCapture

/// Why a change to a running broadcast failed; everything is unchanged.
package struct ChangeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Not possible in this state or with this configuration.
    case notPossible
    /// Another change is pending, or the device is in use.
    case busy
    case notFound
    case unusable
  }

  package let kind: Kind
  package let what: String
  package let hint: String

  init(_ kind: Kind, _ what: String, hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  static let isOver = ChangeError(.notPossible, "the broadcast has ended", hint: "start another")

  init(_ error: CaptureError) {
    let kind: Kind =
      switch error.kind {
      case .notFound: .notFound
      case .busy: .busy
      case .lost, .unsuitable, .notPermitted: .unusable
      }
    self.init(kind, "\(error.device): \(error.what)", hint: error.hint)
  }

  package var description: String { "\(what); \(hint)" }
}
