/// Why an attempt or a connection came to its end.
public struct SinkError: Error, Hashable, Sendable {
  /// What is done about it depends on this alone.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The host's name could not be resolved.
    case unresolved
    /// Nobody listens there, or no way leads there.
    case unreachable
    /// An answer did not come in time.
    case timedOut
    /// The server's certificate is not to be trusted.
    case certificate
    /// The server ended the connection.
    case closed
    /// The server ended it before it had accepted the publish, without a word.
    case closedBeforeAccepted
    /// The server still holds an older publisher of the name, or somebody else's.
    case nameTaken
    /// The server refuses us: credentials, rights, a name that is not allowed.
    case refused
    /// The server speaks another protocol, or speaks it wrongly.
    case violated
    /// The protocol has no way to carry these tracks.
    case unsupported
    /// The server asks to be reached elsewhere, or again.
    case moved
    /// We were asked to stop.
    case stopped
    /// The operating system refuses something that has nothing to do with the server.
    case system
  }

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
