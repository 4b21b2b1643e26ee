internal import HoldfastCapture
internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Aligns and encodes sound.
struct SoundEncoding: Sendable {
  struct Settings: Sendable {
    var codec: Codec
    var format: AudioFormat
    var bitrate: Int
  }

  let shape: AudioShape
  let settings: Settings
  let destination: LaneDestination

  /// Blocks that are kept until the next picture has come; more than any camera needs to start.
  private static let maxWaiting = 1000

  /// True when the broadcast's time was over.
  func run(_ lane: FeedLane<AudioBlock, AudioShape>) throws -> Bool {
    let encoder = try AudioEncoder(settings.codec, format: settings.format, bitrate: settings.bitrate)
    var track = try AlignedTrack(shape: shape, encoder: encoder, destination: destination)
    var waiting: [Queued<AudioBlock>] = []
    var newest = 0
    while !track.isComplete, let queued = lane.next() {
      defer { lane.finishOne() }
      // What an old source gives when another one has taken its place.
      guard queued.provenance.source >= newest else { continue }
      newest = queued.provenance.source
      waiting.append(queued)
      while let first = waiting.first {
        guard let parts = parts(of: first.taken) else {
          if waiting.count > Self.maxWaiting { waiting.removeFirst() }
          break
        }
        waiting.removeFirst()
        try track.add(parts, of: first, shape: lane.feed.shape)
      }
    }
    let hasReachedEnd = track.isComplete
    try track.finish()
    return hasReachedEnd
  }

  /// Nil while its place on the time line is not known.
  private func parts(of block: AudioBlock) -> [TimeLine.Part]? {
    let captured = block.captureTime..<block.captureTime + block.duration
    guard case .parts(let parts) = destination.timeLine.place(sound: captured) else { return nil }
    return parts
  }
}
