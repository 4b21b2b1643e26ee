import HoldfastMP4
import HoldfastMediaModel

/// The packets of one track of a lane in decode order, each at its wall time since `start`.
struct LaidTrack: JoinedTrack {
  private let kind: TrackKind
  private let parts: [AlignedRecording]
  private let start: WallTime
  private var cursor: SampleCursor
  private var partIndex = 0
  private var pieceIndex = 0
  /// The last packet, whose duration ends with the next one.
  private var pending: MediaPacket?

  init(_ kind: TrackKind, of lane: AlignedLane, since start: WallTime) {
    self.kind = kind
    parts = lane.parts
    self.start = start
    cursor = SampleCursor(parts.map(\.part), kind)
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
    guard let found = try cursor.next() else { return nil }
    if found.part != partIndex { (partIndex, pieceIndex) = (found.part, 0) }
    let recording = parts[partIndex]
    while pieceIndex + 1 < recording.pieces.count,
      isIn(recording.pieces[pieceIndex + 1], found.time + found.delay, recording.plan.usual[kind] ?? .zero)
    {
      pieceIndex += 1
    }
    let piece = recording.pieces[pieceIndex]
    return try cursor.packet(of: found, at: found.time - piece.file.lowerBound + (piece.wall - start))
  }

  /// A packet of sound across the beginning of a piece belongs to the side of its larger half.
  private func isIn(_ piece: RecordingPiece, _ shown: MediaTime, _ usual: MediaTime) -> Bool {
    let part: Int64 = kind == .video ? 4 : 2
    return shown.nanoseconds + usual.nanoseconds / part >= piece.file.lowerBound.nanoseconds
  }
}
