import HoldfastLive
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// The packets of the current broadcast, and who watches them.
struct LiveState: Sendable {
  typealias Start = Promise<Result<String, LiveRefusal>>

  private struct Viewing: Sendable {
    let broadcast: Int
    let rendition: RenditionID
    /// Nil until the rendition is encoded.
    var run: Int?
    /// Fulfilled then, with the type.
    var start: Start?
    var hasHead = false
    /// Why the stream has to end.
    var end: JSONValue?
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
  private var renditions = LiveRenditions()
  /// None while there is no broadcast.
  private var channels: [RenditionID: LiveChannel] = [:]
  private var encodes = 0
  private var runs = 0
  private var viewers: [Int: Viewing] = [:]
  private var lastViewer = 0
  private var counted: [RenditionID: LiveFigures] = [:]

  /// Of each rendition that was ever watched, or may be.
  var figures: [RenditionID: LiveFigures] {
    var figures = counted
    for id in channels.keys where figures[id] == nil { figures[id] = LiveFigures() }
    for viewing in viewers.values {
      var own = figures[viewing.rendition] ?? LiveFigures()
      own.viewers += 1
      own.lag = max(own.lag, run(of: viewing)?.window.lag(of: viewing.cursor) ?? .zero)
      figures[viewing.rendition] = own
    }
    return figures
  }

  var choices: [LiveChoice] { channels.isEmpty ? [] : renditions.choices }

  /// Nil once it is another one or over.
  private func run(of viewing: Viewing) -> LiveRun? {
    guard let run = channels[viewing.rendition]?.run, run.number == viewing.run else { return nil }
    return run
  }

  // MARK: The broadcast

  mutating func begin(_ tracks: Set<TrackKind>, _ renditions: LiveRenditions) -> Int {
    broadcast += 1
    (expected, self.renditions) = (tracks, renditions)
    channels = Dictionary(uniqueKeysWithValues: renditions.ids.map { ($0, LiveChannel()) })
    return broadcast
  }

  mutating func end(_ broadcast: Int) {
    guard self.broadcast == broadcast else { return }
    channels = [:]
    refuseAwaiting { _ in true }
  }

  /// The pictures of `rendition` come from another encode from now on.
  mutating func beginEncode(of rendition: RenditionID, in broadcast: Int) -> LiveEncode {
    encodes += 1
    let encode = LiveEncode(rendition: rendition, number: encodes)
    if self.broadcast == broadcast { channels[rendition]?.begin(encode) }
    return encode
  }

  mutating func end(_ encode: LiveEncode) {
    if channels[encode.rendition]?.encode == encode { channels[encode.rendition]?.end() }
  }

  /// Sound, and copied pictures, belong to all renditions.
  private func renditions(of encode: LiveEncode?, in broadcast: Int) -> [RenditionID] {
    guard self.broadcast == broadcast else { return [] }
    guard let encode else { return Array(channels.keys) }
    return channels[encode.rendition]?.encode == encode ? [encode.rendition] : []
  }

  /// Returns all tracks of the renditions where they are complete and have changed.
  mutating func announce(
    _ track: Track, of encode: LiveEncode?, in broadcast: Int
  ) -> [(RenditionID, [Track])] {
    renditions(of: encode, in: broadcast).compactMap { id in
      channels[id]?.announce(track, expected: expected).map { (id, $0) }
    }
  }

  mutating func begin(_ tracks: [Track], head: FileHead, of rendition: RenditionID, in broadcast: Int) {
    guard self.broadcast == broadcast else { return }
    runs += 1
    let run = LiveRun(number: runs, head: head, tracks: tracks)
    guard channels[rendition]?.begin(run, of: tracks) == true else { return }
    for (viewer, viewing) in viewers where viewing.rendition == rendition {
      guard let start = viewing.start else { continue }
      viewers[viewer]?.run = run.number
      viewers[viewer]?.start = nil
      start.fulfil(.success(run.mimeType))
    }
  }

  /// Returns whether viewers have something to take.
  mutating func add(_ packet: MediaPacket, of encode: LiveEncode?, in broadcast: Int) -> Bool {
    var wakes = false
    for id in renditions(of: encode, in: broadcast) {
      guard channels[id]?.add(packet) == true, viewers.values.contains(where: { $0.rendition == id }) else {
        continue
      }
      channels[id]?.wake(at: packet.decodeTime)
      wakes = true
    }
    return wakes
  }

