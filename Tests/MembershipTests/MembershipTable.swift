import HoldfastMediaModel
import HoldfastSession
import TestTables

@testable import HoldfastMembership

/// What becomes of a member in each state by whatever happens.
struct MembershipTable {
  /// As they are shown.
  enum State: String, CaseIterable {
    case joining, absent, passwordNeeded, refused, removed, joined, hubAway, leaving, superseded, over, left

    /// Lets a member that has just begun come there.
    func reach(_ story: inout MembershipStory) throws {
      switch self {
      case .joining: story.handle(.started)
      case .absent: refuse(.refused(404, "noSuchSession"), &story)
      case .passwordNeeded: refuse(.refused(409, "passwordNeeded"), &story)
      case .refused: refuse(.refused(401, "tokenExpired"), &story)
      case .removed:
        try end(.refused(409, "removed"), &story)
        story.passToRequest()
      case .joined:
        try story.join()
        story.passToDeadline()
      case .hubAway:
        try story.join()
        for _ in 0..<2 {
          story.passToDeadline()
          story.fail(.lost)
        }
        story.passToDeadline()
      case .leaving:
        try story.join()
        story.handle(.leaveRequested)
      case .superseded: try end(.refused(409, "superseded"), &story)
      case .over: try end(.refused(409, "sessionOver"), &story)
      case .left:
        try story.join()
        story.handle(.leaveRequested)
        story.handle(.left(story.request))
      }
    }

    /// Once, and the member asks again.
    private func refuse(_ failure: HubFailure, _ story: inout MembershipStory) {
      story.handle(.started)
      story.retry(after: failure)
    }

    private func end(_ failure: HubFailure, _ story: inout MembershipStory) throws {
      try story.join()
      story.passToDeadline()
      story.fail(failure)
    }
  }

  typealias Happening = (name: String, event: (MembershipStory) throws -> MembershipMachine.Event)

  /// What happens to the request that is on its way.
  static var happenings: [Happening] {
    [
      (
        "accepted",
        { story in
          switch story.machine.state {
          case .joining: .joined(story.request, try MembershipStory.joinAnswer())
          case .leaving: .left(story.request)
          case .idle, .joined, .superseded, .over, .left, .finished:
            .beaten(story.request, MembershipStory.beatAnswer(3))
          }
        }
      )
    ]
      + [
        ("`leaseOver`", 409), ("`superseded`", 409), ("`sessionOver`", 409), ("`removed`", 409),
        ("`noSuchSession`", 404), ("`locked`", 409), ("`full`", 409), ("`passwordNeeded`", 409),
        ("`passwordWrong`", 409), ("`tokenExpired`", 401), ("`notAllowed`", 403), ("`notFound`", 404),
        ("`storeAway`", 503), ("`tooManyFailures`", 429),
      ].map { name, status in
        let code = String(name.dropFirst().dropLast())
        return (name, { .failed($0.request, .refused(status, code)) })
      }
      + [
        ("no answer", { .failed($0.request, .lost) }),
        ("told to leave", { _ in .leaveRequested }),
        ("the broadcast ended", { _ in .broadcastEnded }),
      ]
  }

  func text() throws -> String {
    let head = ["state"] + State.allCases.map { "`\($0.rawValue)`" }
    let lines = try Self.happenings.map { happening in
      try [happening.name]
        + State.allCases.map { state in
          var story = try MembershipStory()
          try state.reach(&story)
          _ = story.takeActions()
          story.handle(try happening.event(story))
          return Self.cell(story, before: state.rawValue)
        }
    }
    return markdownTable([head] + lines)
  }

  /// The state if it is another one, and what the broadcast has to do.
  private static func cell(_ story: MembershipStory, before: String) -> String {
    var words: [String] = []
    let state = story.machine.isFinished ? "finished" : story.machine.snapshot.state
    if state != before { words.append(state) }
    for action in story.actions {
      switch action {
      case .publish: words.append("publish")
      case .unpublish: words.append("unpublish")
      case .endBroadcast: words.append("**end**")
      case .askPassword: words.append("ask")
      case .remember, .send, .openStream, .closeStream, .changeHub, .mute, .showScreen, .report:
        break
      }
    }
    return words.joined(separator: ", ")
  }
}
