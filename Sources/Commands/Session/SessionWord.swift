import HoldfastMediaModel
import HoldfastSession

/// A word of `holdfast session`, its arguments and its meaning.
struct SessionWord: Sendable {
  let name: String
  let arguments: String
  let meaning: String
  private let counts: ClosedRange<Int>
  /// `actsAsMember`: the member itself may be left out.
  private let make: @Sendable (_ words: [String], _ actsAsMember: Bool) throws(Refusal) -> SessionAction

  private init(
    _ name: String, _ meaning: String, with arguments: String = "", takes counts: ClosedRange<Int> = 0...0,
    make: @escaping @Sendable ([String], Bool) throws(Refusal) -> SessionAction
  ) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
    self.counts = counts
    self.make = make
  }

  private init(
    _ word: Session.Command.Word, _ meaning: String, with arguments: String = "",
    takes counts: ClosedRange<Int> = 0...0,
    make: @escaping @Sendable ([String]) throws(Refusal) -> SessionAction
  ) {
    self.init(word.rawValue, meaning, with: arguments, takes: counts) { words, _ throws(Refusal) in
      try make(words)
    }
  }

  private init(_ word: Session.Command.Word, _ meaning: String, _ command: Session.Command) {
    self.init(word, meaning) { _ in .command(command) }
  }

  private init(_ word: Session.Command.Word, _ meaning: String, member: SessionAction.MemberCommand) {
    self.init(word, meaning, with: "MEMBER", takes: 1...1) { .member(member, MemberReference($0[0])) }
  }

  func action(_ words: [String], actsAsMember: Bool) throws(Refusal) -> SessionAction {
    if arguments.isEmpty, let extra = words.first {
      throw Refusal(.usage, shown(extra), "session \(name) takes no arguments", "leave it out")
    }
    guard counts.contains(words.count), !words.contains("") else {
      throw Refusal(
        .usage, "session \(name)", words.count > counts.upperBound ? "too many values" : "a value is missing",
        "write \(name) \(arguments)")
    }
    return try make(words, actsAsMember)
  }

  static func named(_ name: String?) throws(Refusal) -> SessionWord {
    let names = all.map(\.name)
    guard let name else {
      throw Refusal(.usage, "session", "no command", "use one of \(names.joined(separator: ", "))")
    }
    if let word = all.first(where: { $0.name == name }) { return word }
    throw Refusal(
      .usage, unknown: "session \(shown(name))", name: name, kind: "command", among: names,
      see: "holdfast help session")
  }

  static let all: [SessionWord] = [
    SessionWord("status", "show the session in a few lines") { _, _ in .status },
    SessionWord("members", "list the members, and who is away or was removed") { _, _ in .members },
    SessionWord("events", "print what happens, until Ctrl-C") { _, _ in .events },
    SessionWord(.rename, "give a member another name", with: "MEMBER NAME", takes: 2...2) {
      (words) throws(Refusal) in
      let name = try allowed(Session.DisplayName(words[1]), for: "session rename")
      return .member(.rename(name), MemberReference(words[0]))
    },
    SessionWord(.host, "hand the host's role over", member: .host),
    SessionWord(.reclaim, "take the host's role back after an absence, with --as", .reclaim),
    SessionWord(.manager, "make a member a manager", member: .manager),
    SessionWord(.revoke, "take the manager's role away", member: .revoke),
    SessionWord(.remove, "put a member out until the session is over", member: .remove),
    SessionWord(.readmit, "let a removed member come in again", member: .readmit),
    muting(.mute, "mute a member, audio by default; with --as oneself, without MEMBER"),
    muting(.unmute, "unmute a member, or ask it to unmute what it muted itself"),
    SessionWord(.answer, "answer to being asked to unmute, with --as", with: "yes|no", takes: 1...1) {
      (words) throws(Refusal) in
      guard let agrees = ["yes": true, "no": false][words[0]] else {
        throw Refusal(
          .usage, "session answer \(shown(words[0]))", "unknown value", "write answer yes, or answer no")
      }
      return .command(.answer(agrees))
    },
    SessionWord(.muteAll, "mute all but host and managers", with: "[video|audio|both]", takes: 0...1) {
      (words) throws(Refusal) in .command(.muteAll(try tracks(words.first, of: "mute-all")))
    },
    SessionWord(.lock, "let nobody new join", .lock),
    SessionWord(.unlock, "let others join again", .unlock),
    SessionWord(
      "screen", "show a box's screen in place of its camera, with --as", with: "on|off", takes: 1...1
    ) { (words, _) throws(Refusal) in
      guard let isShown = ["on": true, "off": false][words[0]] else {
        throw Refusal(
          .usage, "session screen \(shown(words[0]))", "unknown value", "write screen on, or screen off")
      }
      return .command(isShown ? .share : .unshare)
    },
    SessionWord(.lockScreens, "let nobody share a screen", .lockScreens),
    SessionWord(.unlockScreens, "let members share screens again", .unlockScreens),
    SessionWord(
      .password, "set a password, asked for on the terminal or by --password; off lifts it", with: "[off]",
      takes: 0...1
    ) { (words) throws(Refusal) in
      guard words.isEmpty || words == ["off"] else {
        // The word is not shown: it may be the password.
        throw Refusal(
          .usage, "session password", "takes only off as its value",
          "leave it out to be asked, or use --password @FILE")
      }
      return words.isEmpty ? .setPassword : .liftPassword
    },
    SessionWord(.limit, "limit the session's time, counted from going live", with: "TIME|off", takes: 1...1) {
      (words) throws(Refusal) in
      .command(.limit(words == ["off"] ? nil : try length(words[0], of: "limit", "1h, 90m or off")))
    },
    SessionWord(.extend, "give the session more time", with: "TIME", takes: 1...1) {
      (words) throws(Refusal) in
      // The id of the request is the extension's.
      .command(.extend(try length(words[0], of: "extend", "10m or 90s"), request: ""))
    },
    SessionWord(.ready, "say that a member is ready, with --as", .ready),
    SessionWord(.event, "send the members an event", with: "NAME [JSON]", takes: 1...2) {
      (words) throws(Refusal) in
      let bytes = Array((words.count == 2 ? words[1] : "null").utf8)
      guard let data = try? JSONValue(reading: bytes.span) else {
        throw Refusal(
          .usage, "session event", "the data is not valid JSON", #"write it as '{"key":"value"}'"#)
      }
      let event = try allowed(Session.CustomEvent(name: words[0], data: data), for: "session event")
      return .command(.event(event))
    },
    SessionWord(
      .live, "put the session on air there; @FILE and env:NAME keep the keys out of process lists",
      with: "URL...", takes: 1...Session.Limits.outputs
    ) { .live($0) },
    SessionWord(.offAir, "take the session off the air", .offAir),
    SessionWord(.leave, "leave the session, with --as", .leave),
    SessionWord(.end, "end the session for all; asks on a terminal unless --yes", .end),
  ]

  private static func muting(_ word: Session.Command.Word, _ meaning: String) -> SessionWord {
    SessionWord(word.rawValue, meaning, with: "MEMBER [video|audio|both]", takes: 0...2) {
      (words, actsAsMember) throws(Refusal) in
      let isMute = word == .mute
      // With --as, a track alone means the member itself.
      if actsAsMember, words.count < 2, words.first.map({ trackNames[$0] != nil }) ?? true {
        let tracks = try tracks(words.first, of: word.rawValue)
        return .command(isMute ? .mute(nil, tracks) : .unmute(nil, tracks))
      }
      guard let member = words.first else {
        throw Refusal(
          .usage, "session \(word.rawValue)", "a value is missing",
          "write \(word.rawValue) MEMBER, or --as MEMBER for oneself")
      }
      let tracks = try tracks(words.dropFirst().first, of: word.rawValue)
      return .member(isMute ? .mute(tracks) : .unmute(tracks), MemberReference(member))
    }
  }

  private static let trackNames: [String: Set<TrackKind>] = [
    "video": [.video], "audio": [.audio], "both": [.audio, .video],
  ]

  private static func tracks(_ text: String?, of word: String) throws(Refusal) -> Set<TrackKind> {
    guard let text else { return [.audio] }
    guard let tracks = trackNames[text] else {
      throw Refusal(.usage, "session \(word) \(shown(text))", "no such track", "write video, audio or both")
    }
    return tracks
  }

  private static func length(_ text: String, of word: String, _ forms: String) throws(Refusal) -> MediaTime {
    guard let length = MediaTime(written: text), length > .zero else {
      throw Refusal(.usage, "session \(word) \(shown(text))", "not a length of time", "write \(forms)")
    }
    return length
  }
}
