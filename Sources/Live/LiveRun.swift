import HoldfastMP4
package import HoldfastMediaModel
package import HoldfastRecording

/// The packets of one set of tracks, which one head describes.
package struct LiveRun: Sendable {
  /// Counts the runs of a process.
  package let number: Int
  package let head: FileHead
  /// With the codecs, for browsers.
  package let mimeType: String
  package var window = LiveWindow()
  private var lastDecodeTimes: [Int64]

  /// Players take a longer distance between two pictures for a hole if the first one lasts less than half of it, and
  /// then show nothing until the next keyframe. A picture lasts until the next one in any case.
  private static let leastDuration = MediaTime.milliseconds(250)

  package init(number: Int, head: FileHead, tracks: [Track]) {
    self.number = number
    self.head = head
    let isVideo = tracks.contains { $0.kind == .video }
    let codecs = tracks.sorted { $0.kind == .video && $1.kind == .audio }.map(\.mimeCodec)
    mimeType = "\(isVideo ? "video" : "audio")/mp4; codecs=\"\(codecs.joined(separator: ", "))\""
    lastDecodeTimes = tracks.map { _ in -1 }
  }

  package mutating func add(_ packet: MediaPacket) {
    guard let track = head.index(of: packet.track) else { return }
    var sample = head.sample(
      packet, size: head.sampleBytes(packet).count, of: track, after: lastDecodeTimes[track])
    lastDecodeTimes[track] = sample.decodeTime
    if packet.track == .video {
      let least = Self.leastDuration.ticks(timescale: head.tracks[track].timescale)
      sample.duration = max(sample.duration, UInt32(clamping: least))
    }
    window.add(packet, as: sample, of: track)
  }

  /// A packet as a fragment; its sequence number counts the packets, so a skip shows in it as well.
  package static func fragment(_ entry: LiveWindow.Entry, _ head: FileHead) -> [UInt8] {
    switch entry.content {
    case .fragment(let bytes): bytes
    case .packet(let packet):
      OpenFragment.bytes(
        of: entry.sample, head.sampleBytes(packet), in: entry.track,
        sequenceNumber: UInt32(truncatingIfNeeded: entry.number + 1), tracks: head.tracks)
    }
  }
}
