import HoldfastPlatform

/// Requests to the video encoder, collected until its next picture.
final class EncoderRequests: Sendable {
  struct Requested: Sendable {
    var keyframe = false
    var bitrates: [RenditionID: BitrateChange] = [:]
    /// Nil if that has not changed.
    var inUse: Set<RenditionID>?
    /// The bitrates of encodes that outputs get of their own; nil ends one.
    var owns: [String: Int?] = [:]
  }

  private let requested = Locked(Requested())

  func add(_ request: EncoderRequest) {
    requested.withLock { requested in
      switch request {
      case .keyframe: requested.keyframe = true
      case .bitrate(let change): requested.bitrates[change.rendition] = change
      case .use(let renditions): requested.inUse = renditions
      case .beginOwn(let output, let bitrate): requested.owns[output] = .some(bitrate)
      case .endOwn(let output): requested.owns[output] = .some(nil)
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
  /// All others end; those for viewers begin.
  case use(Set<RenditionID>)
  /// The output gets an encode of its own as soon as one is open.
  case beginOwn(output: String, bitrate: Int)
  /// It shares again, from the next keyframe on.
  case endOwn(output: String)
}

package struct BitrateChange: Hashable, Sendable {
  package let bitsPerSecond: Int
  package let reason: String
  package var rendition = RenditionID.main
  /// The change comes from the configuration, not from a network.
  var isConfigured = false
}
