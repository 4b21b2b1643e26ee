import HoldfastMP4
import HoldfastMediaModel
import HoldfastRecording

/// The packets of the current broadcast, and who watches them.
struct LiveState: Sendable {
  private struct Viewing: Sendable {
    let run: Int
    var hasHead = false
    var isOver = false
    var cursor = LiveCursor()
  }

  /// What a viewer gets next.
  enum Piece {
    case bytes([UInt8])
    /// A packet whose fragment has to be made and kept.
    case packet(LiveWindow.Entry, FileHead, run: Int)
    case nothing
    case over
  }

  private var broadcast = 0
  private var expected: Set<TrackKind> = []
  private var tracks: [TrackKind: Track] = [:]
  private var run: LiveRun?
  private var runs = 0
  private var viewers: [Int: Viewing] = [:]
  private var lastViewer = 0
  /// The decode time of the packet that woke the viewers last.
  private var woken: MediaTime?
  private var counted = LiveFigures()

  static let scheme = "urn:holdfast:live"
  static let padding = Box.make("free", [])
  /// Sound wakes the viewers less often than it comes: pictures do, too.
  private static let soundWait = MediaTime.milliseconds(50)

  var figures: LiveFigures {
    var figures = counted
    figures.viewers = viewers.count
    if let window = run?.window {
      figures.lag = viewers.values.map { window.lag(of: $0.cursor) }.max() ?? .zero
    }
    return figures
  }

  // MARK: The broadcast

  mutating func begin(_ tracks: Set<TrackKind>) -> Int {
    broadcast += 1
    (expected, self.tracks, run) = (tracks, [:], nil)
    return broadcast
  }

  mutating func end(_ broadcast: Int) {
    if self.broadcast == broadcast { (tracks, run) = ([:], nil) }
  }

  /// Returns all tracks if they are complete and have changed.
  mutating func announce(_ track: Track, of broadcast: Int) -> [Track]? {
    guard self.broadcast == broadcast, tracks[track.kind] != track else { return nil }
    tracks[track.kind] = track
    return expected.isSubset(of: tracks.keys) ? Array(tracks.values) : nil
  }

  /// Another description of a track begins another run.
  mutating func begin(_ tracks: [Track], head: FileHead, of broadcast: Int) {
    guard self.broadcast == broadcast, Set(self.tracks.values) == Set(tracks) else { return }
    runs += 1
    run = LiveRun(number: runs, head: head, tracks: tracks)
    woken = nil
  }

  /// Returns whether viewers have something to take.
  mutating func add(_ packet: MediaPacket, of broadcast: Int) -> Bool {
    guard self.broadcast == broadcast, run != nil else { return false }
    run?.add(packet)
    guard !viewers.isEmpty else { return false }
    let isDue = woken.map { packet.decodeTime - $0 >= Self.soundWait } ?? true
    guard packet.track == .video || isDue else { return false }
    woken = packet.decodeTime
    return true
  }

  // MARK: Viewers

  mutating func join(_ maxViewers: Int) throws(TooManyViewers) -> (number: Int, mimeType: String)? {
    guard let run else { return nil }
    guard viewers.count < maxViewers else { throw TooManyViewers() }
    lastViewer += 1
    viewers[lastViewer] = Viewing(run: run.number)
    return (lastViewer, run.mimeType)
  }

  mutating func leave(_ viewer: Int) { viewers[viewer] = nil }

  mutating func next(of viewer: Int) -> Piece {
    guard var viewing = viewers[viewer], !viewing.isOver else { return .over }
    defer { viewers[viewer] = viewing }
    guard let run, run.number == viewing.run else {
      viewing.isOver = true
      return count(
        Self.word(
          "over", run == nil ? Self.ended : Self.changed, id: 0, at: viewing.cursor.last?.time ?? .zero))
    }
    guard viewing.hasHead else {
      viewing.hasHead = true
      return count(run.head.bytes)
    }
    switch run.window.step(&viewing.cursor) {
    case .entry(let entry):
      guard case .fragment(let bytes) = entry.content else {
        return .packet(entry, run.head, run: run.number)
      }
      return count(bytes)
    case .skipped(let skip):
      counted.skips += 1
      counted.skippedPictures += skip.pictures
      return count(skip.message(id: UInt32(truncatingIfNeeded: counted.skips)).bytes)
    case .nothing: return .nothing
    }
  }

  /// Counts a fragment that a viewer gets, and keeps it for others.
  mutating func add(_ fragment: [UInt8], of packet: Int, run number: Int) {
    counted.sentBytes += Int64(fragment.count)
    if run?.number == number { run?.window.keep(fragment, of: packet) }
  }

  private mutating func count(_ bytes: [UInt8]) -> Piece {
    counted.sentBytes += Int64(bytes.count)
    return .bytes(bytes)
  }

  // MARK: Words

  private static let ended: JSONValue = ["code": "ended", "message": "the broadcast has ended"]
  private static let changed: JSONValue = [
    "code": "changed", "message": "the tracks have changed: connect again",
  ]

  /// A message between fragments.
  static func word(_ value: String, _ data: JSONValue, id: UInt32, at time: MediaTime) -> [UInt8] {
    EventMessage(scheme: scheme, value: value, id: id, time: time, data: data.description).bytes
  }
}

extension LiveWindow.Skip {
  fileprivate func message(id: UInt32) -> EventMessage {
    let data: JSONValue = [
      "pictures": .integer(Int64(pictures)), "ms": .integer(length.ticks(timescale: 1000)),
    ]
    return EventMessage(
      scheme: LiveState.scheme, value: "skipped", id: id, time: from, duration: length,
      data: data.description)
  }
}
