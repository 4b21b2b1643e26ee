import HoldfastMediaModel
import HoldfastSession
import TestTables

@testable import HoldfastMembership

/// What becomes of a member in each state by whatever happens.
struct MembershipTable {
  /// A state as it is shown, and how a member comes there.
  static var states: [(name: String, reach: (inout MembershipStory) throws -> Void)] {
    [
      ("joining", { $0.handle(.started) }),
      ("absent", { try reach(.refused(404, "noSuchSession"), &$0) }),
      ("passwordNeeded", { try reach(.refused(409, "passwordNeeded"), &$0) }),
      ("refused", { try reach(.refused(401, "tokenExpired"), &$0) }),
      (
        "removed",
        {
          try $0.join()
          $0.passToDeadline()
          $0.fail(.refused(409, "removed"))
          $0.passToRequest()
        }
      ),
      (
        "joined",
        {
          try $0.join()
          $0.passToDeadline()
        }
      ),
      (
        "hubAway",
        {
          try $0.join()
          for _ in 0..<2 {
            $0.passToDeadline()
            $0.fail(.lost)
          }
          $0.passToDeadline()
        }
      ),
      (
        "leaving",
        {
          try $0.join()
          $0.handle(.leaveRequested)
        }
      ),
      ("superseded", { try end(.refused(409, "superseded"), &$0) }),
      ("over", { try end(.refused(409, "sessionOver"), &$0) }),
      (
        "left",
        {
          try $0.join()
          $0.handle(.leaveRequested)
          $0.handle(.left($0.request))
        }
      ),
    ]
  }

  /// Refused once, and asking again.
  private static func reach(_ failure: HubFailure, _ story: inout MembershipStory) throws {
    story.handle(.started)
    story.fail(failure)
    story.passToRequest()
  }

  private static func end(_ failure: HubFailure, _ story: inout MembershipStory) throws {
    try story.join()
    story.passToDeadline()
    story.fail(failure)
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
    let head = ["state"] + Self.states.map { "`\($0.name)`" }
    let lines = try Self.happenings.map { happening in
      try [happening.name]
        + Self.states.map { state in
          var story = try MembershipStory()
          try state.reach(&story)
          _ = story.takeActions()
          story.handle(try happening.event(story))
          return Self.cell(story, before: state.name)
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
