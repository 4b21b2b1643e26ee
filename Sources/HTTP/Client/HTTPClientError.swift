/// Why there is no response.
package struct HTTPClientError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case notRunning
    case notPermitted
    case timedOut
    /// Not a broadcast of ours, or one about to end.
    case invalidResponse
    case system
  }

  package let kind: Kind
  package let what: String

  package init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }
}
