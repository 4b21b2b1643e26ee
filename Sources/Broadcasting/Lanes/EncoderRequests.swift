import HoldfastPlatform

/// Requests to the video encoder, collected until its next picture.
final class EncoderRequests: Sendable {
  struct Requested: Sendable {
    var keyframe = false
    var bitrate: BitrateChange?
  }

  private let requested = Locked(Requested())

  func add(_ request: EncoderRequest) {
    requested.withLock { requested in
      switch request {
      case .keyframe: requested.keyframe = true
      case .bitrate(let change): requested.bitrate = change
      }
    }
  }

  func take() -> Requested {
    requested.withLock { requested in
      defer { requested = Requested() }
      return requested
    }
  }
}

package enum EncoderRequest: Hashable, Sendable {
  case keyframe
  case bitrate(BitrateChange)
}

package struct BitrateChange: Hashable, Sendable {
  package let bitsPerSecond: Int
  package let reason: String
  /// The change comes from the configuration, not from a network.
  var isConfigured = false
}
