package import HoldfastMediaModel

extension Session {
  /// A command as it is sent: what the hub has to add to it is not in it yet.
  package struct CommandRequest: Hashable, Sendable {
    package let given: Given
    /// The same id twice does it once, and gets the same answer.
    package let requestID: String?
    /// A member that came by the sender's token, for whoever has not joined.
    package let actingAs: Member.ID?

    package enum Given: Hashable, Sendable {
      case command(Command)
      /// In clear; nil lifts it.
      case password(String?)
      case live(outputs: [String])
    }

    package init(_ given: Given, requestID: String? = nil, actingAs: Member.ID? = nil) {
      self.given = given
      self.requestID = requestID
      self.actingAs = actingAs
    }

    package init(_ command: Command, requestID: String? = nil, actingAs: Member.ID? = nil) {
      self.init(.command(command), requestID: requestID, actingAs: actingAs)
    }

    package var word: Command.Word {
      switch given {
      case .command(let command): command.word
      case .password: .password
      case .live: .live
      }
    }

    package var json: JSONValue {
      ["command": .text(word.rawValue)] + given.json
        + .compact([("requestId", JSONValue(requestID)), ("as", JSONValue(actingAs?.text))])
    }
  }
}

extension Session.CommandRequest.Given {
  fileprivate var json: JSONValue {
    switch self {
    case .command(let command): command.json
    case .password(let password): ["password": JSONValue(password)]
    case .live(let outputs): ["outputs": .list(outputs.map(JSONValue.text))]
    }
  }
}

extension Session.Command {
  /// The names of a request's fields besides `command`, `requestId` and `as`.
  package static func requestFields(of word: Word) -> [String] {
    switch word {
    case .join, .report: []
    case .reclaim, .lock, .unlock, .lockScreens, .unlockScreens, .share, .unshare, .ready, .offAir, .leave,
      .end:
      []
    case .rename: ["target", "name"]
    case .host, .manager, .revoke, .remove, .readmit: ["target"]
    case .mute, .unmute: ["target", "tracks"]
    case .muteAll: ["tracks"]
    case .answer: ["agrees"]
    case .password: ["password"]
    case .limit: ["length"]
    case .extend: ["by"]
    case .event: ["name", "data"]
    case .live: ["outputs"]
    case .take: ["job", "worker"]
    case .work: ["lease", "state", "reason", "mediaTime", "begun", "released"]
    }
  }

  fileprivate var json: JSONValue {
    func target(_ id: Session.Member.ID?) -> JSONValue { .compact([("target", JSONValue(id?.text))]) }
    return switch self {
    // A join and a beat have requests of their own; a password and a job get what the hub adds.
    case .join, .report, .password, .live: [:]
    case .reclaim, .lock, .unlock, .lockScreens, .unlockScreens, .share, .unshare, .ready, .offAir, .leave,
      .end:
      [:]
    case .rename(let id, let name): target(id) + ["name": .text(name.text)]
    case .host(let id), .manager(let id), .revoke(let id), .remove(let id), .readmit(let id): target(id)
    case .mute(let id, let tracks), .unmute(let id, let tracks): target(id) + ["tracks": JSONValue(tracks)]
    case .muteAll(let tracks): ["tracks": JSONValue(tracks)]
    case .answer(let agrees): ["agrees": .bool(agrees)]
    case .limit(let length): ["length": JSONValue(length)]
    // The id of the request is the extension's.
    case .extend(let more, _): ["by": JSONValue(more)]
    case .event(let event): ["name": .text(event.name), "data": event.data]
    case .take(let job, let worker): ["job": .text(job), "worker": .text(worker)]
    case .work(let lease, let report):
      [
        "lease": JSONValue(lease), "state": .text(report.state.rawValue), "reason": JSONValue(report.reason),
        "mediaTime": JSONValue(report.mediaTime), "begun": .bool(report.begun),
      ]
        // A hub of an earlier version does not know the word.
        + .compact([("released", .bool(report.isReleased))])
    }
  }
}
