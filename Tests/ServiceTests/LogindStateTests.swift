import Testing

@testable import HoldfastService

@Suite struct LogindStateTests {
  @Test func `only a change of the sleep is news`() {
    var state = LogindState()
    let told = [false, true, true, false, false].map { state.update(isSleepNear: $0) }
    #expect(told == [false, true, false, true, false])
  }

  @Test func `only a change of the session is news`() {
    var state = LogindState()
    let learnt: [(Bool?, Bool?)] = [
      (false, true), (true, nil), (true, false), (nil, nil), (nil, true), (false, true),
    ]
    let told = learnt.map { locked, active in
      state.update(isLocked: locked, isActive: active).map(name)
    }
    #expect(told == [[], ["sessionLocked"], ["sessionInactive"], [], ["sessionActive"], ["sessionUnlocked"]])
  }

  @Test func `a complaint is made once, of each subject, until that works again`() {
    var state = LogindState()
    let told = [LogindState.Subject.bus, .bus, .inhibitor].map { state.noteFailure($0, "why").map(name) }
    #expect(told == [["note: why"], [], ["note: why"]])
    state.noteSuccess(.bus)
    #expect(state.noteFailure(.bus, "again").map(name) == ["note: again"])
  }

  @Test func `that the session is known is told once, and again after it was not`() {
    var state = LogindState()
    let told = [
      state.sessionFound(), state.sessionFound(), state.noteFailure(.session, "gone"),
      state.noteFailure(.session, "still gone"), state.sessionFound(),
    ].map { $0.map(name) }
    #expect(told == [["sessionIsKnown"], [], ["unknown: gone"], [], ["sessionIsKnown"]])
  }

  @Test func `a session that has ended is neither locked nor away`() {
    var state = LogindState()
    _ = state.update(isLocked: true, isActive: false)
    #expect(state.sessionLost().map(name) == ["sessionUnlocked", "sessionActive"])
  }
}
