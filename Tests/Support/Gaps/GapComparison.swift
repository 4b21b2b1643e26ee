import HoldfastMarks
import HoldfastMediaModel

/// What a file lacks by the marks in its pictures, beside what the gap lines say it lacks.
package struct GapComparison {
  /// A time on the monotonic clock, in milliseconds.
  package struct Stretch {
    package let begin: Double
    package let end: Double
    package let lost: Double
    /// Nil for pictures that are missing, else the line that says so.
    package var line: StampedEvents.Line?

    var isOfACrash: Bool { line?.fields["cause"] as? String == "crash" }
  }

  /// Stretches that touch each other, as an outage during an interruption does.
  package struct Row {
    var stretches: [Stretch]

    package var missing: [Stretch] { stretches.filter { $0.line == nil } }
    package var told: [Stretch] { stretches.filter { $0.line != nil } }
    package var excess: Double { lost(told.filter { !isWithinAnother($0) }) - lost(missing) }
    package var begin: Double { first(told) - first(missing) }
    package var end: Double { last(told) - last(missing) }
    package var isTold: Bool { !told.isEmpty && !missing.isEmpty }
    package var extent: Double { last(stretches) }

    package var causes: String {
      Set(told.compactMap { $0.line?.fields["cause"] as? String }).sorted().joined(separator: "+")
    }

    package var holds: Bool { !lacksMore && !tellsMore }

    /// More is missing than is told, by over a picture for each gap, or over 50 ms by the wall clock.
    package var lacksMore: Bool {
      told.isEmpty
        || !missing.isEmpty
          && (excess < -bar || begin > GapComparison.wallBar || end < -GapComparison.wallBar)
    }

    /// More is told than is missing or was in flight.
    package var tellsMore: Bool { tellsMore(inFlight: inFlight) }

    /// Nobody can know what arrives of what is in flight.
    package var tellsWhatWasInFlight: Bool { tellsMore(inFlight: 0) && !tellsMore }

    private func tellsMore(inFlight: Double) -> Bool {
      missing.isEmpty
        || !told.isEmpty
          && (excess > bar + inFlight || begin < -GapComparison.wallBar - inFlight
            || end > GapComparison.wallBar)
    }

    /// What a server may have got of a gap of its own: at a kill all that it had not confirmed, also if its connection was
    /// lost before, and at a lost connection three pictures.
    private var inFlight: Double {
      guard let first = told.min(by: { $0.begin < $1.begin }), let fields = first.line?.fields,
        let output = fields["output"] as? String, output != "recording"
      else { return 0 }
      let isCut = told.contains { $0.isOfACrash && abs($0.begin - first.end) < GapComparison.wallBar }
      return first.isOfACrash || isCut ? first.lost : 3 * GapComparison.picture
    }

    /// Lines have whole milliseconds.
    private var bar: Double { Double(told.count) * (GapComparison.picture + 1) }

    /// What nobody captured is missing at an output that is lost as a whole meanwhile only once.
    private func isWithinAnother(_ one: Stretch) -> Bool {
      told.contains { other in
        let isWhole = other.lost >= other.end - other.begin - GapComparison.picture
        return isWhole && other.lost > one.lost && other.begin <= one.begin && one.end <= other.end
      }
    }

    private func lost(_ some: [Stretch]) -> Double { some.reduce(0) { $0 + $1.lost } }
    private func first(_ some: [Stretch]) -> Double { some.map(\.begin).min() ?? .infinity }
    private func last(_ some: [Stretch]) -> Double { some.map(\.end).max() ?? .infinity }
  }

  package let output: String
  package private(set) var rows: [Row] = []
  package let marks: RecordingMarks

  static let picture = 1000.0 / 30
  static let wallBar = 50.0

  /// `begin` and `end` are those of the whole broadcast, which an output may have joined late or left early.
  private init(_ output: String, _ marks: RecordingMarks, within whole: (Double, Double), told: [Stretch]) {
    (self.output, self.marks) = (output, marks)
    let captures = marks.captures.map { $0.seconds * 1000 }
    let times = [whole.0 - Self.picture] + captures + [whole.1 + Self.picture]
    let missing = zip(times, times.dropFirst()).compactMap { last, next -> Stretch? in
      let lost = next - last - Self.picture
      return lost > Self.picture / 2 ? Stretch(begin: last + Self.picture, end: next, lost: lost) : nil
    }
    for stretch in (missing + told).sorted(by: { $0.begin < $1.begin }) {
      if let last = rows.last, stretch.begin <= last.extent + Self.wallBar {
        rows[rows.count - 1].stretches.append(stretch)
      } else {
        rows.append(Row(stretches: [stretch]))
      }
    }
  }
}

extension GapComparison {
  /// Compares files, by the names of their outputs in event lines; `recording` is the broadcast's own.
  package static func all(
    _ files: [(output: String, path: String)], recording: String, _ events: [StampedEvents.Line],
    _ clock: EventClock
  ) throws -> [GapComparison] {
    let own = try RecordingMarks(path: recording)
    guard let first = own.captures.first?.seconds, let last = own.captures.last?.seconds else {
      throw TestFailure("the recording has no pictures")
    }
    return try files.map { output, path in
      let marks = path == recording ? own : try RecordingMarks(path: path)
      return GapComparison(
        output, marks, within: (first * 1000, last * 1000), told: events.told(of: output, clock))
    }
  }
}

extension [StampedEvents.Line] {
  /// The pictures that the gap lines say `output` lacks.
  fileprivate func told(of output: String, _ clock: EventClock) -> [GapComparison.Stretch] {
    compactMap { line in
      let fields = line.fields
      guard fields["event"] as? String == "gap", [nil, output].contains(fields["output"] as? String),
        let lost = lostMs(fields, "video"), lost > 0, let offset = clock.offset(of: line),
        let from = wallTime(fields["wallFrom"]), let to = wallTime(fields["wallTo"])
      else { return nil }
      return GapComparison.Stretch(
        begin: clock.monotonic(from, offset).seconds * 1000, end: clock.monotonic(to, offset).seconds * 1000,
        lost: lost, line: line)
    }
  }
}
