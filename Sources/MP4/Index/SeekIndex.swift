/// A seek index: segments of complete fragments, each of which begins with a keyframe, with sizes and
/// durations.
///
/// When its space in the file is full, neighbouring segments are merged and later ones get twice as many
/// keyframes, so memory is constant.
struct SeekIndex: Hashable, Sendable {
  struct Segment: Hashable, Sendable {
    var bytes: UInt32
    /// In ticks of the track.
    var duration: UInt32
  }

  /// A byte offset and its time.
  struct Position: Hashable, Sendable {
    var offset: Int
    var time: Int64
  }

  private(set) var capacity: Int
  private(set) var start: Position?
  private(set) var segments: [Segment]
  private(set) var keyframesPerSegment: Int

  private var openSegment: OpenSegment?

  private struct OpenSegment: Hashable, Sendable {
    var start: Position
    var end: Position
    var keyframes: Int
  }

  /// Longer segments are split even without a keyframe; a size has 31 bits.
  private static let maxBytes = 1 << 30

  init(capacity: Int, start: Position? = nil, segments: [Segment] = [], keyframesPerSegment: Int = 1) {
    self.capacity = capacity
    self.start = start
    self.segments = segments
    self.keyframesPerSegment = keyframesPerSegment
  }

  /// End of the last finished segment.
  var end: Position? {
    start.map { start in
      segments.reduce(into: start) { end, segment in
        end.offset += Int(segment.bytes)
        end.time += Int64(segment.duration)
      }
    }
  }

  func cut(to count: Int, capacity: Int) -> SeekIndex {
    guard let start, count > 0 else { return SeekIndex(capacity: capacity) }
    return SeekIndex(
      capacity: capacity, start: start, segments: Array(segments.prefix(count)),
      keyframesPerSegment: keyframesPerSegment)
  }

  enum Change: Hashable, Sendable {
    case nothing
    case added
    case all
  }

  /// Adds a fragment that extends from `start` to `end`.
  mutating func add(from start: Position, to end: Position, isKeyframe: Bool) -> Change {
    self.start = self.start ?? start
    if openSegment == nil { reopenLast() }
    guard var current = openSegment else {
      openSegment = OpenSegment(start: start, end: end, keyframes: isKeyframe ? 1 : 0)
      return .nothing
    }
    let isOver =
      isKeyframe && current.keyframes >= keyframesPerSegment
      || end.offset - current.start.offset > Self.maxBytes
    guard isOver else {
      current.end = end
      current.keyframes += isKeyframe ? 1 : 0
      openSegment = current
      return .nothing
    }
    current.end = start
    openSegment = OpenSegment(start: start, end: end, keyframes: isKeyframe ? 1 : 0)
    return append(current)
  }

  /// Reopens the last segment, as other boxes may be between its end and the next fragment.
  private mutating func reopenLast() {
    guard let end, segments.popLast() != nil, let start = self.end else { return }
    openSegment = OpenSegment(start: start, end: end, keyframes: keyframesPerSegment)
  }

  mutating func finish() -> Change { openSegment.take().map { append($0) } ?? .nothing }

  private mutating func append(_ open: OpenSegment) -> Change {
    guard capacity > 0 else { return .nothing }
    let isFull = segments.count >= capacity
    if isFull { join() }
    guard let segment = Segment(from: open.start, to: open.end), segments.count < capacity else {
      // A segment that cannot be represented: no index is better than a wrong one.
      self = SeekIndex(capacity: 0)
      return .all
    }
    segments.append(segment)
    return isFull ? .all : .added
  }

  /// Merges neighbouring segments in pairs.
  private mutating func join() {
    keyframesPerSegment *= 2
    let pairs = stride(from: 0, to: segments.count, by: 2)
    segments = pairs.flatMap { index in
      let pair = segments[index..<min(index + 2, segments.count)]
      return pair.first.flatMap { $0.joined(to: pair.dropFirst().first) }.map { [$0] } ?? Array(pair)
    }
  }
}

extension SeekIndex.Segment {
  private static let maxBytes = Int(Int32.max)

  /// Nil if size or duration is out of range.
  fileprivate init?(from start: SeekIndex.Position, to end: SeekIndex.Position) {
    guard let duration = UInt32(exactly: end.time - start.time),
      (1...Self.maxBytes).contains(end.offset - start.offset)
    else { return nil }
    self.init(bytes: UInt32(end.offset - start.offset), duration: duration)
  }

  fileprivate func joined(to next: SeekIndex.Segment?) -> SeekIndex.Segment? {
    guard let next else { return self }
    let (length, isTooLong) = duration.addingReportingOverflow(next.duration)
    guard !isTooLong, Int(bytes) + Int(next.bytes) <= Self.maxBytes else { return nil }
    return SeekIndex.Segment(bytes: bytes + next.bytes, duration: length)
  }
}
