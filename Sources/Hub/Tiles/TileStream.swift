import HoldfastHTTP
import HoldfastLive
import HoldfastMediaModel
import HoldfastSession

/// All tiles that one page wants, in one response. It ends with the viewer's right to see the session.
struct TileStream: ResponseStream {
  fileprivate struct Part {
    let hold: MemberTiles.Hold
    let kind: TrackKind
    var viewer = LiveTrack.Viewer()
  }

  private var parts: [Part]
  /// Whose turn it is.
  private var turn = 0
  private let reader: FeedReader
  private let caller: Session.Caller
  private var nextPadding: MonotonicTime
  private var nextLook: MonotonicTime

  private static let paddingInterval = MediaTime.seconds(2)
  private static let lookInterval = MediaTime.milliseconds(500)

  init(
    pictures: [MemberTiles.Hold], sounds: [MemberTiles.Hold], _ reader: FeedReader,
    for caller: Session.Caller, at now: MonotonicTime
  ) {
    parts =
      pictures.map { Part(hold: $0, kind: .video) } + sounds.map { Part(hold: $0, kind: .audio) }
    self.reader = reader
    self.caller = caller
    nextPadding = now
    nextLook = now
  }

  mutating func next(at now: MonotonicTime) -> StreamStep {
    if now >= nextLook {
      nextLook = now + Self.lookInterval
      guard reader.feeds.goodBye == nil, reader.feed.admits(caller) else { return .over }
    }
    for offset in parts.indices {
      let index = (turn + offset) % parts.count
      guard let frame = parts[index].next() else { continue }
      turn = index + 1
      return sent(frame, at: now)
    }
    return now >= nextPadding
      ? sent(TileFrame(content: .padding), at: now) : .nothing(until: min(nextPadding, nextLook))
  }

  private mutating func sent(_ frame: TileFrame, at now: MonotonicTime) -> StreamStep {
    nextPadding = now + Self.paddingInterval
    return .bytes(frame.bytes)
  }
}

extension TileStream.Part {
  fileprivate mutating func next() -> TileFrame? {
    let content: TileFrame.Content
    switch hold.tile[kind].next(for: &viewer) {
    case .head(let type, let bytes): content = .head(type: type, bytes: bytes)
    case .fragment(let bytes): content = .media(bytes)
    case .missing(let why): content = .lost(why: why)
    case .nothing: return nil
    }
    return TileFrame(
      member: hold.source.member, track: kind, rendition: hold.source.rendition, content: content)
  }
}
