import Foundation
import HoldfastMediaModel
import HoldfastSession
import Testing

@testable import HoldfastMembership

/// Every event in every state.
@Suite struct MembershipTableTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/membership.md")

  @Test func `the table in the documentation matches the machine`() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let parts = page.components(separatedBy: "<!-- states -->\n")
    let shown = parts.count == 3 ? parts[1] : ""
    let right = try MembershipTable().text() + "\n"
    #expect(
      shown == right, "between the two lines <!-- states --> of docs/membership.md belongs:\n\(right)")
  }

  private static func stories() throws -> [MembershipStory] {
    var stories: [MembershipStory] = []
    func add(_ reach: (inout MembershipStory) throws -> Void) throws {
      var story = try MembershipStory()
      try reach(&story)
      _ = story.takeActions()
      stories.append(story)
    }
    for state in MembershipTable.State.allCases { try add(state.reach) }
    try add { _ in }
    // Between two requests, and with a command on its way.
    try add { story in
      story.handle(.started)
      story.fail(.lost)
    }
    for step in 0..<3 {
      try add { story in
        try story.join()
        if step > 0 { story.handle(.ordered(.mute([.audio]), id: "one")) }
        if step > 1 { story.handle(.streamClosed(story.stream, .lost)) }
      }
    }
    for isIdle in [true, false] {
      try add { story in
        try story.join()
        if !isIdle { story.passToDeadline() }
        story.handle(.leaveRequested)
        if isIdle { story.fail(.lost) }
      }
    }
    try add { $0.handle(.started, .failed(1, .lost), .broadcastEnded) }
    return stories
  }

  private static func outcomes(of number: Int) throws -> [MembershipMachine.Event] {
    [
      .joined(number, try MembershipStory.joinAnswer()), .beaten(number, MembershipStory.beatAnswer()),
      .commanded(number), .left(number), .streamOpened(number),
      .streamed(number, HubEvent(id: "9-9", name: "ended", data: Session.Event.ended(.time).json)),
      .streamClosed(number, .lost),
    ]
      + [
        "leaseOver", "superseded", "sessionOver", "removed", "passwordWrong", "locked", "storeAway",
        "notAllowed",
      ].flatMap { code in
        [.failed(number, .refused(409, code)), .streamClosed(number, .refused(409, code))]
      }
  }

  @Test(arguments: [-1, 900])
  func `outcomes of earlier and of unknown requests change nothing in any state`(number: Int) throws {
    for story in try Self.stories() {
      for event in try Self.outcomes(of: number) {
        var after = story
        after.handle(event)
        #expect(after.machine.state == story.machine.state, "\(event)")
        #expect(after.actions == [], "\(event)")
      }
    }
  }

  @Test
  func `whatever happens in whatever state, one request is on its way, and time is not due twice`() throws {
    var events: [MembershipMachine.Event] = [
      .started, .timePassed, .networkChanged, .reported(Session.Member.Report()),
      .measured(["loss": .integer(1)]), .sourcesOpened, .passwordGiven("word"), .leaveRequested,
      .broadcastEnded, .broadcastRenewed,
    ]
    events += try [
      .mute([.audio]), .unmute([.audio]), .answer(true), .rename(Session.DisplayName("New")), .ready,
    ]
    .map { .ordered($0, id: "id") }
    for story in try Self.stories() {
      let mine = try Self.outcomes(of: story.request) + Self.outcomes(of: story.stream)
      for event in events + mine {
        var after = story
        after.handle(event)
        if let deadline = after.machine.nextDeadline { #expect(deadline > after.now, "\(event)") }
        let sent = after.actions.filter { $0.isRequest && !$0.isStream }
        #expect(sent.count <= (after.request == 0 ? 0 : 1), "\(event): \(sent)")
        if sent.isEmpty, after.request != 0 { #expect(after.request == story.request, "\(event)") }
      }
    }
  }

  @Test func `who is out for good sends nothing more`() throws {
    for story in try Self.stories() {
      switch story.machine.state {
      case .superseded, .over, .left, .finished: break
      case .idle, .joining, .joined, .leaving: continue
      }
      var after = story
      for number in 0...story.request + 3 {
        for event in try Self.outcomes(of: number) { after.handle(event) }
      }
      after.handle(.networkChanged, .sourcesOpened, .passwordGiven("word"), .started)
      after.pass(.seconds(100_000))
      #expect(after.actions.filter(\.isRequest) == [])
      #expect(after.machine.nextDeadline == nil)
    }
  }

  @Test func `only the end of the session ends the broadcast`() throws {
    for story in try Self.stories() {
      for event in try Self.outcomes(of: story.request) + Self.outcomes(of: story.stream) {
        var after = story
        after.handle(event)
        guard after.actions.contains(.endBroadcast) else { continue }
        switch event {
        case .failed(_, .refused(let refusal)), .streamClosed(_, .refused(let refusal)):
          #expect(refusal.code == "sessionOver")
        default: Issue.record("\(event) ends the broadcast")
        }
      }
    }
  }
}

extension MembershipMachine.Action {
  fileprivate var isStream: Bool {
    if case .openStream = self { true } else { false }
  }
}
