import HoldfastMediaModel
import HoldfastPlatform

/// A session's state and events as people read them.
enum SessionText {
  /// A few lines.
  static func status(_ state: JSONValue) -> String {
    let members = state.field("members")?.elements ?? []
    var rows = [["session", text(state.field("name"))]]
    if let why = state.field("ended")?.text {
      rows.append(["state", "over (\(why.printable))"])
      return table(rows)
    }
    let host = members.first { $0.field("id")?.text == state.field("host")?.text }
    rows.append(["host", host.map { "\(text($0.field("name")))  [\(text($0.field("id")))]" } ?? "nobody"])
    let others = ["away", "removed"].compactMap { list in
      state.field(list)?.elements.flatMap { $0.isEmpty ? nil : "\($0.count) \(list)" }
    }
    rows.append([
      "members", ([members.isEmpty ? "nobody" : "\(members.count)"] + others).joined(separator: ", "),
    ])
    rows.append(["locked", isTrue(state.field("locked")) ? "yes" : "no"])
    rows.append(["password", isTrue(state.field("hasPassword")) ? "yes" : "no"])
    rows.append(["screens", isTrue(state.field("screensLocked")) ? "locked" : "free"])
    rows.append(["time", time(state.field("timer") ?? .null)])
    rows.append(["on air", onAir(state.field("onAir") ?? .null)])
    return table(rows)
  }

  private static func time(_ timer: JSONValue) -> String {
    guard let end = timer.field("endsAt")?.text else {
      return timer.field("startedAt")?.text.map { "since \($0.printable), no limit" } ?? "no limit"
    }
    guard case .integer(let left)? = timer.field("secondsLeft"), (0...Int64(1 << 31)).contains(left) else {
      return "until \(end.printable)"
    }
    return "\(age(.seconds(left))) left, until \(end.printable)"
  }

  private static func onAir(_ job: JSONValue) -> String {
    guard let state = job.field("state")?.text else { return "no" }
    let reason = job.field("reason")?.text.map { " (\($0.printable))" } ?? ""
    guard case .integer(let outputs)? = job.field("outputs") else { return state.printable + reason }
    return "\(state.printable)\(reason), \(outputs) \(outputs == 1 ? "output" : "outputs")"
  }

  /// A line for each member, then for those who are away and those who were removed.
  static func members(_ state: JSONValue) -> String {
    let now = state.field("at")?.text.flatMap(WallTime.init(rfc3339:))
    func since(_ value: JSONValue?) -> String {
      guard let now, let then = value?.text.flatMap(WallTime.init(rfc3339:)) else { return "–" }
      return age(max(.zero, MediaTime(nanoseconds: now.nanoseconds - then.nanoseconds)))
    }
    var rows = [["name", "role", "kind", "state", "muted", "last beat", "id"]]
    for member in state.field("members")?.elements ?? [] {
      let isSilent = isTrue(member.field("silent"))
      rows.append([
        text(member.field("name")), text(member.field("role")), text(member.field("kind")),
        text(member.field("state")) + (isSilent ? ", silent" : ""), tracks(member.field("muted")),
        since(member.field("lastBeat")), text(member.field("id")),
      ])
    }
    for member in state.field("away")?.elements ?? [] {
      rows.append([
        text(member.field("name")), text(member.field("role")), text(member.field("kind")),
        "away (\(text(member.field("why"))))", "–", since(member.field("lastSeen")), text(member.field("id")),
      ])
    }
    for member in state.field("removed")?.elements ?? [] {
      rows.append([text(member.field("name")), "–", "–", "removed", "–", "–", text(member.field("id"))])
    }
    return rows.count == 1 ? "no members" : table(rows)
  }

  private static func tracks(_ value: JSONValue?) -> String {
    let tracks = value?.elements?.compactMap(\.text).map(\.printable) ?? []
    return tracks.isEmpty ? "no" : tracks.joined(separator: ", ")
  }

  /// `5 s`, `2 min 5 s`, `1 h 2 min`.
  private static func age(_ length: MediaTime) -> String {
    let seconds = length.wholeSeconds
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  static func text(_ value: JSONValue?) -> String {
    guard let text = value?.text?.printable, !text.isEmpty else { return "–" }
    return text
  }

  private static func isTrue(_ value: JSONValue?) -> Bool { value == .bool(true) }

  private static func table(_ rows: [[String]]) -> String {
    CtlStatusTable.aligned(rows, margin: "").joined(separator: "\n")
  }

  /// What a command has done, by the events that it made.
  static func outcome(_ answer: JSONValue, of name: String) -> String {
    let events = answer.field("events")?.elements?.compactMap(\.text).map(\.printable) ?? []
    return "\(name.printable): \(events.isEmpty ? "done" : events.joined(separator: ", "))"
  }
}
