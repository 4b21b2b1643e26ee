import HoldfastMediaModel

/// The fragment that is being written.
///
/// Its head keeps its length while samples are added: a `free` box in the `moof` reserves the space. Each
/// sample is appended to the file; then one short write of the head makes it playable.
package struct OpenFragment: Hashable, Sendable {
  /// A keyframe ends a fragment that is this long or did not begin with one.
  static let shortest = MediaTime.milliseconds(500)
  /// At this length any picture ends the fragment, as a full head does.
  private static let longest = MediaTime.seconds(4)
  /// Maximum size; offsets in a fragment have 31 bits.
  static let maxBytes = 1 << 28
  private static let page = 4096

  package let offset: Int
  let sequenceNumber: UInt32
  /// Length of the `moof` and of the `mdat` header.
  let headLength: Int
  /// Length of a `free` box in front of the changing part of the `moof`, which it moves into one page.
  let lead: Int
  private let tracks: [RecordedTrack]
  private var parts: [FragmentPart]
  private var mediaLength = 0

  private static let emptyHeadLength = Box.headLength + 16 + Box.headLength + Box.headLength
  package static let longestHead = headLength(used: page)

  /// `room` is the space for the head; `tracks` are in the order of the file's head.
  package init(at offset: Int, sequenceNumber: UInt32, room: Int, tracks: [RecordedTrack]) {
    self.offset = offset
    self.sequenceNumber = sequenceNumber
    lead = Self.lead(at: offset, room: room)
    headLength = lead + room
    self.tracks = tracks
    parts = tracks.map { FragmentPart(track: $0.id, areAllKeyframes: $0.kind == .audio) }
  }

  /// A fragment whose head has this length; nil if none can have it.
  init?(at offset: Int, sequenceNumber: UInt32, headLength: Int, tracks: [RecordedTrack]) {
    let rooms = [headLength, headLength - Self.leadToNextPage(at: offset)]
    let candidates = rooms.map { room in
      OpenFragment(at: offset, sequenceNumber: sequenceNumber, room: room, tracks: tracks)
    }
    guard let fragment = candidates.first(where: { $0.headLength == headLength }) else { return nil }
    self = fragment
  }

  /// Space for the head of one sample: `tfhd`, `tfdt` and a run with flags of its own and a delay.
  private static let roomOfOneSample = emptyHeadLength + Box.headLength + 24 + 20 + 32

  /// A whole fragment with nothing but one sample of the part `index`.
  package static func bytes(
    of sample: FragmentSample, _ media: [UInt8], in index: Int, sequenceNumber: UInt32,
    tracks: [RecordedTrack]
  ) -> [UInt8] {
    var fragment = OpenFragment(at: 0, sequenceNumber: sequenceNumber, room: roomOfOneSample, tracks: tracks)
    return fragment.add(sample, to: index) ? fragment.head() + media : []
  }

  /// The padding by which the changing part of the head is within one page. It is inside the `moof`, as
  /// FFmpeg, when it re-reads a file, locates fragments by the end of the one before.
  private static func lead(at offset: Int, room: Int) -> Int {
    let start = (offset + Box.headLength) % page
    return start + room - Box.headLength > page ? leadToNextPage(at: offset) : 0
  }

  private static func leadToNextPage(at offset: Int) -> Int {
    let lead = page - (offset + Box.headLength) % page
    return lead < Box.headLength ? lead + Box.headLength : lead
  }

  /// Adds some spare room, up to one page.
  private static func headLength(used: Int) -> Int { min(used + used / 16 + 32, page - 2 * Box.headLength) }

  /// The space for the head of the next fragment; `isFull` if this one ran out.
  package func nextRoom(isFull: Bool) -> Int {
    let room = headLength - lead
    if isFull { return Self.headLength(used: 2 * room) }
    // A shorter fragment than usual is not representative.
    guard let start = start(of: 0), let end = end(of: 0),
      tracks[0].time(end - start.time) >= Self.shortest
    else { return room }
    return Self.headLength(used: usedHeadLength)
  }

  /// Whether `next`, a sample of the part `index`, must begin a new fragment.
  package func isDueToEnd(before next: FragmentSample, of index: Int) -> Bool {
    if mediaLength + next.size > Self.maxBytes { return true }
    // Only the first track begins fragments, unless it has no samples.
    let start = start(of: 0)?.time ?? start(of: index)?.time ?? next.decodeTime
    guard index == 0 || self.start(of: 0) == nil else { return false }
    let length = tracks[index].time(next.decodeTime - start)
    if length >= Self.longest { return true }
    guard index == 0, next.isKeyframe else { return false }
    // Early sound stays with its picture.
    guard let first = self.start(of: 0) else { return false }
    return !first.isKeyframe || length >= Self.shortest
  }

  package var end: Int { offset + headLength + mediaLength }

  private var usedHeadLength: Int { parts.reduce(Self.emptyHeadLength) { $0 + $1.length } }

  package func start(of index: Int) -> FragmentPart.Start? { parts[index].start }

  package func end(of index: Int) -> Int64? { parts[index].end }

  /// Appends `sample` to the part `index`; false, with nothing changed, if the head has no room.
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

  /// Extends the last sample of the part `index` to `time`; false if unchanged or without room in the head.
  package mutating func extend(_ index: Int, to time: Int64) -> Bool {
    let before = parts[index]
    guard parts[index].extend(to: time) else { return false }
    guard lead + usedHeadLength <= headLength else {
      parts[index] = before
      return false
    }
    return true
  }

  private func isLast(_ index: Int) -> Bool { parts[index].mediaEnd == mediaLength && mediaLength > 0 }

  package func head() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headLength)
    bytes.addHead(of: "moof", length: headLength - Box.headLength)
    if lead > 0 {
      bytes.addHead(of: "free", length: lead)
      bytes.append(zeros: lead - Box.headLength)
    }
    bytes.addHead(of: "mfhd", length: 16)
    bytes.add(UInt32(0))
    bytes.add(sequenceNumber)
    for part in parts { part.write(to: &bytes, mediaOffset: headLength) }
    let room = headLength - Box.headLength - bytes.count
    bytes.addHead(of: "free", length: room)
    bytes.append(zeros: room - Box.headLength)
    bytes.addHead(of: "mdat", length: Box.headLength + mediaLength)
    return bytes
  }
}

/// One picture or one packet of sound, in ticks of its track.
package struct FragmentSample: Hashable, Sendable {
  package var size: Int
  package var decodeTime: Int64
  /// Presentation time minus decode time.
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
