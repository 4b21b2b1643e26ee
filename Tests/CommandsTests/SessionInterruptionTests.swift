import HoldfastBroadcasting
import HoldfastLifecycle
import TestTraits
import Testing

@testable import HoldfastBroadcastCommands

@Suite(.realTime) struct SessionInterruptionTests {
  private static let began = Lifecycle.Event.interruptionBegan(.system)
  private static let ended = Lifecycle.Event.interruptionEnded(.system)

  /// The events that `news` lead to, in order.
  private func events(on states: Set<SessionState>, _ news: [(SessionState, Bool)]) -> [Lifecycle.Event?] {
    var session = SessionInterruption(on: states)
    return news.map { session.update($0.0, isActive: $0.1) }
  }

  @Test(arguments: SessionState.allCases)
  func `a selected session state interrupts for as long as it lasts`(state: SessionState) {
    #expect(events(on: [state], [(state, true), (state, false)]) == [Self.began, Self.ended])
  }

  @Test(arguments: SessionState.allCases)
  func `a session state that is not selected does not interrupt`(state: SessionState) {
    let others = Set(SessionState.allCases).subtracting([state])
    #expect(events(on: others, [(state, true), (state, false)]) == [nil, nil])
  }

  @Test func `overlapping states interrupt from the first one's start to the last one's end`() {
    let events = self.events(
      on: [.lock, .inactive], [(.lock, true), (.inactive, true), (.lock, false), (.inactive, false)])
    #expect(events == [Self.began, nil, nil, Self.ended])
  }

  @Test func `a repeated session state changes nothing`() {
    let events = self.events(
      on: [.lock], [(.lock, false), (.lock, true), (.lock, true), (.lock, false), (.lock, false)])
    #expect(events == [nil, Self.began, nil, Self.ended, nil])
  }
}
