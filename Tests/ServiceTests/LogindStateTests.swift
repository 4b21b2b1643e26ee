import Testing

@testable import HoldfastService

@Suite struct LogindStateTests {
  @Test func `only a change of the sleep is news`() {
    var state = LogindState()
    let told = [false, true, true, false, false].map { state.learn(isSleepNear: $0) }
    #expect(told == [false, true, false, true, false])
  }

  @Test func `only a change of the session is news`() {
    var state = LogindState()
    let learnt: [(Bool?, Bool?)] = [
      (false, true), (true, nil), (true, false), (nil, nil), (nil, true), (false, true),
    ]
    let told = learnt.map { locked, active in
      state.learn(isLocked: locked, isActive: active).map(name)
    }
    #expect(told == [[], ["sessionLocked"], ["sessionInactive"], [], ["sessionActive"], ["sessionUnlocked"]])
  }

  @Test func `a complaint is made once`() {
    var state = LogindState()
    let told = ["first", "second"].map { state.complain(.bus, $0).map(name) }
    #expect(told == [["note: first"], []])
  }

  @Test func `a complaint of something else is made, too`() {
    var state = LogindState()
    _ = state.complain(.bus, "first")
    #expect(state.complain(.inhibitor, "second").map(name) == ["note: second"])
  }

  @Test func `that the session is known is told once, and again after it was not`() {
    var state = LogindState()
    let told = [
      state.findSession(), state.findSession(), state.complain(.session, "gone"),
      state.complain(.session, "still gone"), state.findSession(),
    ].map { $0.map(name) }
    #expect(told == [["sessionIsKnown"], [], ["unknown: gone"], [], ["sessionIsKnown"]])
  }

  @Test func `a session that has ended is neither locked nor away`() {
    var state = LogindState()
    _ = state.learn(isLocked: true, isActive: false)
    #expect(state.loseSession().map(name) == ["sessionUnlocked", "sessionActive"])
  }

  @Test func `what has worked in between is complained of again`() {
    var state = LogindState()
    _ = state.complain(.bus, "first")
    state.works(.bus)
    #expect(state.complain(.bus, "second").map(name) == ["note: second"])
  }
}
