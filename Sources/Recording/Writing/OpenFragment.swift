internal import HoldfastMediaModel

/// The fragment that is being written: what its samples are, and the boxes in front of them that say so.
///
/// These boxes keep their length while it grows: a `free` box in the `moof` holds the room that is left. So each sample
/// follows the one before it in the file, and then one short write names it.
struct OpenFragment: Hashable, Sendable {
  let sequenceNumber: UInt32
  /// Of the `moof` and the head of the `mdat` behind it.
  let headLength: Int
  /// A `free` box at the front of the `moof`: what changes as the fragment grows lies behind it, in one page of memory.
  let lead: Int
  private var parts: [FragmentPart]
  /// What the `mdat` holds.
  private(set) var mediaLength = 0

  /// With room for no sample at all.
  static let emptyHeadLength = Box.headLength + 16 + Box.headLength + Box.headLength

  /// `tracks` in the order of the file's head.
  init(sequenceNumber: UInt32, headLength: Int, lead: Int = 0, tracks: [RecordedTrack]) {
    self.sequenceNumber = sequenceNumber
    self.headLength = lead + headLength
    self.lead = lead
    parts = tracks.map { FragmentPart(track: $0.id, areAllKeyframes: $0.kind == .audio) }
  }

  /// What the head's boxes take without the room that is left.
  var usedHeadLength: Int { parts.reduce(Self.emptyHeadLength) { $0 + $1.length } }

  /// When the first sample of the part `index` is decoded, and whether a player can begin with it.
  func start(of index: Int) -> FragmentPart.Start? { parts[index].start }

  /// When the last sample of the part `index` ends.
  func end(of index: Int) -> Int64? { parts[index].end }

  /// Puts `sample` behind all others, in the part `index`. False, and nothing has changed, where there is no room to
  /// describe it.
  mutating func add(_ sample: FragmentSample, to index: Int) -> Bool {
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
  mutating func extend(_ index: Int, to time: Int64) -> Bool {
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
  func head() -> [UInt8] {
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
struct FragmentSample: Hashable, Sendable {
  var size: Int
  var decodeTime: Int64
  /// How much later than it is decoded it is shown.
  var delay: Int32
  var duration: UInt32
  var isKeyframe: Bool
}
