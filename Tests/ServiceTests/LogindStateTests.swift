import Testing

@testable import HoldfastService

@Suite struct LogindStateTests {
  @Test(arguments: LogindState.Rest.allCases)
  func `only changes of the sleep and shutdown states are reported`(rest: LogindState.Rest) {
    var state = LogindState()
    let told = [false, true, true, false, false].map { state.update(rest, isNear: $0) }
    #expect(told == [false, true, false, true, false] && !state.isRestNear)
  }

  @Test func `only changes of the session are reported`() {
    var state = LogindState()
    let learnt: [(Bool?, Bool?)] = [
      (false, true), (true, nil), (true, false), (nil, nil), (nil, true), (false, true),
    ]
    let told = learnt.map { state.update(isLocked: $0, isActive: $1).map(name) }
    #expect(told == [[], ["sessionLocked"], ["sessionInactive"], [], ["sessionActive"], ["sessionUnlocked"]])
  }

  /// What is heard of session `a`, which is watched unless it says otherwise.
  enum Heard { case lock, unlock, early(Bool), hint(Bool), active, missed, removed }

  @Test(
    arguments: [
      // A request that comes before the session is known.
      ([.early(true), .hint(false)], ["sessionLocked"]), ([.early(true), .early(false), .hint(true)], []),
      ([.early(true), .removed, .hint(false)], []),
      // The answer to a question from before the request, or a repeated one.
      ([.lock, .hint(false)], ["sessionLocked"]), ([.hint(false), .lock, .hint(false)], ["sessionLocked"]),
      ([.hint(true), .unlock, .hint(true)], ["sessionLocked", "sessionUnlocked"]),
      // The hint follows, and then is what counts.
      ([.lock, .hint(false), .hint(true), .hint(false)], ["sessionLocked", "sessionUnlocked"]),
      (
        [.hint(true), .unlock, .hint(false), .hint(true)],
        ["sessionLocked", "sessionUnlocked", "sessionLocked"]
      ),
      // Something else changes.
      ([.lock, .active], ["sessionLocked"]), ([.early(true), .active], []),
      // The end of the lock may have been missed.
      ([.lock, .missed, .active], ["sessionLocked"]),
      ([.lock, .missed, .hint(false)], ["sessionLocked", "sessionUnlocked"]),
    ] as [([Heard], [String])])
  func `a request to lock or unlock counts until the hint changes`(heard: [Heard], expected: [String]) {
    var state = LogindState()
    var events: [LogindEvent] = []
    for one in heard {
      switch one {
      case .lock: events += state.request(isLocked: true, of: "a", isWatched: true)
      case .unlock: events += state.request(isLocked: false, of: "a", isWatched: true)
      case .early(let isLocked): events += state.request(isLocked: isLocked, of: "a", isWatched: false)
      case .hint(let isOn): events += state.update("a", lockedHint: isOn, isActive: nil)
      case .active: events += state.update("a", lockedHint: nil, isActive: true)
      case .missed: state.forgetLocks()
      case .removed: state.sessionRemoved("a")
      }
    }
    #expect(events.map(name) == expected)
  }

  @Test func `each session has a lock of its own`() {
    var state = LogindState()
    let told = [
      state.request(isLocked: true, of: "a", isWatched: true),
      state.update("b", lockedHint: false, isActive: true),
      state.update("a", lockedHint: false, isActive: true),
    ]
    #expect(told.map { $0.map(name) } == [["sessionLocked"], ["sessionUnlocked"], ["sessionLocked"]])
  }

  @Test func `each subject's failure is noted once until it works again`() {
    var state = LogindState()
    let told = [LogindState.Subject.bus, .bus, .inhibitor].map { state.noteFailure($0, "why").map(name) }
    #expect(told == [["note: why"], [], ["note: why"]])
    state.noteSuccess(.bus)
    #expect(state.noteFailure(.bus, "again").map(name) == ["note: again"])
  }

  @Test func `a known session is reported once, and again after it was lost`() {
    var state = LogindState()
    let told = [
      state.sessionFound(), state.sessionFound(), state.noteFailure(.session, "gone"),
      state.noteFailure(.session, "still gone"), state.sessionFound(),
    ].map { $0.map(name) }
    #expect(told == [["sessionIsKnown"], [], ["unknown: gone"], [], ["sessionIsKnown"]])
  }

  @Test func `a session that has ended is neither locked nor inactive`() {
    var state = LogindState()
    _ = state.update(isLocked: true, isActive: false)
    #expect(state.sessionLost().map(name) == ["sessionUnlocked", "sessionActive"])
  }
}
