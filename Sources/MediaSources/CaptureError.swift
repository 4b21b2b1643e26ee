package import HoldfastMediaModel

/// A failure of a camera, microphone or file.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case notFound
    case busy
    /// The device was removed, the network source can't be reached, or it delivers nothing.
    case lost
    /// The device cannot deliver the requested format.
    case unsuitable
    case notPermitted
  }

  package let kind: Kind
  package let track: TrackKind
  package let device: String
  /// What happened, without the device's name.
  package let what: String
  package let hint: String
  /// The source is in the network, which never interrupts a broadcast.
  package let isRemote: Bool

  package init(
    _ kind: Kind, _ track: TrackKind, device: String, what: String, hint: String,
    isRemote: Bool = false
  ) {
    self.kind = kind
    self.track = track
    self.device = device
    self.what = what
    self.hint = hint
    self.isRemote = isRemote
  }

  package var description: String { "\(device): \(what); \(hint)" }
}
