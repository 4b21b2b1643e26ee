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
  var pending: MediaPacket?

  init(_ kind: TrackKind, of lane: AlignedLane, since start: WallTime) {
    self.kind = kind
    parts = lane.parts
    self.start = start
    cursor = SampleCursor(parts.map(\.part), kind)
  }

  static let closesHoles = false

  mutating func following() throws -> MediaPacket? {
    guard let found = try cursor.next() else { return nil }
    if found.part != partIndex { (partIndex, pieceIndex) = (found.part, 0) }
    let recording = parts[partIndex]
    let (shown, usual) = (found.time + found.delay, recording.plan.usual[kind] ?? .zero)
    while pieceIndex + 1 < recording.pieces.count,
      cursor.isBehind(recording.pieces[pieceIndex + 1].file.lowerBound, shown, usual: usual)
    {
      pieceIndex += 1
    }
    let piece = recording.pieces[pieceIndex]
    return try cursor.packet(of: found, at: found.time - piece.file.lowerBound + (piece.wall - start))
  }
}
