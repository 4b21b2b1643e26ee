import HoldfastMediaModel
import HoldfastRecording
import TestVirtualTime

/// Compares what the program reported of a day's broadcasts with the ground truth.
struct Verdict {
  private let day: Day
  private let now: Int64

  private static let tolerance: Int64 = .ms(350)

  init(_ day: Day) {
    self.day = day
    now = day.world.now
  }

  private var world: World { day.world }

  func check() {
    for truth in day.truths where !truth.stretches.isEmpty { check(truth) }
    checkIdleness()
    day.session.check(Spans(day.truths.flatMap(\.onAir.ranges)), world)
  }

  /// Expects a broadcast whenever nothing prevents one. A preview waits for a user.
  private func checkIdleness() {
    guard !day.settings.hasPreview else { return }
    let onAir = Spans(day.truths.flatMap(\.onAir.ranges))
    var reasons = day.reasons(until: now).union(day.holds.rest.spans(until: now))
    if !day.settings.records {
      for endpoint in day.endpoints { reasons = reasons.union(endpoint.trouble.spans(until: now)) }
    }
    let idle = Spans([0..<(Day.length - .hours(1))]).subtracting(onAir).subtracting(
      reasons.widened(by: .s(35)))
    let limit: Int64 = day.settings.gate == .none ? .s(20) : .minutes(4)
    for range in idle.longer(than: limit) { world.expect(false, "nothing is broadcast at \(range.shown)") }
  }

  private func check(_ truth: Truth) {
    if let began = truth.stretches.first?.from, truth.mayHaveForgotten(began) { return }
    guard let file = day.disk.journals[truth.id] else {
      return world.expect(false, "\(truth.id): no journal")
    }
    let named = NamedLosses(Journal(file.bytes), truth, day.host)
    world.expect(truth.overAt != nil, "\(truth.id) has no end")
    world.expect(named.isReadable, "\(truth.id): its journal can't be read")
    checkInterruptions(truth, named)
    checkHolds(truth)
    checkDevices(truth, named)
    checkRecording(truth, named)
    for endpoint in day.endpoints { check(endpoint, truth, named) }
  }

  /// Excusable losses: the process ended while the disk accepted no entries.
  private func excused(_ truth: Truth) -> Spans {
    Spans(truth.crashes.map { ($0.lostSince - .ms(100))..<($0.at + .ms(1)) })
  }

  private func expectNothing(_ spans: Spans, _ what: String) {
    for range in spans.longer(than: Self.tolerance) { world.expect(false, "\(what): \(range.shown)") }
  }

  private func checkInterruptions(_ truth: Truth, _ named: NamedLosses) {
    let excused = excused(truth)
    // Without its last entry, the end of a broadcast is unknown.
    let known = Spans(truth.offAir.ranges.filter { !truth.mayHaveForgotten($0.upperBound) })
    expectNothing(
      known.subtracting(named.interruptions).subtracting(excused),
      "\(truth.id): an interruption that is not named")
    expectNothing(
      named.interruptions.subtracting(truth.offAir).subtracting(excused),
      "\(truth.id): an interruption that was none")
    let disk = day.disk.trouble.spans(until: now)
    for (range, cause) in named.causes where range.length > .s(1) && !disk.overlaps(range) {
      // Of several causes the last reported one applies. A resumed interruption keeps its cause across
      // processes.
      let isOneProcess = !day.holds.dead.touched(range)
      let end = isOneProcess ? max(range.lowerBound, range.upperBound - .s(4))..<range.upperBound : range
      // The gate may have been consulted after the cause had ended.
      let reasons = holds(cause).union(day.holds.gate.spans(until: now))
      world.expect(reasons.overlaps(end), "\(truth.id): no \(cause) at \(range.shown)")
    }
  }

  private func holds(_ cause: String) -> Spans {
    switch cause {
    case "user": day.holds.user.spans(until: now)
    case "system": day.holds.system.spans(until: now)
    case "device": day.devices.allGone.spans(until: now)
    default: day.holds.dead.spans(until: now)
    }
  }

  /// Checks that media time stops only while something prevents the broadcast.
  private func checkHolds(_ truth: Truth) {
    expectNothing(
      truth.offAir.subtracting(day.reasons(until: now).widened(by: .s(3))),
      "\(truth.id) stands still for no reason")
    let sure = Spans(
      day.holds.all(until: now).ranges.filter { $0.length > .s(1) }.map {
        ($0.lowerBound + .ms(500))..<$0.upperBound
      })
    expectNothing(truth.onAir.intersection(sure), "\(truth.id) runs though it is held")
  }

  private func checkDevices(_ truth: Truth, _ named: NamedLosses) {
    for track in TrackKind.allCases {
      let missing = (day.devices.absences[track]?.spans(until: now) ?? Spans()).intersection(truth.onAir)
      let filled = named.devices[track] ?? Spans()
      let forgotten = truth.forgotten[track.rawValue] ?? Spans()
      expectNothing(
        missing.subtracting(filled).subtracting(forgotten).subtracting(truth.unwritten(track.rawValue)),
        "\(truth.id): \(track.rawValue) that is missing and not named")
      expectNothing(
        filled.subtracting(missing).subtracting(excused(truth)),
        "\(truth.id): \(track.rawValue) that is named and there")
    }
  }

