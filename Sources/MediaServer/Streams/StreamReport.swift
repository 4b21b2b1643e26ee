package import HoldfastMediaModel

/// Counters of one publish.
package struct StreamReport: Hashable, Sendable, CustomStringConvertible {
  package let name: String
  package let type: PublishType
  package let peer: String
  package let path: String?
  package internal(set) var video: TrackReport?
  package internal(set) var audio: TrackReport?
  /// Number of `onMetaData` messages.
  package internal(set) var metadata = 0
  package internal(set) var data = 0

  /// Returns true for the first packet of a track.
  mutating func count(_ message: StreamMessage, at time: Int64) -> Bool {
    switch message.kind {
    case .media(.video): return TrackReport.count(message, at: time, in: &video)
    case .media(.audio): return TrackReport.count(message, at: time, in: &audio)
    case .metadata: metadata += 1
    case .data: data += 1
    }
    return false
  }

  package var description: String {
    let tracks = [video, audio].compactMap { $0?.description }
    return "\(name): " + (tracks.isEmpty ? "nothing yet" : tracks.joined(separator: ", "))
  }
}

/// Counters of one track of a publish.
package struct TrackReport: Hashable, Sendable, CustomStringConvertible {
  /// Nil for an unknown codec, which is still relayed.
  package internal(set) var codec: Codec?
  package internal(set) var packets = 0
  package internal(set) var keyframes = 0
  /// Number of codec header messages.
  package internal(set) var headers = 0
  package internal(set) var bytes = 0
  /// Time within the publish, which starts near 0.
  package internal(set) var firstTime: MediaTime
  package internal(set) var lastTime: MediaTime

  fileprivate static func count(_ message: StreamMessage, at time: Int64, in track: inout TrackReport?)
    -> Bool
  {
    let time = MediaTime.milliseconds(time)
    var report = track ?? TrackReport(firstTime: time, lastTime: time)
    let hadNone = report.packets == 0
    if let codec = message.codec { report.codec = codec }
    report.bytes += message.payload.count
    if message.isHeaders {
      report.headers += 1
    } else if message.isPacket || report.codec == nil {
      if hadNone { report.firstTime = time }
      report.packets += 1
      report.lastTime = time
      if message.isKeyframe { report.keyframes += 1 }
    }
    track = report
    return hadNone && report.packets == 1
  }

  package var description: String { "\(codec?.name ?? "unknown codec") \(packets) packets until \(lastTime)" }
}
