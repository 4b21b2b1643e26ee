package import HoldfastMediaModel

/// Why a camera, a microphone or a file gives nothing.
package struct CaptureError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
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

  package let kind: Kind
  package let track: TrackKind
  /// The device or file, as a person names it.
  package let device: String
  /// What happened, without the device's name.
  package let what: String
  /// What to do about it.
  package let hint: String

  package init(_ kind: Kind, _ track: TrackKind, device: String, what: String, hint: String) {
    self.kind = kind
    self.track = track
    self.device = device
    self.what = what
    self.hint = hint
  }
}

extension CaptureError: CustomStringConvertible {
  package var description: String { "\(device): \(what); \(hint)" }
}
