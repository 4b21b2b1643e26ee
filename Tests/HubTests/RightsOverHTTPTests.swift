import Foundation
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastHub
@testable import HoldfastTokens

/// All roles and all commands over HTTP: what is answered is what the documentation says.
@Suite struct RightsOverHTTPTests {
  /// The rows of the documentation's table: what each column says, by the command's label.
  private static let documented: [String: [String: String]] = {
    let page = (try? String(contentsOfFile: Repository.path("docs/sessions.md"), encoding: .utf8)) ?? ""
    let table = page.components(separatedBy: "<!-- commands -->").dropFirst().first ?? ""
    let lines = table.split(separator: "\n").filter { $0.hasPrefix("|") }
    let rows = lines.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    guard let columns = rows.first else { return [:] }
    let pairs = rows.dropFirst(2).map { row in
      (row[0], Dictionary(zip(columns.dropFirst(), row.dropFirst())) { $1 })
    }
    return Dictionary(pairs) { $1 }
  }()

  static let commands = documented.keys.filter { !["`join`", "`report`"].contains($0) }.sorted()

  /// A session with a host, a manager and two participants, in the state in which the command has something to do.
  private struct Stage {
    let hub: TestHub
    var anna: TestHub.Member
    var max: TestHub.Member
    var right: TestHub.Member
    var left: TestHub.Member
    let worker: String
    var gone: String?
    var job: (id: String, lease: String)?

    var members: [TestHub.Member] { [anna, max, right] }

    init(for label: String) throws {
      hub = try TestHub()
      worker = try hub.token(.worker)
      let host = try hub.token(.host, name: "host")
      if label == "`reclaim`" {
        // Right was host before, and left.
        let token = try hub.token(.host, name: "right")
        right = try hub.join("Right", .person, token: token)
        anna = try hub.join("Anna", .person, token: host)
        max = try hub.join("Max", .person, token: hub.token(.host, name: "max"))
        _ = try hub.command(["command": "leave"], by: right)
        right = try hub.join("Right", .person, token: token)
      } else {
        anna = try hub.join("Anna", .person, token: host)
        max = try hub.join("Max", .person, token: hub.token(.host, name: "max"))
        right = try hub.join("Right", token: hub.token(.participant, name: "right"))
      }
      left = try hub.join("Left", token: hub.token(.participant, name: "left"))
      _ = try hub.command(["command": "manager", "target": .text(max.id)], by: anna)
      try prepare(label)
    }

    private mutating func prepare(_ label: String) throws {
      let host = try hub.token(.host, name: "another")
      switch label {
      case "`unmute`, another": _ = try hub.command(["command": "mute", "target": .text(left.id)], by: anna)
      case "`unmute`, oneself": for member in members { _ = try hub.command(["command": "mute"], by: member) }
      case "`answer`":
        for member in members {
          _ = try hub.command(["command": "mute"], by: member)
          _ = try hub.command(["command": "unmute", "target": .text(member.id)], token: host)
        }
      case "`unlock`": _ = try hub.command(["command": "lock"], by: anna)
      case "`unlock-screens`": _ = try hub.command(["command": "lock-screens"], by: anna)
      case "`unshare`": for member in members { _ = try hub.command(["command": "share"], by: member) }
      case "`extend`": _ = try hub.command(["command": "limit", "length": "1h"], by: anna)
      case "`readmit`":
        let member = try hub.join("Gone", token: hub.token(.participant, name: "gone"))
        gone = member.id
        _ = try hub.command(["command": "remove", "target": .text(member.id)], by: anna)
      case "`off-air`", "`take`", "`work`":
        _ = try hub.command(["command": "live", "outputs": .list(["rtmp://localhost/live/a"])], by: anna)
        let state = try hub.send("GET", "/v1/sessions/Hall", token: worker)
        let id = state["onAir"]?.field("job")?.text ?? ""
        if label == "`work`" {
          _ = try hub.command(["command": "take", "job": .text(id), "worker": "w"], token: worker)
        }
        job = (id, try hub.jobLease())
      default: break
      }
    }

    func body(_ label: String, _ word: String) -> JSONValue {
      var fields: [String: JSONValue] = ["command": .text(word), "requestId": "1"]
      switch label {
      case "`rename`, oneself": fields["name"] = "New"
      case "`rename`, another": fields.merge(["target": .text(left.id), "name": "New"]) { $1 }
      case "`host`", "`revoke`": fields["target"] = .text(max.id)
      case "`manager`", "`remove`", "`mute`, another", "`unmute`, another": fields["target"] = .text(left.id)
      case "`readmit`": fields["target"] = .text(gone ?? "")
      case "`answer`": fields["agrees"] = .bool(true)
      case "`password`": fields["password"] = "secret"
      case "`limit`": fields["length"] = "1h"
      case "`extend`": fields["by"] = "10m"
      case "`event`": fields.merge(["name": "goal", "data": .integer(1)]) { $1 }
      case "`live`": fields["outputs"] = .list(["rtmp://localhost/live/a"])
      case "`take`": fields.merge(["job": .text(job?.id ?? ""), "worker": "w"]) { $1 }
      case "`work`": fields.merge(["lease": .text(job?.lease ?? "1.1"), "state": "live"]) { $1 }
      default: break
      }
      return .object(fields.sorted { $0.key < $1.key }.map { JSONValue.Field($0.key, $0.value) })
    }
  }

  @Test(arguments: commands)
  func `each command is answered as documented, whoever gives it`(label: String) throws {
    let expected = try #require(Self.documented[label])
    let word = label.split(separator: "`").first.map(String.init) ?? ""
    var answers: [String: TestHub.Answer] = [:]
    for (column, choose) in [
      ("host", { $0.anna }), ("manager", { $0.max }), ("participant", { $0.right }),
    ] as [(String, (Stage) -> TestHub.Member)] {
      let stage = try Stage(for: label)
      answers[column] = try stage.hub.command(stage.body(label, word), by: choose(stage))
    }
    var stage = try Stage(for: label)
    answers["worker's token"] = try stage.hub.command(stage.body(label, word), token: stage.worker)
    stage = try Stage(for: label)
    _ = try stage.hub.command(["command": "end"], by: stage.anna)
    answers["ended"] = try stage.hub.command(stage.body(label, word), by: stage.right)
    let nowhere = try TestHub()
    answers["no session"] = try nowhere.command(stage.body(label, word), token: nowhere.token(.host))
    #expect(answers.mapValues(Self.text) == expected)
  }

  private static func text(_ answer: TestHub.Answer) -> String {
    guard answer.status == 200, case .list(let events)? = answer["events"] else {
      return "*\(answer.json.field("error")?.field("code")?.text ?? "\(answer.status)")*"
    }
    return events.isEmpty ? "accepted" : events.compactMap(\.text).joined(separator: ", ")
  }
}

extension TestHub {
  /// The newest lease of the session: that of the job, just after it was taken.
  fileprivate func jobLease() throws -> String {
    var store = store
    let session = try store.load(.hall, asking: nil).session
    return session.meeting?.job?.holder?.lease.description ?? ""
  }
}
