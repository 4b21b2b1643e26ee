package import HoldfastLifecycle

package struct SinkError: Error, Hashable, Sendable, CustomStringConvertible {
  package typealias Kind = OutputFailure

  package let kind: Kind
  /// What happened, without stream keys.
  package let what: String
  /// The target of `moved`; nil for the same address.
  package let location: String?

  package init(_ kind: Kind, _ what: String, location: String? = nil) {
    self.kind = kind
    self.what = what
    self.location = location
  }

  package var description: String { what }
}
