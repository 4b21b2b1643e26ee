import HoldfastMP4
import HoldfastMediaModel

/// The packets of one track of a lane in decode order, each at its wall time since `start`.
struct LaidTrack: JoinedTrack {
  private let kind: TrackKind
  private let parts: [AlignedRecording]
  private let start: WallTime
  private var partIndex = 0
  private var pieceIndex = 0
  private var cursor: SampleCursor?
  /// The last packet, whose duration ends with the next one.
  private var pending: MediaPacket?

  init(_ kind: TrackKind, of lane: AlignedLane, since start: WallTime) {
    self.kind = kind
    parts = lane.parts
    self.start = start
  }

  mutating func next() throws -> MediaPacket? {
    while let packet = try following() {
      guard var before = pending else {
        pending = packet
        continue
      }
      // At the end of a file or piece, the last packet may reach over the beginning of the next.
      guard packet.decodeTime > before.decodeTime else { continue }
      let distance = packet.decodeTime - before.decodeTime
      before.duration = before.duration > .zero ? min(before.duration, distance) : distance
      pending = packet
      return before
    }
    return pending.take()
  }

  private mutating func following() throws -> MediaPacket? {
    while partIndex < parts.count {
      let recording = parts[partIndex]
      guard let track = recording.part.recorded[kind] else { return nil }
      if cursor == nil { cursor = SampleCursor(recording.part, track) }
      guard let sample = try cursor?.next() else {
        (cursor, pieceIndex) = (nil, 0)
        partIndex += 1
        continue
      }
      return try packet(sample, recording, timescale: track.timescale)
    }
    return nil
  }

  private mutating func packet(
    _ sample: Fragment.Sample, _ recording: AlignedRecording, timescale: Int
  ) throws -> MediaPacket {
    let time = MediaTime(ticks: sample.time, timescale: timescale)
    let delay = MediaTime(ticks: sample.delay, timescale: timescale)
    while pieceIndex + 1 < recording.pieces.count,
      isIn(recording.pieces[pieceIndex + 1], time + delay, recording.plan.usual[kind] ?? .zero)
    {
      pieceIndex += 1
    }
    let piece = recording.pieces[pieceIndex]
    let decodeTime = time - piece.file.lowerBound + (piece.wall - start)
    return MediaPacket(
      track: kind, decodeTime: decodeTime, presentationTime: decodeTime + delay,
      duration: MediaTime(ticks: sample.duration, timescale: timescale), isKeyframe: sample.isKeyframe,
      bytes: try recording.part.bytes(of: sample))
  }

  /// A packet of sound across the beginning of a piece belongs to the side of its larger half.
  private func isIn(_ piece: RecordingPiece, _ shown: MediaTime, _ usual: MediaTime) -> Bool {
    let part: Int64 = kind == .video ? 4 : 2
    return shown.nanoseconds + usual.nanoseconds / part >= piece.file.lowerBound.nanoseconds
  }
}
