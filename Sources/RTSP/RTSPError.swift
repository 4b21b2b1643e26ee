/// The server speaks something else than RTSP, or speaks it wrongly.
public struct RTSPError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Not what the protocol writes.
    case malformed
    /// More than our limits allow.
    case tooLarge
    /// Well formed, and not what may be said here.
    case unexpected
  }

  public let kind: Kind
  public let what: String

  public init(_ kind: Kind, _ what: String) {
    self.kind = kind
    self.what = what
  }
}

extension RTSPError: CustomStringConvertible {
  public var description: String { what }
}