  private func checkRecording(_ truth: Truth, _ named: NamedLosses) {
    guard day.settings.records else { return }
    let files = day.disk.recordings[truth.id] ?? []
    // A failed disk is retried after at most half a minute.
    let trouble = day.disk.trouble.spans(until: now)
    let sure = truth.onAir.subtracting(trouble.widened(by: .s(31))).subtracting(excused(truth))
    let isNeeded = !sure.longer(than: .s(1)).isEmpty
    world.expect(files.count == 1 || files.isEmpty && !isNeeded, "\(truth.id): \(files.count) recordings")
    world.expect(files.allSatisfy(\.isFinished), "\(truth.id): its recording is not finished")
    // A disk that never accepted data leaves no file, and nothing unnamed.
    let captured = files.first?.captured ?? Spans()
    check(captured, "recording", truth, named, cutOff(truth, captured))
    let blamable = trouble.widened(by: .s(25))
    for range in (named.gaps["recording"] ?? Spans()).subtracting(excused(truth)).ranges {
      let isBlamed = blamable.overlaps(range) || truth.crashes.contains { range.contains($0.at - .s(1)) }
      world.expect(
        range.length < Self.tolerance || isBlamed, "\(truth.id): a good disk is blamed: \(range.shown)")
    }
  }

  /// Media not on the disk when the process ended for good; no gap names it.
  private func cutOff(_ truth: Truth, _ captured: Spans) -> Spans {
    guard let end = truth.onAir.ranges.last?.upperBound, let crash = truth.crashes.last, crash.at >= end
    else { return Spans() }
    let from = captured.ranges.last?.upperBound ?? truth.onAir.ranges[0].lowerBound
    return Spans([min(from, end)..<end])
  }

  private func check(_ endpoint: Endpoint, _ truth: Truth, _ named: NamedLosses) {
    let files = endpoint.files.filter { $0.broadcast == truth.id && !$0.captured.ranges.isEmpty }
    let isExcused = endpoint.publishedAt[truth.id].map { truth.mayHaveForgotten(transition: $0) } ?? true
    world.expect(files.count <= 1 || isExcused, "\(endpoint.id): \(files.count) recordings of \(truth.id)")
    let captured = files.reduce(Spans()) { $0.union($1.captured) }
    check(captured, endpoint.id, truth, named)
    guard !endpoint.refused.contains(truth.id) else { return }
    // A refusing server is retried after at most half a minute.
    let trouble = endpoint.trouble.spans(until: now).widened(by: .s(31))
    expectNothing(
      truth.onAir.subtracting(captured).subtracting(trouble).subtracting(excused(truth)),
      "\(truth.id): \(endpoint.id) stays away without a fault")
    for range in (named.gaps[endpoint.id] ?? Spans()).longer(than: Self.tolerance) {
      world.expect(trouble.overlaps(range), "\(endpoint.id) is blamed without a fault: \(range.shown)")
    }
  }

  private func check(
    _ captured: Spans, _ id: String, _ truth: Truth, _ named: NamedLosses, _ cutOff: Spans = Spans()
  ) {
    let missing = truth.onAir.subtracting(captured)
    let gaps = named.gaps[id] ?? Spans()
    let forgotten = truth.forgotten[id] ?? Spans()
    let unnamed = missing.subtracting(gaps).subtracting(named.interruptions).subtracting(excused(truth))
    expectNothing(
      unnamed.subtracting(forgotten).subtracting(cutOff).subtracting(truth.unwritten(id)),
      "\(truth.id): missing at \(id) and not named")
    expectNothing(
      gaps.subtracting(missing).subtracting(excused(truth)).subtracting(truth.unproven[id] ?? Spans()),
      "\(truth.id): named at \(id) though it is there")
  }
}

/// The losses named in a broadcast's journal, in world time.
struct NamedLosses {
  private(set) var interruptions = Spans()
  private(set) var causes: [(Range<Int64>, String)] = []
  private(set) var gaps: [String: Spans] = [:]
  /// Media replaced during the loss of a device.
  private(set) var devices: [TrackKind: Spans] = [:]
  let isReadable: Bool

  init(_ journal: Journal, _ truth: Truth, _ host: Host) {
    isReadable = journal.beginning != nil && journal.garbledLines <= truth.crashes.count
    for one in GapMap(journal).interruptions {
      guard let to = one.to.flatMap(host.time), let from = host.time(of: one.from), from < to else {
        continue
      }
      interruptions.insert(from..<to)
      causes.append((from..<to, one.cause))
    }
    for record in journal.records {
      guard case .gap(let gap) = record.entry, let at = host.time(of: record.instant) else { continue }
      let length = max(gap.lostVideo, gap.lostAudio).nanoseconds
      let spans = truth.captured(media: gap.mediaAt.nanoseconds, length: length, at: at)
      if let output = gap.output {
        gaps[output] = (gaps[output] ?? Spans()).union(spans)
      } else {
        let track = gap.lostVideo > .zero ? TrackKind.video : .audio
        devices[track] = (devices[track] ?? Spans()).union(spans)
      }
    }
  }
}
