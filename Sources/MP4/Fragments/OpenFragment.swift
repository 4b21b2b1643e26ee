internal import HoldfastMediaModel

/// The fragment that is being written: what its samples are, and the boxes in front of them that say so.
///
/// These boxes keep their length while it grows: a `free` box in the `moof` holds the room that is left. So each sample
/// follows the one before it in the file, and then one short write names it.
package struct OpenFragment: Hashable, Sendable {
  /// A fragment ends where a keyframe comes; one that begins with a keyframe, when it is as long as this.
  static let shortest = MediaTime.milliseconds(500)
  /// As long as this, it ends with any picture. So it does when its head, which is in one page, has no room.
  private static let longest = MediaTime.seconds(4)
  /// So many bytes, and it ends at once: places in it are told with 31 bits.
  private static let maxBytes = 1 << 28
  private static let page = 4096

  /// Where it begins in the file.
  package let offset: Int
  let sequenceNumber: UInt32
  /// Of the `moof` and the head of the `mdat` behind it.
  let headLength: Int
  /// A `free` box at the front of the `moof`: what changes as the fragment grows lies behind it, in one page of memory.
  let lead: Int
  private let tracks: [RecordedTrack]
  private var parts: [FragmentPart]
  /// What the `mdat` holds.
  private var mediaLength = 0

  /// With room for no sample at all.
  private static let emptyHeadLength = Box.headLength + 16 + Box.headLength + Box.headLength
  /// The most room that the head of a fragment can have.
  package static let longestHead = headLength(used: page)

  /// `room` is how long its head gets, `tracks` are in the order of the file's head.
  package init(at offset: Int, sequenceNumber: UInt32, room: Int, tracks: [RecordedTrack]) {
    self.offset = offset
    self.sequenceNumber = sequenceNumber
    lead = Self.lead(at: offset, room: room)
    headLength = lead + room
    self.tracks = tracks
    parts = tracks.map { FragmentPart(track: $0.id, areAllKeyframes: $0.kind == .audio) }
  }

  /// How much room the head of a fragment at `offset` has at its front, so that what changes of it lies in one page. Between
  /// fragments there is none: FFmpeg, when it comes by a second time, knows fragments by where the one before ends.
  private static func lead(at offset: Int, room: Int) -> Int {
    let start = (offset + Box.headLength) % page
    guard start + room - Box.headLength > page else { return 0 }
    let lead = page - start
    return lead < Box.headLength ? lead + Box.headLength : lead
  }

  /// With some room to spare, and never more than a page holds.
  private static func headLength(used: Int) -> Int {
    min(used + used / 16 + 32, page - 2 * Box.headLength)
  }

  /// How much room the head of the next fragment needs; `isFull`: there is no more in this one.
  package func nextRoom(isFull: Bool) -> Int {
    let room = headLength - lead
    if isFull { return Self.headLength(used: 2 * room) }
    // One that is shorter than usual tells nothing of it.
    guard let start = start(of: 0), let end = end(of: 0),
      MediaTime(ticks: end - start.time, timescale: tracks[0].timescale) >= Self.shortest
    else { return room }
    return Self.headLength(used: usedHeadLength)
  }

  /// `next`, a sample of the part `index`, has to begin another one.
  package func isDueToEnd(before next: FragmentSample, of index: Int) -> Bool {
    if mediaLength + next.size > Self.maxBytes { return true }
    // Nothing but the leader begins a fragment, unless it doesn't come.
    let start = start(of: 0)?.time ?? start(of: index)?.time ?? next.decodeTime
    guard index == 0 || self.start(of: 0) == nil else { return false }
    let length = MediaTime(ticks: next.decodeTime - start, timescale: tracks[index].timescale)
    if length >= Self.longest { return true }
    guard index == 0, next.isKeyframe else { return false }
    // Sound that came first stays with the picture that it came for.
    guard let first = self.start(of: 0) else { return false }
    return !first.isKeyframe || length >= Self.shortest
  }

  /// Where its last sample ends in the file.
  package var end: Int { offset + headLength + mediaLength }

  /// What the head's boxes take without the room that is left.
  private var usedHeadLength: Int { parts.reduce(Self.emptyHeadLength) { $0 + $1.length } }

  /// When the first sample of the part `index` is decoded, and whether a player can begin with it.
  package func start(of index: Int) -> FragmentPart.Start? { parts[index].start }

  /// When the last sample of the part `index` ends.
  package func end(of index: Int) -> Int64? { parts[index].end }

  /// Puts `sample` behind all others, in the part `index`. False, and nothing has changed, where there is no room to
  /// describe it.
  package mutating func add(_ sample: FragmentSample, to index: Int) -> Bool {
    let before = parts[index]
    parts[index].add(sample, at: mediaLength, continuesRun: isLast(index))
    guard lead + usedHeadLength <= headLength else {
      parts[index] = before
      return false
    }
    mediaLength += sample.size
    return true
  }

  /// The last sample of the part `index` lasts until `time`. False where it did already, or can't be described.
  package mutating func extend(_ index: Int, to time: Int64) -> Bool {
    let before = parts[index]
    guard parts[index].extend(to: time) else { return false }
    guard lead + usedHeadLength <= headLength else {
      parts[index] = before
      return false
    }
    return true
  }

  /// The sample that came last belongs to it.
  private func isLast(_ index: Int) -> Bool {
    parts[index].mediaEnd == mediaLength && mediaLength > 0
  }

  /// The `moof`, and the head of the `mdat`.
  package func head() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headLength)
    bytes.addHead(of: "moof", length: headLength - Box.headLength)
    if lead > 0 {
      bytes.addHead(of: "free", length: lead)
      bytes.append(contentsOf: repeatElement(0, count: lead - Box.headLength))
    }
    bytes.addHead(of: "mfhd", length: 16)
    bytes.add(UInt32(0))
    bytes.add(sequenceNumber)
    for part in parts { part.write(to: &bytes, mediaOffset: headLength) }
    let room = headLength - Box.headLength - bytes.count
    bytes.addHead(of: "free", length: room)
    bytes.append(contentsOf: repeatElement(0, count: room - Box.headLength))
    bytes.addHead(of: "mdat", length: Box.headLength + mediaLength)
    return bytes
  }
}

/// One picture or one packet of sound, in its track's ticks.
package struct FragmentSample: Hashable, Sendable {
  package var size: Int
  package var decodeTime: Int64
  /// How much later than it is decoded it is shown.
  package var delay: Int32
  package var duration: UInt32
  package var isKeyframe: Bool

  package init(size: Int, decodeTime: Int64, delay: Int32, duration: UInt32, isKeyframe: Bool) {
    self.size = size
    self.decodeTime = decodeTime
    self.delay = delay
    self.duration = duration
    self.isKeyframe = isKeyframe
  }
}
