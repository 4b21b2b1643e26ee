package import HoldfastMediaModel

/// The mode that a camera is to be set to, and why this one.
package struct CameraChoice: Hashable, Sendable {
  /// What comes out of the camera's buffers.
  package enum Content: Hashable, Sendable {
    case raw(PixelFormat)
    case mjpeg
    case h264
  }

  package let code: V4L2FourCC
  package let content: Content
  package let format: VideoFormat
  /// For a person: what was chosen, why, and what had been wanted.
  package let reason: String
}

/// Why none of a camera's modes will do.
package enum CameraRefusal: Error, Hashable, Sendable {
  /// It has no format that we can read.
  case nothingReadable(offered: [V4L2FourCC])
  /// Its pictures aren't H.264, so they can't be passed on as they are.
  case nothingToCopy(offered: [V4L2FourCC])
}

extension CameraRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothingReadable(let offered): "it has no format that can be read, only \(Self.list(offered))"
    case .nothingToCopy(let offered): "it doesn't encode to H.264 by itself, it gives \(Self.list(offered))"
    }
  }

  var hint: String {
    switch self {
    case .nothingReadable: "use another camera"
    case .nothingToCopy: "leave out --encoder copy, then the pictures are encoded here"
    }
  }

  private static func list(_ codes: [V4L2FourCC]) -> String {
    codes.isEmpty ? "nothing at all" : codes.map(\.description).joined(separator: ", ")
  }
}
