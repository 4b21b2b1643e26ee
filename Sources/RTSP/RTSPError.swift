/// The server speaks something else than RTSP, or speaks it wrongly.
package struct RTSPError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// Not what the protocol writes.
    case malformed
    /// More than our limits allow.
    case tooLarge
    /// Well formed, and not what may be said here.
    case unexpected
  }

  package let kind: Kind
  package let what: String

  package init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }
}

extension RTSPError: CustomStringConvertible {
  package var description: String { what }
}
