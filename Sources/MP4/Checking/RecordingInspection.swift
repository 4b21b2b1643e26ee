package import HoldfastMediaModel

/// What can be found out about a recording without decoding it.
package struct RecordingInspection: Hashable, Sendable {
  package enum Index: Hashable, Sendable {
    case none
    case right(entries: Int)
    case wrong(String)
  }

  package let size: Int
  package let headLength: Int
  package private(set) var fragments = 0
  package private(set) var tracks: [TrackSurvey]
  /// The `mfra` index at the end; `segmentIndex` is the `sidx` at the front.
  package private(set) var index = Index.none
  package private(set) var segmentIndex = Index.none
  package private(set) var wholeLength: Int
  /// A repair has written it; what was lost is not there.
  package let isRepaired: Bool
  /// Samples that a repair keeps, and described ones that it must drop.
  package private(set) var keptSamples = 0
  package private(set) var lostSamples = 0
  private(set) var hasRescued = false
  private var log = DamageLog()

  package var damages: [RecordingDamage] { log.list }
  /// Also counts those that exceed the capacity of `damages`.
  package var damageCount: Int { log.count }

  /// True if nothing before `wholeLength` needs a change.
  package var isWholeUntilItsEnd: Bool {
    if case .wrong = segmentIndex { return false }
    return !hasRescued && isUndamagedBeforeItsEnd
  }
  /// True if all fragments before `wholeLength` are whole.
  package var isUndamagedBeforeItsEnd: Bool {
    damageCount == damages.count
      && damages.allSatisfy { $0.kind == .torn && $0.bytes.lowerBound >= wholeLength }
  }
  /// The file ends within a fragment, as after a killed process.
  package var isTorn: Bool { damages.last?.kind == .torn }
  /// The recording was finished and is undamaged.
  package var needsNoRepair: Bool {
    if damageCount > 0 { return false }
    if case .wrong = segmentIndex { return false }
    if case .right = index { return true }
    return false
  }

  package func track(_ kind: TrackKind) -> TrackSurvey? { tracks.first { $0.kind == kind } }

  /// Reads all of `source`.
  package init(_ source: RecordingBytes) throws(FragmentedFileError) {
    self.init(source, head: try RecordingHead(source)) { (_) throws(Never) in }
  }

  /// `visit` receives what a repair keeps of each fragment.
  package init<Failure: Error>(
    _ source: RecordingBytes, head: RecordingHead, visit: (KeptFragment) throws(Failure) -> Void
  ) throws(Failure) {
    size = source.size
    headLength = head.start ?? 0
    wholeLength = headLength
    isRepaired = RepairedRecording.isRepaired(source, from: headLength)
    tracks = head.tracks.map { TrackSurvey($0, codec: head.formats[$0.id]?.name.text ?? "") }
    var scan = Scan(source, head)
    var walk = RecordingWalk(source, tracks: head.tracks, from: head.start)
    while let section = walk.next() {
      switch section {
      case .fragment(let fragment): try add(fragment, nil, &scan, visit)
      case .torn(let fragment, let reason): try add(fragment, reason, &scan, visit)
      case .space: break
      case .index(let type, let range): scan.note(type, range)
      case .damage(let range, let atEnd):
        try finishPending(&scan, before: nil, visit)
        log.note(RecordingDamage(kind: atEnd ? .torn : .unreadable, bytes: range, missing: scan.open(tracks)))
      }
    }
    try finishPending(&scan, before: nil, visit)
    for index in tracks.indices { tracks[index].finish() }
    check(scan)
  }

  /// State while a recording is read.
  private struct Scan {
    let source: RecordingBytes
    let media: MediaCheck
    let videoTracks: Set<UInt32>
    var correction: TimeCorrection
    /// The latest fragment; correcting its times requires the next one.
    var pending: (kept: KeptFragment, damage: RecordingDamage.Kind?)?
    /// Number of fragments of each track that contain a keyframe.
    var keyframes: [UInt32: Int] = [:]
    var randomAccess: Range<Int>?
    var segments: Range<Int>?

    init(_ source: RecordingBytes, _ head: RecordingHead) {
      self.source = source
      media = MediaCheck(source: source, formats: head.formats)
      videoTracks = Set(head.tracks.filter { $0.kind == .video }.map(\.id))
      correction = TimeCorrection(tracks: head.tracks)
    }

    mutating func note(_ index: BoxType, _ range: Range<Int>) {
      if index == "mfra" { randomAccess = range } else { segments = segments ?? range }
    }

    /// A loss of all tracks from where they end so far, open until samples follow.
    func open(_ tracks: [TrackSurvey]) -> [RecordingDamage.Missing] {
      tracks.map { survey in
        RecordingDamage.Missing(
          id: survey.track.id, track: survey.kind,
          from: survey.track.time(correction.end(of: survey.track.id)), samples: nil)
      }
    }
  }

  // MARK: - Fragments

  /// `reason` is nil for a complete fragment.
  private mutating func add<Failure: Error>(
    _ fragment: Fragment, _ reason: RecordingWalk.TornReason?, _ scan: inout Scan,
    _ visit: (KeptFragment) throws(Failure) -> Void
  ) throws(Failure) {
    try finishPending(&scan, before: fragment, visit)
    let verdict = scan.media.verdict(on: fragment)
    survey(fragment, isCut: reason == .cut, verdict)
    if reason == nil {
      fragments += 1
      wholeLength = fragment.range.upperBound
      for part in fragment.parts where part.samples.contains(where: \.isKeyframe) {
        scan.keyframes[part.track, default: 0] += 1
      }
    }
    let damage: RecordingDamage.Kind? =
      switch reason {
      case .cut: fragment.media.upperBound == size ? .torn : .misplaced
      case .mislabelled: .mislabelled
      case nil: verdict.isFine ? nil : verdict.isTiled ? .garbled : .misplaced
      }
    var kept = KeptFragment(fragment: fragment, isKept: verdict.isWhole)
    kept.isRewritten = damage != nil || fragment.isBoundToPlace
    kept.dropDependents(of: scan.videoTracks)
    scan.pending = (kept, damage)
  }

  private mutating func survey(_ fragment: Fragment, isCut: Bool, _ verdict: MediaCheck.Verdict) {
    for (index, part) in fragment.parts.enumerated() {
      guard let place = tracks.firstIndex(where: { $0.track.id == part.track }) else { continue }
      for (sample, isWhole) in zip(part.samples, verdict.isWhole[index]) where isWhole || !isCut {
        tracks[place].add(sample)
      }
    }
  }

  private mutating func finishPending<Failure: Error>(
    _ scan: inout Scan, before next: Fragment?, _ visit: (KeptFragment) throws(Failure) -> Void
  ) throws(Failure) {
    guard let pending = scan.pending.take() else { return }
    var kept = pending.kept
    let isChanged = scan.correction.correct(&kept, before: next)
    for (index, part) in kept.fragment.parts.enumerated() {
      guard let first = kept.samples(index).first, let track = track(part.track) else { continue }
      log.endMissing(part.track, at: track.time(first.time))
    }
    if let kind = pending.damage ?? (isChanged ? .inconsistent : nil) {
      log.note(RecordingDamage(kind: kind, bytes: kept.fragment.range, missing: missing(kept)))
    }
    let samples = kept.isKept.reduce(0) { $0 + $1.count { $0 } }
    keptSamples += samples
    lostSamples += kept.fragment.samples - samples
    if kept.isRewritten, samples > 0 { hasRescued = true }
    if samples > 0 { try visit(kept) }
  }

  private func missing(_ kept: KeptFragment) -> [RecordingDamage.Missing] {
    kept.fragment.parts.enumerated().compactMap { index, part in
      let lost = part.samples.indices.filter { !kept.isKept[index][$0] }
      guard let first = lost.first, let last = lost.last, let track = track(part.track) else { return nil }
      return RecordingDamage.Missing(
        id: part.track, track: track.kind, from: track.time(part.samples[first].time),
        to: track.time(part.samples[last].end), samples: lost.count)
    }
  }

  private func track(_ id: UInt32) -> RecordedTrack? { tracks.first { $0.track.id == id }?.track }

  // MARK: - Indexes

  private mutating func check(_ scan: Scan) {
    let check = RecordingIndexCheck(source: scan.source, tracks: tracks.map(\.track))
    if let range = scan.randomAccess {
      index = Self.finding { () throws(FragmentedFileError) in
        guard range.lowerBound >= wholeLength else { throw .damaged("fragments follow it") }
        return try check.checkRandomAccess(range, keyframes: scan.keyframes)
      }
    }
    if let range = scan.segments {
      segmentIndex = Self.finding { () throws(FragmentedFileError) in
        try check.checkSegments(range, end: wholeLength)
      }
    }
  }

  private static func finding(_ check: () throws(FragmentedFileError) -> Int) -> Index {
    do throws(FragmentedFileError) {
      return .right(entries: try check())
    } catch {
      return .wrong(error.what)
    }
  }
}