  /// The renditions of a broadcast that somebody watches or waits for.
  func watched(in broadcast: Int) -> Set<RenditionID> {
    guard self.broadcast == broadcast else { return [] }
    let watching = viewers.values.filter { $0.start != nil || $0.end == nil && run(of: $0) != nil }
    return Set(watching.map(\.rendition))
  }

  /// A rendition is not encoded for viewers, or not any more.
  mutating func refuse(_ rendition: RenditionID, why: String, in broadcast: Int) {
    guard self.broadcast == broadcast else { return }
    refuseAwaiting(.noRoom(why)) { $0.rendition == rendition }
    for (viewer, viewing) in viewers where viewing.rendition == rendition && run(of: viewing) != nil {
      viewers[viewer]?.end = ["code": "noRoom", "message": .text(why)]
    }
  }

  private mutating func refuseAwaiting(
    _ refusal: LiveRefusal = .notLive, where isRefused: (Viewing) -> Bool
  ) {
    for (viewer, viewing) in viewers where isRefused(viewing) {
      guard let start = viewing.start else { continue }
      viewers[viewer]?.start = nil
      viewers[viewer]?.isOver = true
      start.fulfil(.failure(refusal))
    }
  }

  // MARK: Viewers

  func isEncoded(_ name: String?) -> Bool { renditions.id(name).flatMap { channels[$0]?.run } != nil }

  /// The start is fulfilled already if the rendition is encoded.
  mutating func join(_ name: String?, _ maxViewers: Int) throws(LiveRefusal) -> (viewer: Int, Start) {
    guard let id = renditions.id(name), let channel = channels[id] else { throw .notLive }
    let isAwaited = viewers.values.contains { $0.rendition == id && $0.start != nil }
    // What is encoded for others is only about to begin.
    guard channel.run != nil || renditions.encodes[id] != nil && (channel.encode == nil || isAwaited) else {
      throw .notLive
    }
    guard viewers.count < maxViewers else { throw .tooManyViewers }
    lastViewer += 1
    var viewing = Viewing(broadcast: broadcast, rendition: id)
    let start = Start()
    if let run = channel.run {
      viewing.run = run.number
      start.fulfil(.success(run.mimeType))
    } else {
      viewing.start = start
    }
    viewers[lastViewer] = viewing
    return (lastViewer, start)
  }

  mutating func leave(_ viewer: Int) { viewers[viewer] = nil }

  mutating func next(of viewer: Int) -> Piece {
    guard var viewing = viewers[viewer], !viewing.isOver else { return .over }
    defer { viewers[viewer] = viewing }
    guard viewing.end == nil, let run = run(of: viewing) else {
      viewing.isOver = true
      let isOver = viewing.broadcast != broadcast || channels.isEmpty
      let end = viewing.end ?? (isOver ? Self.ended : Self.changed)
      return count(LiveMessage.over(end, at: viewing.cursor.last?.time ?? .zero), of: viewing.rendition)
    }
    guard viewing.hasHead else {
      viewing.hasHead = true
      return count(run.head.bytes, of: viewing.rendition)
    }
    switch run.window.step(&viewing.cursor) {
    case .entry(let entry):
      guard case .fragment(let bytes) = entry.content else {
        return .packet(entry, run.head, run: run.number)
      }
      return count(bytes, of: viewing.rendition)
    case .skipped(let skip):
      counted[viewing.rendition, default: LiveFigures()].skips += 1
      counted[viewing.rendition]?.skippedPictures += skip.pictures
      let skips = counted.values.reduce(0) { $0 + $1.skips }
      return count(LiveMessage.skipped(skip, id: UInt32(truncatingIfNeeded: skips)), of: viewing.rendition)
    case .nothing: return .nothing
    }
  }

  /// Counts a fragment that a viewer gets, and keeps it for others.
  mutating func add(_ fragment: [UInt8], of packet: Int, run number: Int, for viewer: Int) {
    guard let rendition = viewers[viewer]?.rendition else { return }
    _ = count(fragment, of: rendition)
    channels[rendition]?.keep(fragment, of: packet, run: number)
  }

  private mutating func count(_ bytes: [UInt8], of rendition: RenditionID) -> Piece {
    counted[rendition, default: LiveFigures()].sentBytes += Int64(bytes.count)
    return .bytes(bytes)
  }

  // MARK: Words

  private static let ended: JSONValue = ["code": "ended", "message": "the broadcast has ended"]
  private static let changed: JSONValue = [
    "code": "changed", "message": "the tracks have changed: connect again",
  ]
}
