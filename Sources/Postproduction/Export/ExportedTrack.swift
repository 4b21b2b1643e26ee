import HoldfastFFmpeg
import HoldfastMP4
import HoldfastMediaModel

/// The packets of one track of an export in decode order, with fillers where gaps are kept.
struct ExportedTrack: JoinedTrack {
  private let kind: TrackKind
  private let plan: ExportPlan
  private let timeline: ExportTimeline
  private let usual: MediaTime
  private let filler: Filler?
  /// Parameter sets before each keyframe, if those of the filler differ from the track's.
  private let ownSets: [UInt8]
  private let fillerSets: [UInt8]

  private var cursor: SampleCursor
  private var seams: ArraySlice<ExportGap>
  private var shift = MediaTime.zero
  /// End of the last packet by the usual duration.
  private var usualEnd = MediaTime.zero
  private var fill: (from: MediaTime, next: Int, count: Int)?
  private var afterFill: MediaPacket?
  private var isFillDue = false
  private var needsKeyframe = false
  var pending: MediaPacket?

  init(_ kind: TrackKind, _ plan: ExportPlan, _ timeline: ExportTimeline, filler: Filler?) {
    self.kind = kind
    self.plan = plan
    self.timeline = timeline
    self.filler = filler
    usual = plan.usual[kind] ?? .zero
    cursor = SampleCursor(plan.parts, kind)
    seams = timeline.seams[...]
    let track = plan.parts[0].tracks[kind]
    let own = track.flatMap { $0.codec.parameterSets(headers: $0.headers) } ?? []
    let other = filler.flatMap { filler in track.flatMap { $0.codec.parameterSets(headers: filler.headers) } }
    (ownSets, fillerSets) =
      other.map { $0 == own ? ([], []) : (Self.lengthPrefixed(own), Self.lengthPrefixed($0)) } ?? ([], [])
  }

  var areHeadersInBand: Bool { !fillerSets.isEmpty }

  private static func lengthPrefixed(_ sets: [[UInt8]]) -> [UInt8] {
    sets.flatMap { set in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: set.count >> $0) } + set }
  }

  static let closesHoles = true

  mutating func following() throws -> MediaPacket? {
    if let packet = nextOfFill() { return packet }
    if let packet = afterFill.take() { return packet }
    while let found = try nextSample() {
      if needsKeyframe, !found.sample.isKeyframe { continue }
      needsKeyframe = false
      let time = plan.bases[found.part] + found.time + shift
      let packet = withSets(try cursor.packet(of: found, at: time), ownSets)
      let start = usualEnd
      usualEnd = packet.decodeTime + usual
      let count = missing(before: packet, from: start)
      guard count > 0 else { return packet }
      fill = (start, 0, count)
      afterFill = packet
      return nextOfFill()
    }
    return nil
  }

  private mutating func missing(before packet: MediaPacket, from start: MediaTime) -> Int {
    guard isFillDue, let filler else { return 0 }
    isFillDue = false
    return filler.count(in: packet.decodeTime - start)
  }

  private mutating func nextOfFill() -> MediaPacket? {
    guard let now = fill, let filler else { return nil }
    fill = now.next + 1 < now.count ? (now.from, now.next + 1, now.count) : nil
    return withSets(filler.packet(now.next, from: now.from), fillerSets)
  }

  /// The next sample of any part. Passes the seams before it.
  private mutating func nextSample() throws -> PartSample? {
    guard let found = try cursor.next() else { return nil }
    let shown = plan.bases[found.part] + found.time + found.delay
    while let seam = seams.first, cursor.isBehind(seam.at, shown, usual: usual) {
      seams.removeFirst()
      shift += timeline.shift(at: seam)
      if filler != nil {
        isFillDue = true
        needsKeyframe = kind == .video
      }
    }
    return found
  }

  private func withSets(_ packet: MediaPacket, _ sets: [UInt8]) -> MediaPacket {
    guard !sets.isEmpty, packet.isKeyframe else { return packet }
    return MediaPacket(
      track: packet.track, decodeTime: packet.decodeTime, presentationTime: packet.presentationTime,
      duration: packet.duration, isKeyframe: true, bytes: sets + packet.bytes)
  }
}
