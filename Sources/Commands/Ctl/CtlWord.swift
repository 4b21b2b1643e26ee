import HoldfastControl
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// A command word of `ctl`, and its action.
struct CtlWord: Sendable {
  enum Action: Hashable, Sendable {
    case send(HTTPRequest)
    case follow
    /// Nil for a file named after the time.
    case savePicture(String?)
    case check(measuringUpload: Bool)
  }

  let name: String
  let arguments: String
  let meaning: String
  private let counts: ClosedRange<Int>
  private let make: @Sendable ([String]) throws(Refusal) -> Action

  private init(
    _ name: String, _ meaning: String, with arguments: String = "", takes counts: ClosedRange<Int> = 0...0,
    make: @escaping @Sendable ([String]) throws(Refusal) -> Action
  ) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
    self.counts = counts
    self.make = make
  }

  func action(_ words: [String]) throws(Refusal) -> Action {
    if arguments.isEmpty, let extra = words.first {
      throw Refusal(.usage, shown(extra), "ctl \(name) takes no arguments", "leave it out")
    }
    guard counts.contains(words.count) else {
      throw Refusal(
        .usage, "ctl \(name)", words.isEmpty ? "a value is missing" : "too many values",
        "write ctl \(name) \(arguments)")
    }
    return try make(words)
  }

  static let all: [CtlWord] =
    [CtlWord("status", "show state, tracks, time and outputs") { _ in .send(.status) }]
    + Lifecycle.Command.allCases.map { command in
      CtlWord(command.rawValue, meaning(of: command)) { _ in .send(.command(command)) }
    } + [
      CtlWord(
        "extend", "extend the session; a repeated ID has no effect", with: "TIME [ID]", takes: 1...2
      ) { words in
        let id = words.count == 2 ? words[1] : hexadecimal(randomBytes(8))
        return .send(.init("POST", "/v1/extend", body: ["by": .text(words[0]), "id": .text(id)]))
      },
      CtlWord(
        "ready", "approve or refuse going live (--await-ready)", with: "[no REASON]",
        takes: 0...Int.max
      ) { (words) throws(Refusal) in
        guard words.first == "no" || words.isEmpty else {
          throw Refusal(.usage, "ctl ready", "unknown value", "write ctl ready, or ctl ready no REASON")
        }
        let reason = words.dropFirst().joined(separator: " ")
        var body: [JSONValue.Field] = [.init("ready", .bool(words.isEmpty))]
        if !reason.isEmpty { body.append(.init("reason", .text(reason))) }
        return .send(.init("POST", "/v1/ready", body: .object(body)))
      },
      CtlWord("answer", "agree or not to unmute, as the session asks", with: "yes|no", takes: 1...1) {
        (words) throws(Refusal) in
        guard words == ["yes"] || words == ["no"] else {
          throw Refusal(.usage, "ctl answer", "unknown value", "write ctl answer yes, or ctl answer no")
        }
        return .send(.init("POST", "/v1/session/answer", body: ["agrees": .bool(words == ["yes"])]))
      },
      CtlWord("leave", "leave the session; the broadcast goes on") { _ in
        .send(.init("POST", "/v1/session/leave"))
      },
      CtlWord("session-password", "give the session's password, read from a file", with: "FILE", takes: 1...1)
      {
        (words) throws(Refusal) in
        let text = try SecretReference(environment: [:]).find(
          "@" + words[0], subject: "ctl session-password", status: .usage, holding: "a password")
        return .send(.init("POST", "/v1/session/password", body: ["password": .text(text)]))
      },
      muting("mute", "mute a track, audio by default: silence or black", isMuted: true),
      muting("unmute", "unmute a track, audio by default", isMuted: false),
      CtlWord(
        "camera", "switch the video source: camera:DEVICE, screen, test, file:PATH", with: "SRC", takes: 1...1
      ) {
        .send(.init("PATCH", "/v1/camera", body: ["source": .text($0[0])]))
      },
      CtlWord(
        "microphone", "switch the audio source: mic:DEVICE, tone, file:PATH", with: "SRC", takes: 1...1
      ) {
        .send(.init("PATCH", "/v1/microphone", body: ["source": .text($0[0])]))
      },
      CtlWord(
        "screen", "show the screen in place of the camera, and the camera again", with: "on|off", takes: 1...1
      ) { (words) throws(Refusal) in
        guard words == ["on"] || words == ["off"] else {
          throw Refusal(
            .usage, "ctl screen \(shown(words[0]))", "unknown value", "write ctl screen on, or ctl screen off"
          )
        }
        return .send(.init("PATCH", "/v1/screen", body: ["on": .bool(words == ["on"])]))
      },
      CtlWord("layout", "arrange the tiles of a grid", with: "LAYOUT", takes: 1...1) {
        .send(.init("PATCH", "/v1/layout", body: ["layout": .text($0[0])]))
      },
      CtlWord("spotlight", "show a tile large, or none in particular", with: "TILE|none", takes: 1...1) {
        .send(.init("PATCH", "/v1/layout", body: ["spotlight": $0[0] == "none" ? .null : .text($0[0])]))
      },
      mutingTile("mute-tile", "mute a tile of a grid", isMuted: true),
      mutingTile("unmute-tile", "unmute a tile", isMuted: false),
      CtlWord("sources", "list available sources") { _ in .send(.init("GET", "/v1/sources")) },
      CtlWord("bitrate", "change the video bitrate, such as 1500k", with: "RATE", takes: 1...1) {
        .send(.init("PATCH", "/v1/bitrate", body: ["bps": .text($0[0])]))
      },
      CtlWord(
        "event", "send viewers a data event", with: "NAME [JSON]", takes: 1...2
      ) { (words) throws(Refusal) in
        let bytes = Array((words.count == 2 ? words[1] : "null").utf8)
        guard let data = try? JSONValue(reading: bytes.span) else {
          throw Refusal(.usage, "ctl event", "the data is not valid JSON", #"write it as '{"key":"value"}'"#)
        }
        return .send(.init("POST", "/v1/event", body: ["name": .text(words[0]), "data": data]))
      },
      CtlWord("snapshot", "save the latest picture as a JPEG file", with: "[FILE]", takes: 0...1) {
        .savePicture($0.first)
      },
      CtlWord("events", "print events as they happen, until Ctrl-C") { _ in .follow },
      CtlWord("reload", "read the configuration file again") { _ in .send(.init("POST", "/v1/reload")) },
      CtlWord(
        "check",
        "check the outputs before going live; with upload, measure the rate by publishing a grey picture",
        with: "[upload]", takes: 0...1
      ) { (words) throws(Refusal) in
        guard words.isEmpty || words == ["upload"] else {
          throw Refusal(.usage, "ctl check", "unknown value", "write ctl check, or ctl check upload")
        }
        return .check(measuringUpload: !words.isEmpty)
      },
    ]

  private static func muting(_ name: String, _ meaning: String, isMuted: Bool) -> CtlWord {
    CtlWord(name, meaning, with: "[audio|video]", takes: 0...1) { (words) throws(Refusal) in
      let track = words.first ?? TrackKind.audio.rawValue
      guard TrackKind(rawValue: track) != nil else {
        throw Refusal(.usage, "ctl \(name) \(shown(track))", "no such track", "write audio or video")
      }
      return .send(.init("PATCH", "/v1/tracks/\(track)", body: ["muted": .bool(isMuted)]))
    }
  }

  private static func mutingTile(_ name: String, _ meaning: String, isMuted: Bool) -> CtlWord {
    CtlWord(name, meaning, with: "TILE", takes: 1...1) {
      .send(.init("PATCH", "/v1/tiles/\($0[0].percentEncoded)", body: ["muted": .bool(isMuted)]))
    }
  }

  private static func meaning(of command: Lifecycle.Command) -> String {
    switch command {
    case .start: "go live from the preview"
    case .interrupt: "pause the broadcast; it can be resumed within --resume-window"
    case .resume: "resume an interrupted broadcast in the same recording"
    case .background: "end the broadcast for now, and finish its recording"
    case .foreground: "return from the background with a new broadcast"
    case .end: "end the broadcast; with --preview, return to the preview"
    case .stop: "end the broadcast and the program"
    }
  }
}
