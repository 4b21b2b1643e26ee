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

  private var partIndex = 0
  private var cursor: SampleCursor?
  private var seams: ArraySlice<ExportGap>
  private var shift = MediaTime.zero
  /// End of the last packet by the usual duration.
  private var usualEnd = MediaTime.zero
  private var fill: (from: MediaTime, next: Int, count: Int)?
  private var afterFill: MediaPacket?
  private var isFillDue = false
  private var needsKeyframe = false
  /// The last packet, whose duration depends on the next one.
  private var pending: MediaPacket?

  init(_ kind: TrackKind, _ plan: ExportPlan, _ timeline: ExportTimeline, filler: Filler?) {
    self.kind = kind
    self.plan = plan
    self.timeline = timeline
    self.filler = filler
    usual = plan.usual[kind] ?? .zero
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

  mutating func next() throws -> MediaPacket? {
    while let packet = try following() {
      guard var before = pending else {
        pending = packet
        continue
      }
      // Skips what would otherwise be duplicated.
      guard packet.decodeTime > before.decodeTime else { continue }
      before.duration = packet.decodeTime - before.decodeTime
      pending = packet
      return before
    }
    return pending.take()
  }

  private mutating func following() throws -> MediaPacket? {
    if let packet = nextOfFill() { return packet }
    if let packet = afterFill.take() { return packet }
    while let (sample, time, part) = try nextSample() {
      if needsKeyframe, !sample.isKeyframe { continue }
      needsKeyframe = false
      let packet = try packet(sample, at: time, of: part)
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

  /// The next sample of any part, with its time and part. Passes the seams before it.
  private mutating func nextSample() throws -> (Fragment.Sample, MediaTime, RecordingPart)? {
    while partIndex < plan.parts.count {
      let part = plan.parts[partIndex]
      guard let track = part.recorded[kind] else { return nil }
      if cursor == nil { cursor = SampleCursor(part, track) }
      guard let sample = try cursor?.next() else {
        cursor = nil
        partIndex += 1
        continue
      }
      let time = plan.bases[partIndex] + MediaTime(ticks: sample.time, timescale: track.timescale)
      let shown = time + MediaTime(ticks: sample.delay, timescale: track.timescale)
      while let seam = seams.first, isAfter(seam, shown) {
        seams.removeFirst()
        shift += timeline.shift(at: seam)
        if filler != nil {
          isFillDue = true
          needsKeyframe = kind == .video
        }
      }
      return (sample, time, part)
    }
    return nil
  }

  /// A packet of sound across a seam belongs to the side of its larger half.
  private func isAfter(_ seam: ExportGap, _ shown: MediaTime) -> Bool {
    let part: Int64 = kind == .video ? 4 : 2
    return shown.nanoseconds + usual.nanoseconds / part >= seam.at.nanoseconds
  }

  private func packet(_ sample: Fragment.Sample, at time: MediaTime, of part: RecordingPart) throws
    -> MediaPacket
  {
    let timescale = part.recorded[kind]?.timescale ?? 90_000
    let packet = MediaPacket(
      track: kind, decodeTime: time + shift,
      presentationTime: time + shift + MediaTime(ticks: sample.delay, timescale: timescale),
      duration: MediaTime(ticks: sample.duration, timescale: timescale), isKeyframe: sample.isKeyframe,
      bytes: try part.bytes(of: sample))
    return withSets(packet, ownSets)
  }

  private func withSets(_ packet: MediaPacket, _ sets: [UInt8]) -> MediaPacket {
    guard !sets.isEmpty, packet.isKeyframe else { return packet }
    return MediaPacket(
      track: packet.track, decodeTime: packet.decodeTime, presentationTime: packet.presentationTime,
      duration: packet.duration, isKeyframe: true, bytes: sets + packet.bytes)
  }
}
