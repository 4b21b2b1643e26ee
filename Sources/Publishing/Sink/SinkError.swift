package import HoldfastLifecycle

/// Why an attempt or a connection came to its end.
package struct SinkError: Error, Hashable, Sendable {
  package typealias Kind = OutputFailure

  package let kind: Kind
  /// What happened, for a person, without stream keys.
  package let what: String
  /// Where `moved` points to; nil for the same place again.
  package let location: String?

  package init(_ kind: Kind, _ what: String, location: String? = nil) {
    self.kind = kind
    self.what = what
    self.location = location
  }
}

extension SinkError: CustomStringConvertible {
  package var description: String { what }
}
