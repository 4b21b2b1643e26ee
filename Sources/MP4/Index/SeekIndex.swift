/// How a player finds its way in a recording: where its stretches of whole fragments lie, each of which begins with a
/// keyframe, and how long they last.
///
/// It never holds more stretches than its room in the file: when that is full, neighbours are joined, and from then on twice
/// as many keyframes make a stretch. So a recording of any length costs the same memory, and nothing has to be read again
/// at its end.
struct SeekIndex: Hashable, Sendable {
  struct Stretch: Hashable, Sendable {
    var bytes: UInt32
    /// In the track's ticks.
    var duration: UInt32
  }

  /// Where something lies in the file, and when.
  struct Place: Hashable, Sendable {
    var offset: Int
    var time: Int64
  }

  /// The most stretches that it has room for.
  private(set) var capacity: Int
  /// Where the first one begins.
  private(set) var start: Place?
  private(set) var stretches: [Stretch] = []
  /// How many keyframes make one.
  private(set) var keyframesPerStretch = 1

  /// The one that is not over.
  private var openStretch: OpenStretch?

  private struct OpenStretch: Hashable, Sendable {
    var start: Place
    var end: Place
    var keyframes: Int
  }

  /// Longer ones are divided, whether there is a keyframe or not: a length has 31 bits.
  private static let maxBytes = 1 << 30

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// What is known of a file's beginning.
  init(capacity: Int, start: Place, stretches: [Stretch], keyframesPerStretch: Int) {
    self.capacity = capacity
    self.start = start
    self.stretches = stretches
    self.keyframesPerStretch = keyframesPerStretch
  }

  /// Where the last of its whole stretches ends.
  var end: Place? {
    start.map { start in
      stretches.reduce(into: start) { end, stretch in
        end.offset += Int(stretch.bytes)
        end.time += Int64(stretch.duration)
      }
    }
  }

  /// Its first `count` stretches.
  func cut(to count: Int, capacity: Int) -> SeekIndex {
    guard let start, count > 0 else { return SeekIndex(capacity: capacity) }
    return SeekIndex(
      capacity: capacity, start: start, stretches: Array(stretches.prefix(count)),
      keyframesPerStretch: keyframesPerStretch)
  }

  /// What has changed of what stands in the file.
  enum Change: Hashable, Sendable {
    case nothing
    /// The last stretch is new.
    case added
    case all
  }

  /// A fragment goes from `start` to `end`, and begins with a keyframe or doesn't.
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

  /// What had come to its end goes on: there may be something between it and what comes.
  private mutating func reopenLast() {
    guard let end, stretches.popLast() != nil, let start = self.end else { return }
    openStretch = OpenStretch(start: start, end: end, keyframes: keyframesPerStretch)
  }

  /// Nothing more comes.
  mutating func finish() -> Change {
    openStretch.take().map { append($0) } ?? .nothing
  }

  private mutating func append(_ open: OpenStretch) -> Change {
    guard capacity > 0 else { return .nothing }
    let isFull = stretches.count >= capacity
    if isFull { join() }
    guard let stretch = Stretch(from: open.start, to: open.end), stretches.count < capacity else {
      // A stretch that no number can tell: better no index than a wrong one.
      self = SeekIndex(capacity: 0)
      return .all
    }
    stretches.append(stretch)
    return isFull ? .all : .added
  }

  /// Makes one of each two neighbours.
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
  /// As many bytes as 31 bits can tell.
  private static let maxBytes = Int(Int32.max)

  /// Nil where it can't be told.
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
