public import Lifecycle

/// Why an attempt or a connection came to its end.
public struct SinkError: Error, Hashable, Sendable {
  public typealias Kind = OutputFailure

  public let kind: Kind
  /// What happened, for a person, without stream keys.
  public let what: String
  /// Where `moved` points to; nil for the same place again.
  public let location: String?

  public init(_ kind: Kind, _ what: String, location: String? = nil) {
    self.kind = kind
    self.what = what
    self.location = location
  }
}

extension SinkError: CustomStringConvertible {
  public var description: String { what }
}
