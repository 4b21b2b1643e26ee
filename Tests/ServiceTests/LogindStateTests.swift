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
    let told = learnt.map { locked, active in
      state.update(isLocked: locked, isActive: active).map(name)
    }
    #expect(told == [[], ["sessionLocked"], ["sessionInactive"], [], ["sessionActive"], ["sessionUnlocked"]])
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
