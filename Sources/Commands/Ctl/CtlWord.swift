internal import HoldfastControl
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What follows `ctl`.
struct CtlWord: Sendable {
  /// What it leads to.
  enum Action: Hashable, Sendable {
    case ask(HTTPRequest)
    /// Events as they come.
    case follow
    /// A picture into a file; nil for one that is named after the time.
    case savePicture(String?)
    /// Outputs are checked, and what was found is shown.
    case check
  }

  let name: String
  /// As the help shows them.
  let arguments: String
  let meaning: String
  /// From what stands behind it.
  let action: @Sendable ([String]) throws(Refusal) -> Action

  static let all: [CtlWord] =
    [
      CtlWord("status", "how it is: state, tracks, time, outputs") { .ask(.status) }
    ]
    + Lifecycle.Command.allCases.map { command in
      CtlWord(command.rawValue, command.meaning) { .ask(.command(command)) }
    } + [
      CtlWord("extend", "TIME [ID]", "let the session last longer; the same ID does nothing twice") {
        (words) throws(Refusal) in
        let (time, id) = try one("extend", "TIME", words, extra: "ID")
        return .ask(
          .init(
            "POST", "/v1/extend", body: ["by": .text(time), "id": .text(id ?? hexadecimal(randomBytes(8)))]))
      },
      CtlWord("ready", "[no REASON]", "answer a gate that waits for somebody (--await-ready)") {
        (words) throws(Refusal) in
        let isReady = words.first != "no"
        let reason = words.dropFirst(isReady ? 0 : 1).joined(separator: " ")
        guard !isReady || words.isEmpty else {
          throw Refusal(
            .usage, "ctl ready", "it has no such value", "write ctl ready, or ctl ready no REASON")
        }
        var body: [JSONValue.Field] = [.init("ready", .bool(isReady))]
        if !reason.isEmpty { body.append(.init("reason", .text(reason))) }
        return .ask(.init("POST", "/v1/ready", body: .object(body)))
      },
      muting("mute", "make a track silent or black: audio if none is named", isMuted: true),
      muting("unmute", "let it be heard or seen again", isMuted: false),
      CtlWord("camera", "SRC", "go on with another picture: camera:DEVICE, test, file:PATH") {
        (words) throws(Refusal) in
        .ask(.init("PATCH", "/v1/camera", body: ["source": .text(try one("camera", "SRC", words))]))
      },
      CtlWord("microphone", "SRC", "go on with another sound: mic:DEVICE, tone, file:PATH") {
        (words) throws(Refusal) in
        .ask(.init("PATCH", "/v1/microphone", body: ["source": .text(try one("microphone", "SRC", words))]))
      },
      CtlWord("sources", "what it could be switched to") { .ask(.init("GET", "/v1/sources")) },
      CtlWord("bitrate", "RATE", "change the picture's bitrate, as 1500k") { (words) throws(Refusal) in
        .ask(.init("PATCH", "/v1/bitrate", body: ["bps": .text(try one("bitrate", "RATE", words))]))
      },
      CtlWord("event", "NAME [JSON]", "tell the viewers something beside picture and sound") {
        (words) throws(Refusal) in
        let (name, data) = try one("event", "NAME", words, extra: "JSON")
        return .ask(.init("POST", "/v1/event", body: ["name": .text(name), "data": try json(data)]))
      },
      CtlWord("snapshot", "[FILE]", "save the newest picture as a JPEG file") { (words) throws(Refusal) in
        .savePicture(try atMostOne("snapshot", "FILE", words))
      },
      CtlWord("events", "what happens, as it happens, until Ctrl-C") { .follow },
      CtlWord("check", "see whether the outputs can be published to, before it is live") { .check },
    ]

  private init(
    _ name: String, _ arguments: String, _ meaning: String,
    action: @escaping @Sendable ([String]) throws(Refusal) -> Action
  ) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
    self.action = action
  }

  /// One that stands alone.
  private init(_ name: String, _ meaning: String, action: @escaping @Sendable () -> Action) {
    self.init(name, "", meaning) { (words) throws(Refusal) in
      if let extra = words.first {
        throw Refusal(.usage, shown(extra), "ctl \(name) stands alone", "leave it out")
      }
      return action()
    }
  }

  private static func muting(_ name: String, _ meaning: String, isMuted: Bool) -> CtlWord {
    CtlWord(name, "[audio|video]", meaning) { (words) throws(Refusal) in
      let track = try atMostOne(name, "audio|video", words) ?? TrackKind.audio.rawValue
      guard TrackKind(rawValue: track) != nil else {
        throw Refusal(.usage, "ctl \(name) \(shown(track))", "no such track", "write audio or video")
      }
      return .ask(.init("PATCH", "/v1/tracks/\(track)", body: ["muted": .bool(isMuted)]))
    }
  }

  private static func one(
    _ name: String, _ what: String, _ words: [String], extra: String
  ) throws(Refusal) -> (String, String?) {
    guard let first = words.first, words.count <= 2 else {
      throw Refusal(
        .usage, "ctl \(name)", words.isEmpty ? "its value is missing" : "too many values",
        "write ctl \(name) \(what) [\(extra)]")
    }
    return (first, words.count == 2 ? words[1] : nil)
  }

  private static func one(_ name: String, _ what: String, _ words: [String]) throws(Refusal) -> String {
    guard let first = words.first, words.count == 1 else {
      throw Refusal(
        .usage, "ctl \(name)", words.isEmpty ? "its value is missing" : "too many values",
        "write ctl \(name) \(what)")
    }
    return first
  }

  private static func atMostOne(_ name: String, _ what: String, _ words: [String]) throws(Refusal) -> String?
  {
    guard words.count <= 1 else {
      throw Refusal(.usage, "ctl \(name)", "too many values", "write ctl \(name) [\(what)]")
    }
    return words.first
  }

  private static func json(_ text: String?) throws(Refusal) -> JSONValue {
    guard let text else { return .null }
    let bytes = Array(text.utf8)
    guard let value = try? JSONValue(reading: bytes.span) else {
      throw Refusal(.usage, "ctl event", "its data is no JSON", #"write it as '{"key":"value"}'"#)
    }
    return value
  }
}

extension Lifecycle.Command {
  fileprivate var meaning: String {
    switch self {
    case .start: "go live, where it is previewing"
    case .interrupt: "pause it; it can be resumed for a while"
    case .resume: "go on in the same recording"
    case .background: "end it for now: its recording is finished"
    case .foreground: "come back from the background with a new broadcast"
    case .end: "end the broadcast: back to the preview, where it came from one"
    case .stop: "end it, and the program"
    }
  }
}
