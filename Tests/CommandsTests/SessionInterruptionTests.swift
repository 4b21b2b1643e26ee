import HoldfastBroadcasting
import HoldfastLifecycle
import TestTraits
import Testing

@testable import HoldfastCommands

@Suite(.realTime) struct SessionInterruptionTests {
  private static let began = Lifecycle.Event.interruptionBegan(.system)
  private static let ended = Lifecycle.Event.interruptionEnded(.system)

  /// What `news` lead to, one after the other.
  private func events(on states: Set<SessionState>, _ news: [(SessionState, Bool)]) -> [Lifecycle.Event?] {
    var session = SessionInterruption(on: states)
    return news.map { session.update($0.0, isActive: $0.1) }
  }

  @Test(arguments: SessionState.allCases)
  func `a selected state interrupts as long as it lasts`(state: SessionState) {
    #expect(events(on: [state], [(state, true), (state, false)]) == [Self.began, Self.ended])
  }

  @Test(arguments: SessionState.allCases)
  func `any other state does not`(state: SessionState) {
    let others = Set(SessionState.allCases).subtracting([state])
    #expect(events(on: others, [(state, true), (state, false)]) == [nil, nil])
  }

  @Test func `of two that last the first interrupts, and the end of the last one ends it`() {
    let events = self.events(
      on: [.lock, .inactive], [(.lock, true), (.inactive, true), (.lock, false), (.inactive, false)])
    #expect(events == [Self.began, nil, nil, Self.ended])
  }

  @Test func `what is known already is no news`() {
    let events = self.events(
      on: [.lock], [(.lock, false), (.lock, true), (.lock, true), (.lock, false), (.lock, false)])
    #expect(events == [nil, Self.began, nil, Self.ended, nil])
  }
}
