import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Aligns and encodes sound.
struct SoundEncoding: Sendable {
  struct Settings: Sendable {
    var codec: Codec
    var format: AudioFormat
    var bitrate: Int
  }

  let properties: AudioProperties
  let settings: Settings
  let destination: LaneDestination

  /// The limit of blocks held until the next picture; more than any camera needs to start.
  private static let maxWaiting = 1000

  /// Returns true if the broadcast's duration was reached.
  func run(_ lane: FeedLane<AudioBlock, AudioProperties>) throws -> Bool {
    let encoder = try AudioEncoder(settings.codec, format: settings.format, bitrate: settings.bitrate)
    var track = try AlignedTrack(properties: properties, encoder: encoder, destination: destination)
    var waiting: [Queued<AudioBlock>] = []
    var newest = 0
    while !track.isComplete, let queued = lane.next() {
      defer { lane.finishOne() }
      // Skips blocks of a replaced source.
      guard queued.source.number >= newest else { continue }
      newest = queued.source.number
      waiting.append(queued)
      try place(&waiting, in: &track, lane.feed.properties)
      if waiting.count > Self.maxWaiting { waiting.removeFirst() }
    }
    try place(&waiting, in: &track, lane.feed.properties)
    let hasReachedEnd = track.isComplete
    try track.finish()
    return hasReachedEnd
  }

  private func place(
    _ waiting: inout [Queued<AudioBlock>], in track: inout AlignedTrack, _ properties: AudioProperties?
  ) throws {
    while let first = waiting.first, let parts = parts(of: first.item) {
      waiting.removeFirst()
      try track.add(parts, of: first, properties: properties)
    }
  }

  /// Nil while the block's place on the timeline is unknown.
  private func parts(of block: AudioBlock) -> [Timeline.Part]? {
    destination.timeline.place(sound: block.captureTime..<block.captureTime + block.duration)
  }
}
