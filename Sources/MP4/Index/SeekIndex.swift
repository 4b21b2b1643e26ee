/// A seek index: stretches of complete fragments, each of which begins with a keyframe, with sizes and
/// durations.
///
/// When its space in the file is full, neighbouring stretches are merged and later ones get twice as many
/// keyframes, so memory is constant.
struct SeekIndex: Hashable, Sendable {
  struct Stretch: Hashable, Sendable {
    var bytes: UInt32
    /// In ticks of the track.
    var duration: UInt32
  }

  /// A byte offset and its time.
  struct Place: Hashable, Sendable {
    var offset: Int
    var time: Int64
  }

  private(set) var capacity: Int
  private(set) var start: Place?
  private(set) var stretches: [Stretch] = []
  private(set) var keyframesPerStretch = 1

  private var openStretch: OpenStretch?

  private struct OpenStretch: Hashable, Sendable {
    var start: Place
    var end: Place
    var keyframes: Int
  }

  /// Longer stretches are split even without a keyframe; a size has 31 bits.
  private static let maxBytes = 1 << 30

  init(capacity: Int) {
    self.capacity = capacity
  }

  init(capacity: Int, start: Place, stretches: [Stretch], keyframesPerStretch: Int) {
    self.capacity = capacity
    self.start = start
    self.stretches = stretches
    self.keyframesPerStretch = keyframesPerStretch
  }

  /// End of the last finished stretch.
  var end: Place? {
    start.map { start in
      stretches.reduce(into: start) { end, stretch in
        end.offset += Int(stretch.bytes)
        end.time += Int64(stretch.duration)
      }
    }
  }

  func cut(to count: Int, capacity: Int) -> SeekIndex {
    guard let start, count > 0 else { return SeekIndex(capacity: capacity) }
    return SeekIndex(
      capacity: capacity, start: start, stretches: Array(stretches.prefix(count)),
      keyframesPerStretch: keyframesPerStretch)
  }

  enum Change: Hashable, Sendable {
    case nothing
    case added
    case all
  }

  /// Adds a fragment that extends from `start` to `end`.
  mutating func add(from start: Place, to end: Place, isKeyframe: Bool) -> Change {
    self.start = self.start ?? start
    if openStretch == nil { reopenLast() }
    guard var current = openStretch else {
      openStretch = OpenStretch(start: start, end: end, keyframes: isKeyframe ? 1 : 0)
      return .nothing
    }
    let isOver =
      isKeyframe && current.keyframes >= keyframesPerStretch
      || end.offset - current.start.offset > Self.maxBytes
    guard isOver else {
      current.end = end
      current.keyframes += isKeyframe ? 1 : 0
      openStretch = current
      return .nothing
    }
    current.end = start
    openStretch = OpenStretch(start: start, end: end, keyframes: isKeyframe ? 1 : 0)
    return append(current)
  }

  /// Reopens the last stretch, as other boxes may be between its end and the next fragment.
  private mutating func reopenLast() {
    guard let end, stretches.popLast() != nil, let start = self.end else { return }
    openStretch = OpenStretch(start: start, end: end, keyframes: keyframesPerStretch)
  }

  mutating func finish() -> Change {
    openStretch.take().map { append($0) } ?? .nothing
  }

  private mutating func append(_ open: OpenStretch) -> Change {
    guard capacity > 0 else { return .nothing }
    let isFull = stretches.count >= capacity
    if isFull { join() }
    guard let stretch = Stretch(from: open.start, to: open.end), stretches.count < capacity else {
      // A stretch that cannot be represented: no index is better than a wrong one.
      self = SeekIndex(capacity: 0)
      return .all
    }
    stretches.append(stretch)
    return isFull ? .all : .added
  }

  /// Merges neighbouring stretches in pairs.
  private mutating func join() {
    keyframesPerStretch *= 2
    let pairs = stride(from: 0, to: stretches.count, by: 2)
    stretches = pairs.flatMap { index in
      let pair = stretches[index..<min(index + 2, stretches.count)]
      return pair.first.flatMap { $0.joined(to: pair.dropFirst().first) }.map { [$0] } ?? Array(pair)
    }
  }
}

extension SeekIndex.Stretch {
  private static let maxBytes = Int(Int32.max)

  /// Nil if size or duration is out of range.
  fileprivate init?(from start: SeekIndex.Place, to end: SeekIndex.Place) {
    guard let duration = UInt32(exactly: end.time - start.time),
      (1...Self.maxBytes).contains(end.offset - start.offset)
    else { return nil }
    self.init(bytes: UInt32(end.offset - start.offset), duration: duration)
  }

  fileprivate func joined(to next: SeekIndex.Stretch?) -> SeekIndex.Stretch? {
    guard let next else { return self }
    let (length, isTooLong) = duration.addingReportingOverflow(next.duration)
    guard !isTooLong, Int(bytes) + Int(next.bytes) <= Self.maxBytes else { return nil }
    return SeekIndex.Stretch(bytes: bytes + next.bytes, duration: length)
  }
}
