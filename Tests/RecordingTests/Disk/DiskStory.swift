import HoldfastMediaModel

@testable import HoldfastRecording

/// A guard and its clock.
struct DiskStory: Hashable {
  private(set) var disk: DiskGuard
  private(set) var now = MonotonicTime(nanoseconds: 0)

  static let plenty = DiskGuard.Event.measured(free: 100 << 30, bytesPerSecond: 300_000)
  static let scarce = DiskGuard.Event.measured(free: 300 << 20, bytesPerSecond: 300_000)
  static let none = DiskGuard.Event.measured(free: 256 << 20, bytesPerSecond: 300_000)

  static let atEnd = DiskGuard.Event.measuredAtEnd(free: 300 << 20)

  static let failed = DiskGuard.Event.failed(code: 5, isFull: false)

  static let events: [(name: String, event: DiskGuard.Event)] = [
    ("plenty", plenty), ("scarce", scarce), ("none", none), ("failed", failed),
    ("wasFull", .failed(code: 28, isFull: true)), ("atEnd", atEnd), ("succeeded", .succeeded),
  ]

  init(reserve: Int = 256 << 20) { disk = DiskGuard(DiskLimits(reserve: reserve)) }

  mutating func pass(_ time: MediaTime) { now = now + time }

  @discardableResult
  mutating func handle(_ event: DiskGuard.Event, after time: MediaTime = .zero) -> [DiskGuard.Action] {
    pass(time)
    return disk.handle(event, at: now)
  }

  /// The milliseconds that it then waits; they have passed.
  mutating func wait(after event: DiskGuard.Event) -> [Double] {
    let waits = handle(event).compactMap { action -> MediaTime? in
      guard case .retry(let time) = action else { return nil }
      return time
    }
    for time in waits { pass(time) }
    return waits.map(\.milliseconds)
  }

  /// It fails, and seems to be as it should be again.
  mutating func failAndReturn() -> [Double] {
    let waits = wait(after: Self.failed)
    handle(Self.plenty)
    handle(.succeeded)
    return waits
  }
}

// MARK: - The table

extension DiskStory {
  /// Each state, and what leads there.
  private static let states: [(name: String, way: [String])] = [
    ("writing", []), ("low", ["scarce"]), ("full", ["none"]), ("failed", ["failed"]),
    ("trying, full", ["none", "plenty"]), ("trying, failed", ["failed", "plenty"]),
  ]

  /// All events come a minute after each other.
  static var table: String {
    states.map { name, way in
      var story = DiskStory()
      for step in way { story.take(step) }
      let answers = events.map { event -> String in
        var next = story
        let actions = next.take(event.name).map(\.shown).joined(separator: ", ")
        return "  \(event.name): \(actions.isEmpty ? "-" : actions)"
      }
      return "\(name)\n" + answers.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  @discardableResult
  private mutating func take(_ name: String) -> [DiskGuard.Action] {
    Self.events.filter { $0.name == name }.flatMap { handle($0.event, after: .seconds(60)) }
  }

  static let expected = """
    writing
      plenty: -
      scarce: report low
      none: report full, finish, again in 1000
      failed: report failed, again in 250
      wasFull: report full, finish, again in 1000
      atEnd: -
      succeeded: -
    low
      plenty: report writing
      scarce: -
      none: report full, finish, again in 1000
      failed: report failed, again in 250
      wasFull: report full, finish, again in 1000
      atEnd: -
      succeeded: -
    full
      plenty: resume
      scarce: again in 1000
      none: again in 1000
      failed: report failed, again in 500
      wasFull: again in 1000
      atEnd: resume
      succeeded: -
    failed
      plenty: resume
      scarce: resume
      none: report full, again in 1000
      failed: again in 500
      wasFull: report full, again in 1000
      atEnd: resume
      succeeded: -
    trying, full
      plenty: -
      scarce: -
      none: finish, again in 1000
      failed: report failed, again in 500
      wasFull: again in 1000
      atEnd: -
      succeeded: report writing
    trying, failed
      plenty: -
      scarce: -
      none: report full, finish, again in 1000
      failed: again in 500
      wasFull: report full, again in 1000
      atEnd: -
      succeeded: report writing
    """
}

extension DiskGuard.Action {
  fileprivate var shown: String {
    switch self {
    case .report(let state): "report \(state.name)"
    case .finishFile: "finish"
    case .retry(let time): "again in \(Int(time.milliseconds))"
    case .resume: "resume"
    }
  }
}
