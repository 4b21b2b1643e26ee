import HoldfastMediaModel
import TestTables

@testable import HoldfastSession

/// Who may do what, and what each command does, as the documentation shows it.
struct SessionTable {
  /// Rights by role, and by the token of somebody who has not joined.
  var rights: String {
    let standings: [Session.Standing] = [.host, .participant, .worker, .operator, .local]
    let header = ["may"] + Session.Role.allCases.map(\.rawValue) + standings.map { "`\($0.rawValue)`" }
    let rows = Session.Permission.allCases.map { permission in
      ["\(permission.purpose) (`\(permission.rawValue)`)"]
        + Session.Role.allCases.map { $0.permissions.contains(permission) ? "yes" : "" }
        + standings.map { $0.permissions.contains(permission) ? "yes" : "" }
    }
    return markdownTable([header] + rows)
  }

  /// The events or the refusal of each command, by who gives it and when.
  func commands() throws -> String {
    var rows = [["command", "no session", "host", "manager", "participant", "worker's token", "ended"]]
    for word in Session.Command.Word.allCases {
      for ofOthers in Self.hasTwoMeanings.contains(word) ? [false, true] : [true] {
        let label = Self.hasTwoMeanings.contains(word) ? (ofOthers ? ", another" : ", oneself") : ""
        rows.append(["`\(word.rawValue)`\(label)"] + (try cells(word, ofOthers)))
      }
    }
    return markdownTable(rows)
  }

  private static let hasTwoMeanings: Set<Session.Command.Word> = [.rename, .mute, .unmute]

  private func cells(_ word: Session.Command.Word, _ ofOthers: Bool) throws -> [String] {
    let story = try Self.story(for: word, ofOthers)
    let command = try story.sample(word, ofOthers: ofOthers, joiningAs: .programme)
    let host = Session.Caller.token(Session.Credential(.host, token: "another"))
    let worker = Session.Caller.token(Session.Credential(.worker, token: "worker"))
    var none = SessionStory()
    var ended = story
    ended.apply(.end, by: host)
    let isJoin = word == .join
    let members = try ["Anna", "Max", "Right"].map { name in
      var story = story
      let command = isJoin && name == "Right" ? try story.sample(.join) : command
      let standing: Session.Standing = name == "Right" ? .participant : .host
      let caller: Session.Caller =
        isJoin ? .token(Session.Credential(standing, token: "new")) : story.caller(name)
      return Self.text(story.apply(command, by: caller))
    }
    var working = story
    return [Self.text(none.apply(command, by: host))] + members
      + [
        Self.text(working.apply(command, by: worker)),
        Self.text(ended.apply(command, by: isJoin ? host : story.caller("Right"))),
      ]
  }

  /// A busy session in which the command has something to do.
  private static func story(for word: Session.Command.Word, _ ofOthers: Bool) throws -> SessionStory {
    var story = SessionStory.busy
    let names = ["Anna", "Max", "Right"]
    switch word {
    case .unmute where ofOthers: story.apply(.mute(story.id("Left"), [.audio]), by: "Anna")
    case .unmute: for name in names { story.apply(.mute(nil, [.audio]), by: name) }
    case .answer:
      for name in names {
        story.apply(.mute(nil, [.audio]), by: name)
        story.apply(.unmute(story.id(name), [.audio]), by: .token(Session.Credential(.host)))
      }
    case .unlock, .unlockScreens: story.apply(.lock, .lockScreens, by: "Anna")
    case .unshare: for name in names { story.apply(.share, by: name) }
    case .extend: story.apply(.limit(.seconds(3600)), by: "Anna")
    case .readmit:
      story.join("Gone")
      story.apply(.remove(story.id("Gone")), by: "Anna")
    case .offAir, .take: story.apply(try story.sample(.live), by: "Anna")
    case .work:
      story.apply(try story.sample(.live), by: "Anna")
      story.apply(try story.sample(.take), by: .token(Session.Credential(.worker)))
    case .reclaim:
      // Right was host before, and was away.
      story = SessionStory(("Right", .host, .person), ("Anna", .host, .person), ("Max", .host, .person))
      story.apply(.leave, by: "Right")
      story.apply(.manager(story.id("Max")), by: "Anna")
      story.rejoin("Right")
    default: break
    }
    return story
  }

  private static func text(_ outcome: SessionStory.Outcome) -> String {
    switch outcome {
    case .success(let events): events.isEmpty ? "accepted" : events.map(\.name).joined(separator: ", ")
    case .failure(let refusal): "*\(refusal.code)*"
    }
  }
}
