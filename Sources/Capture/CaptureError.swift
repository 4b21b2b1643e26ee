public import MediaModel

/// Why a camera, a microphone or a file gives nothing.
public struct CaptureError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// There is no such device or file.
    case notFound
    /// Somebody else uses it.
    case busy
    /// It was there and has gone, or gives nothing any more.
    case lost
    /// It is there but can't give what is wanted.
    case unsuitable
    /// We may not open it.
    case notPermitted
  }

  public let kind: Kind
  public let track: TrackKind
  /// The device or file, as a person names it.
  public let device: String
  /// What happened, without the device's name.
  public let what: String
  /// What to do about it.
  public let hint: String

  public init(_ kind: Kind, _ track: TrackKind, device: String, what: String, hint: String) {
    self.kind = kind
    self.track = track
    self.device = device
    self.what = what
    self.hint = hint
  }
}

extension CaptureError: CustomStringConvertible {
  public var description: String { "\(device): \(what); \(hint)" }
}
