import HoldfastMediaModel

/// The file being recorded, and the one before it, to which late sound may belong.
struct RecordingFiles: Sendable {
  enum Condition: Hashable {
    case unopened
    /// Nothing was written since it was opened.
    case open
    case written
    /// Finished, but continued if its disk was only full.
    case closed
  }

  struct File: Hashable, Sendable {
    let path: String
    /// Media time that is 0 in the file.
    let origin: MediaTime
    /// Standstill before the file, which is not kept in it.
    var standstillBefore = MediaTime.zero
    /// Standstill before its last packet.
    fileprivate var standstill = MediaTime.zero
    fileprivate(set) var condition = Condition.unopened
    fileprivate(set) var bytes = 0
    fileprivate var media = WrittenMedia()
    /// The file begins with the next keyframe, or its picture continues with it.
    fileprivate(set) var needsKeyframe = false
    /// Why it is not continued, although its disk may accept writes again.
    fileprivate(set) var distrust: String?
    /// What comes has other headers.
    fileprivate(set) var isRetired = false

    var isOpen: Bool { condition == .open || condition == .written }
  }

  private(set) var current: File
  /// The file before a cut that is not finished yet.
  private var previous: (file: File, cut: MediaTime)?
  /// Duration of all standstills so far.
  private(set) var standstill = MediaTime.zero
  /// Size of all earlier files.
  private(set) var bytesBefore = 0
  /// Earlier files that are being finished, by number.
  private var unfinished: Set<Int> = []
  private var ended = 0

  private static let maxOverlap = MediaTime.seconds(1)
  /// A smaller file at the size limit of its file system is not worth a successor.
  private static let minFullSize = 1 << 20

  init(_ destination: Recorder.Destination) {
    current = File(path: destination.path, origin: destination.fileOrigin)
  }

  var bytes: Int { bytesBefore + current.bytes }
  var isWorthSuccessor: Bool { current.isOpen && current.bytes > Self.minFullSize }
  var areAllFinished: Bool { unfinished.isEmpty }

  /// Media time that is 0 in the file after all standstills in it.
  var shiftedOrigin: MediaTime { current.origin - (standstill - current.standstillBefore) }

  /// Whether `packet` belongs before the cut, and if not, whether the previous file is complete.
  func placement(of packet: MediaPacket) -> (isLate: Bool, endsPrevious: Bool) {
    guard let cut = previous?.cut else { return (false, false) }
    guard packet.decodeTime >= cut else { return (true, false) }
    return (false, packet.track == .audio || packet.decodeTime > cut + Self.maxOverlap)
  }

  /// The packet at its time in its file.
  func shifted(_ queued: QueuedPacket, isLate: Bool) -> MediaPacket {
    let file = isLate ? previous?.file ?? current : current
    // A late packet may reach into the media after a standstill that its file does not contain.
    let standstill = isLate ? min(queued.standstill, file.standstill) : queued.standstill
    let shift = standstill - file.standstillBefore - file.origin
    var packet = queued.packet
    packet.decodeTime += shift
    packet.presentationTime += shift
    return packet
  }

  /// False for a closed file, for a packet from before it, for anything before the keyframe with which a further one
  /// begins, and for pictures before the keyframe with which those of a file continue.
  func accepts(_ packet: MediaPacket) -> Bool {
    guard current.isOpen, !current.isRetired, packet.decodeTime >= current.origin else { return false }
    guard current.needsKeyframe else { return true }
    return packet.track == .video ? packet.isKeyframe : !current.media.isEmpty
  }

  /// Whether a keyframe in place of `packet` would begin the file.
  func awaitsKeyframe(_ packet: MediaPacket) -> Bool {
    current.isOpen && current.needsKeyframe && packet.track == .video
  }

  func isFull(at time: MediaTime, _ limit: SegmentLength?) -> Bool {
    switch limit {
    case .duration(let length): time - current.origin >= length
    case .size(let size): current.bytes >= size
    case nil: false
    }
  }

  /// The number under which the previous file is now finished; nil without one.
  mutating func endPrevious() -> Int? {
    guard previous.take() != nil else { return nil }
    ended += 1
    unfinished.insert(ended)
    return ended
  }

  /// False for a number that is not awaited.
  mutating func previousFinished(_ number: Int) -> Bool { unfinished.remove(number) != nil }

  /// A standstill right before a new file is not kept in it.
  mutating func prepare(_ opening: RecordingMachine.Opening, at packet: QueuedPacket?) {
    switch opening {
    case .new, .next, .part: standstill = max(standstill, packet?.standstill ?? .zero)
    case .continuing: break
    }
  }

  /// `known` are the ends of the tracks in a continued file; returns what is missing of them.
  mutating func opened(
    _ opening: RecordingMachine.Opening, at path: String, origin: MediaTime, _ known: [TrackKind: MediaTime],
    _ tracks: [Track]
  ) -> [Recorder.Loss] {
    let old = current
    switch opening {
    case .continuing:
      current.condition = .open
      let ends = known.filter { $0.value > .zero }.mapValues { $0 + shiftedOrigin }
      let missing = old.media.missing(behind: ends)
      current.media = WrittenMedia(onDiskUntil: ends)
      // The next picture refers to those that are missing.
      if missing.contains(where: { $0.track == .video }) { current.needsKeyframe = true }
      return missing
    case .new, .next, .part:
      current = File(
        path: path, origin: origin, standstillBefore: standstill, standstill: standstill, condition: .open)
      bytesBefore += old.bytes
    }
    if opening == .next { previous = (old, cut: origin) }
    if case .part = opening { current.needsKeyframe = old.condition != .unopened && tracks.hasVideo }
    return []
  }

  /// Whether the packet is the first one since the file was opened, and whether a standstill was before it.
  mutating func written(_ queued: QueuedPacket, bytes: Int) -> (isFirst: Bool, isAfterStandstill: Bool) {
    let packet = queued.packet
    let isFirst = current.condition == .open
    current.condition = .written
    current.bytes = bytes
    current.media.add(packet)
    if packet.track == .video { current.needsKeyframe = false }
    defer {
      standstill = max(standstill, queued.standstill)
      current.standstill = standstill
    }
    return (isFirst, queued.standstill > standstill)
  }

  mutating func close() { current.condition = .closed }

  // MARK: - Syncs

  mutating func syncBegan() { current.media.syncBegan() }

  mutating func syncEnded() { current.media.syncEnded() }

  mutating func allSynced() { current.media.allSynced() }

  /// What may not be on the disk.
  var unsynced: [Recorder.Loss] { current.media.unsynced }

  /// A sync has failed; without unsynced media nothing of that can be missing.
  mutating func distrust(_ error: RecordingError) {
    guard let duration = unsynced.map(\.duration).max() else { return }
    current.distrust = "\(error.what); up to \(duration) at its end may not be on the disk"
  }

  mutating func trust() { current.distrust = nil }

  /// The current file is complete, and a further one takes what comes.
  mutating func retire(_ reason: String) {
    current.distrust = current.distrust ?? reason
    current.isRetired = true
  }
}

extension [Track] {
  var hasVideo: Bool { contains { $0.kind == .video } }
}

struct QueuedPacket: Hashable, Sendable {
  let packet: MediaPacket
  /// Duration of all standstills before the packet.
  let standstill: MediaTime
}
