package import HoldfastMP4
package import HoldfastMediaModel

/// A viewer's place among the packets.
package struct LiveCursor: Sendable {
  /// The number of the next packet; nil until there is a keyframe.
  package internal(set) var next: Int?
  /// What it got last: the number of pictures up to there, and its decode time.
  package internal(set) var last: (pictures: Int, time: MediaTime)?

  package init(next: Int? = nil, last: (pictures: Int, time: MediaTime)? = nil) {
    (self.next, self.last) = (next, last)
  }
}

/// The newest packets of all tracks, in the order in which they came, with the newest keyframe.
package struct LiveWindow: Sendable {
  package struct Entry: Sendable {
    package enum Content: Sendable {
      case packet(MediaPacket)
      /// Made for the first viewer.
      case fragment([UInt8])
    }

    package let number: Int
    /// The decode time.
    package let time: MediaTime
    /// Its track in the head, and the packet in ticks of that.
    package let track: Int
    package let sample: FragmentSample
    /// Pictures up to this one.
    package let pictures: Int
    package fileprivate(set) var content: Content
  }

  /// What a slow viewer did not get.
  package struct Skip: Hashable, Sendable {
    package let pictures: Int
    /// In media time.
    package let from: MediaTime
    package let length: MediaTime
  }

  package enum Step {
    case entry(Entry)
    /// Packets up to a keyframe are left out; the next step gives that keyframe.
    case skipped(Skip)
    case nothing
  }

  /// A viewer that is further behind than this goes on with the newest keyframe.
  static let maxLag = MediaTime.seconds(1)
  /// Packets up to this age are kept, so that a new keyframe does not make all viewers skip.
  static let history = MediaTime.milliseconds(1500)
  static let maxLength = MediaTime.seconds(30)
  static let maxBytes = 32 << 20
  /// Sound without pictures has a group as long as this.
  static let soundGroup = MediaTime.seconds(1)

  private var entries: [Entry] = []
  private var next = 0
  private var pictures = 0
  private var bytes = 0
  /// Numbers of the packets with which a group starts.
  private var starts: [Int] = []

  package var end: MediaTime? { entries.last?.time }

  private subscript(number: Int) -> Entry? {
    guard let first = entries.first?.number, number >= first, number - first < entries.count else {
      return nil
    }
    return entries[number - first]
  }

  private func startsGroup(_ packet: MediaPacket, of track: Int) -> Bool {
    guard track == 0, packet.isKeyframe else { return false }
    guard packet.track == .audio, let last = starts.last.flatMap({ self[$0] }) else { return true }
    return packet.decodeTime - last.time >= Self.soundGroup
  }

  package mutating func add(_ packet: MediaPacket, as sample: FragmentSample, of track: Int) {
    let startsGroup = startsGroup(packet, of: track)
    if packet.track == .video { pictures += 1 }
    entries.append(
      Entry(
        number: next, time: packet.decodeTime, track: track, sample: sample, pictures: pictures,
        content: .packet(packet)))
    if startsGroup {
      starts.append(next)
      forgetGroups(before: packet.decodeTime - Self.history)
    }
    bytes += sample.size
    next += 1
    while let first = entries.first,
      bytes > Self.maxBytes || packet.decodeTime - first.time > Self.maxLength
    {
      forget(before: first.number + 1)
    }
  }

  /// Replaces a packet, which is not needed any more.
  package mutating func keep(_ fragment: [UInt8], of number: Int) {
    guard let first = entries.first?.number, self[number] != nil else { return }
    entries[number - first].content = .fragment(fragment)
  }

  /// Keeps the group that lasts until `time`, and those after it.
  private mutating func forgetGroups(before time: MediaTime) {
    let old = starts.last { number in self[number].map { $0.time <= time } ?? false }
    if let old { forget(before: old) }
  }

  private mutating func forget(before number: Int) {
    guard let first = entries.first?.number, number > first else { return }
    let count = min(number - first, entries.count)
    for entry in entries.prefix(count) { bytes -= entry.sample.size }
    entries.removeFirst(count)
    starts.removeAll { $0 < number }
  }

  /// How far a viewer is behind the newest packet.
  package func lag(of cursor: LiveCursor) -> MediaTime {
    guard let end, let number = cursor.next, number < next else { return .zero }
    return end - (self[number]?.time ?? cursor.last?.time ?? end)
  }

  /// What a viewer gets next.
  package func step(_ cursor: inout LiveCursor) -> Step {
    if let number = cursor.next, number == next { return .nothing }
    if let number = cursor.next, let entry = self[number], !isTooFarBehind(entry) {
      cursor.next = number + 1
      cursor.last = (entry.pictures, entry.time)
      return .entry(entry)
    }
    guard let start = starts.last.flatMap({ self[$0] }) else {
      cursor.next = nil
      return .nothing
    }
    cursor.next = start.number
    guard let last = cursor.last else { return step(&cursor) }
    return .skipped(
      Skip(
        pictures: start.pictures - 1 - last.pictures, from: last.time,
        length: max(.zero, start.time - last.time)))
  }

  private func isTooFarBehind(_ entry: Entry) -> Bool {
    guard let newest = starts.last, newest > entry.number, let end else { return false }
    return end - entry.time > Self.maxLag
  }
}
