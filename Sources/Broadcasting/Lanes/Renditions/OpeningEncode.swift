import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// An encode that is being opened on a thread of its own, as that takes longer than a picture may.
final class OpeningEncode: Sendable {
  let rendition: LaneRendition
  private let encoder = Promise<Result<Locked<PictureEncoder>, any Error>>()
  private let slot = ThreadSlot()

  /// With a `track`, whose place its packets take.
  init(
    _ rendition: LaneRendition, _ settings: PictureEncoding.Settings, of source: VideoProperties,
    replacing track: Track? = nil
  ) throws(SystemError) {
    self.rendition = rendition
    try slot.start(name: "\(rendition.planned.id)") { [encoder] in
      encoder.fulfil(
        Result { Locked(try PictureEncoder(rendition, settings, of: source, replacing: track)) })
    }
  }

  /// Nil while it is not open.
  func take() -> Result<Locked<PictureEncoder>, any Error>? { encoder.take(until: .now) }

  func join() { slot.join() }
}
