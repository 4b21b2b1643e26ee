import Foundation
import HoldfastMediaModel
import TestSupport

/// What happens to the boxes of one session, step by step.
struct Evening {
  let boxes: [SessionBox]
  let host: HubClient
  let session: String
  var ids: [String: String] = [:]
  /// Of boxes that are out of the session.
  var removed: Set<String> = []

  private var within: [SessionBox] { boxes.filter { !removed.contains($0.name) } }

  private func command(_ fields: JSONValue) throws -> HubClient.Answer {
    try host.command(fields, in: session)
  }

  private func isHost(_ name: String) -> Bool {
    (try? host.members(of: session))?[name]?.field("role") == .text("host")
  }

  /// Without tokens, the manager is the local user.
  mutating func begin(manager token: String?, _ checks: inout Claims) throws {
    try join(&checks)
    try transferHost(&checks)
    try mute(by: token, &checks)
    try remove(&checks)
    try killBox(&checks)
  }

  private mutating func join(_ checks: inout Claims) throws {
    let arePublishing = eventually(within: 60) {
      boxes.allSatisfy { $0.sessionStates.contains("publishing") }
    }
    checks.check(arePublishing, "five boxes have joined, and publish at the session")
    for (name, member) in try host.members(of: session) { ids[name] = member.field("id")?.text }
    checks.check(boxes.allSatisfy { ids[$0.name] != nil }, "the session shows them", "\(ids)")
  }

  private func transferHost(_ checks: inout Claims) throws {
    let id = JSONValue(ids["Centre"])
    let answer = try command(["command": "host", "target": id])
    checks.check(answer.status == 200 && isHost("Centre"), "the host's role was handed over", answer.verdict)
  }

  /// By a person who was made a manager, and who joins as a page does.
  private func mute(by token: String?, _ checks: inout Claims) throws {
    let join: JSONValue = ["key": "the-key-of-a-person", "name": "Max", "kind": "person"]
    let max = try host.send("POST", "/v1/sessions/\(session)/join", join, token: token)
    let manager = try command(["command": "manager", "target": max["member"] ?? .null])
    checks.check(manager.status == 200, "a person was made a manager", manager.verdict)
    let box = boxes[2]
    func send(_ word: String) throws -> Double {
      let body: JSONValue = [
        "command": .text(word), "target": JSONValue(ids[box.name]), "tracks": .list(["audio", "video"]),
      ]
      let answer = try host.send(
        "POST", "/v1/sessions/\(session)/commands", body, token: token, lease: max["lease"]?.text)
      guard answer.status == 200 else { throw TestFailure("\(word): \(answer.verdict)") }
      return Date().timeIntervalSince1970
    }
    let answered = try send("mute")
    func mutes(_ isMuted: Bool) -> [Double] { box.times(of: "mute") { $0["muted"] as? Bool == isMuted } }
    _ = eventually(within: 10) { mutes(true).count == 2 }
    let delay = (mutes(true).max() ?? .infinity) - answered
    checks.check(
      delay <= 0.5,
      "muted by a manager: black and silent \(figure(delay * 1000, 0)) ms after the answer")
    let isTold = eventually { !box.subject.events("sessionMute").isEmpty }
    checks.check(isTold, "its events tell who did that")
    Thread.sleep(forTimeInterval: 3)
    _ = try send("unmute")
    checks.check(eventually(within: 10) { mutes(false).count == 2 }, "unmuted again")
  }

  private mutating func remove(_ checks: inout Claims) throws {
    let box = boxes[3]
    let answer = try command(["command": "remove", "target": JSONValue(ids[box.name])])
    checks.check(answer.status == 200, "one was removed", answer.verdict)
    checks.check(
      eventually(within: 10) { box.sessionStates.contains("closed") }, "its output at the session closes")
    let before = try box.subject.mediaTime()
    checks.check(
      eventually(within: 10) { ((try? box.subject.mediaTime()) ?? 0) > before + 2 }, "its recording goes on")
    removed.insert(box.name)
  }

  private func killBox(_ checks: inout Claims) throws {
    let box = boxes[4]
    try box.killAndRestart()
    let isBack = eventually(within: 60) {
      guard let member = try? host.members(of: session)[box.name] else { return false }
      return member.field("state") == .text("live") && member.field("id")?.text == ids[box.name]
    }
    checks.check(isBack, "one was killed, and is back as the same member")
  }

  func goOn(after trouble: String, _ checks: inout Claims) throws {
    let isWell = eventually(within: 60) {
      guard let members = try? host.members(of: session) else { return false }
      return within.allSatisfy { box in
        members[box.name]?.field("id")?.text == ids[box.name]
          && members[box.name]?.field("silent") == .bool(false)
      }
    }
    checks.check(
      isWell, "\(trouble): all are there, as the same members", try? "\(host.members(of: session))")
    let arePublishing = eventually(within: 30) { within.allSatisfy { $0.sessionStates.last == "publishing" } }
    checks.check(arePublishing, "and publish at the session")
    checks.check(within.allSatisfy { !$0.subject.hasEnded }, "nobody has ended")
  }

  /// The store stands still for 30 s.
  func withoutStore(_ checks: inout Claims, back: () -> Void) throws {
    let answer = try command(["command": "lock"])
    checks.check(answer.verdict == "503 storeAway", "the store away: changes are refused", answer.verdict)
    let health = try host.send("GET", "/healthz")
    checks.check(health.status == 200, "the hub stays green")
    Thread.sleep(forTimeInterval: 30)
    checks.check(within.allSatisfy { !$0.subject.hasEnded }, "nobody has ended for that")
    back()
    try goOn(after: "the store was away for 30 s", &checks)
    checks.check(isHost("Centre"), "the host is still host")
  }

  func end(_ checks: inout Claims) throws {
    let answer = try command(["command": "limit", "length": "1s"])
    let extended =
      answer.status == 200
      ? answer : try command(["command": "limit", "length": .integer(secondsOn + 8)])
    checks.check(extended.status == 200, "its time was limited", extended.verdict)
    let haveEnded = eventually(within: 60) { within.allSatisfy(\.subject.hasEnded) }
    checks.check(haveEnded, "the session is over by its time, and its boxes have ended")
    for box in boxes {
      if removed.contains(box.name) {
        checks.check(!box.subject.hasEnded, "\(box.name), which was removed, goes on")
        box.subject.finish()
      }
      box.subject.waitForEnd()
      checks.check(box.subject.status == 0, "\(box.name) ended with status 0", box.subject.log)
      let complaint = try box.folder.complaint()
      checks.check(complaint == nil, "\(box.name)'s recording is whole, its gap map true", complaint)
    }
    let reasons = Set(within.flatMap { $0.subject.values("reason", of: "ended") })
    checks.check(reasons == ["sessionOver"], "the reason was sessionOver", "\(reasons)")
  }

  /// How long the session has been live; its limit counts from there.
  private var secondsOn: Int64 {
    let first = boxes.compactMap { $0.times(of: "live").first }.min() ?? Date().timeIntervalSince1970
    return Int64(Date().timeIntervalSince1970 - first)
  }
}
