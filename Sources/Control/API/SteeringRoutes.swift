internal import HoldfastLifecycle
internal import HoldfastMediaModel

/// What somebody may do.
struct SteeringRoutes: Sendable {
  let subject: any ControlSubject

  /// An event's data is sent to every viewer.
  private static let longestEvent = 8 * 1024

  var all: [ControlRoute] { commands + requests + changes }

  private var commands: [ControlRoute] {
    let subject = subject
    return Lifecycle.Command.allCases.map { command in
      ControlRoute("POST", ControlAPI.path(of: command), needs: command.needs, isSlow: true) {
        (call) throws(ControlRefusal) in
        _ = try RequestBody(call.request.body, known: [])
        return try Self.response(to: command, subject.perform(command))
      }
    }
  }

  private static func response(
    to command: Lifecycle.Command, _ result: Lifecycle.CommandResult
  ) throws(ControlRefusal) -> ControlResponse {
    switch result {
    case .accepted(let state): return .fine([.init("state", .text(state.name))])
    case .refused(let refusal, let state):
      throw .notPossible("\(command.rawValue) is not possible while \(state.name)", hint: refusal.rawValue)
    case .timedOut: throw .notTaken
    }
  }

  private var requests: [ControlRoute] {
    let subject = subject
    return [
      ControlRoute("POST", "/v1/extend", needs: .changeMaxDuration, isSlow: true) {
        (call) throws(ControlRefusal) in
        let body = try RequestBody(call.request.body, known: ["by", "id"])
        let (length, request) = (try body.length("by"), try body.text("id"))
        return .fine(try subject.extend(by: length, request: request))
      },
      ControlRoute("POST", "/v1/ready", needs: .sendEvent) { (call) throws(ControlRefusal) in
        let body = try RequestBody(call.request.body, known: ["ready", "reason"])
        let (isReady, reason) = (try body.flag("ready"), try body.optionalText("reason"))
        guard subject.answerGate(isReady: isReady, reason: reason) else {
          throw .notPossible(
            "nobody waits for that", hint: "start it with --await-ready, and answer while it is starting")
        }
        return .fine([])
      },
      ControlRoute("POST", "/v1/event", needs: .sendEvent) { (call) throws(ControlRefusal) in
        let body = try RequestBody(call.request.body, known: ["name", "data"])
        let (name, data) = (try body.text("name"), body.json("data"))
        guard data.utf8.count <= Self.longestEvent else {
          throw .badValue("data", "it is too long", hint: "\(Self.longestEvent) bytes are the most")
        }
        guard let outputs = subject.send(event: name, data: data) else {
          throw .notPossible("nothing is live", hint: "start it first")
        }
        return .fine([.init("outputs", .integer(Int64(outputs)))])
      },
      ControlRoute("POST", "/v1/check", needs: .end, isSlow: true) { (call) throws(ControlRefusal) in
        _ = try RequestBody(call.request.body, known: [])
        try subject.checkOutputs()
        return .fine([])
      },
    ]
  }

  private var changes: [ControlRoute] {
    let subject = subject
    let mutes = TrackKind.allCases.map { track in
      ControlRoute("PATCH", "/v1/tracks/\(track.rawValue)", needs: .mute) { (call) throws(ControlRefusal) in
        let isMuted = try RequestBody(call.request.body, known: ["muted"]).flag("muted")
        try subject.mute(track, isMuted)
        return .fine([.init("muted", .bool(isMuted))])
      }
    }
    let switches = [(TrackKind.video, "/v1/camera"), (.audio, "/v1/microphone")].map { track, path in
      ControlRoute("PATCH", path, needs: .switchCamera, isSlow: true) { (call) throws(ControlRefusal) in
        let source = try RequestBody(call.request.body, known: ["source"]).text("source")
        let chosen = try subject.switchSource(of: track, to: source, isLocal: call.request.peer == .local)
        return .fine([.init("source", .text(chosen))])
      }
    }
    return mutes + switches + [
      ControlRoute("PATCH", "/v1/bitrate", needs: .bitrate) { (call) throws(ControlRefusal) in
        let rate = try RequestBody(call.request.body, known: ["bps"]).bitrate("bps")
        try subject.limitBitrate(to: rate)
        return .fine([.init("bps", .integer(Int64(rate)))])
      }
    ]
  }
}
