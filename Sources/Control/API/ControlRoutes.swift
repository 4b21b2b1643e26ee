import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastTokens

/// Routes that control the broadcast.
struct ControlRoutes: Sendable {
  let target: any ControlTarget

  /// Limited because an event is sent to every viewer.
  private static let maxEventSize = 8 * 1024

  var all: [ControlRoute] { Lifecycle.Command.allCases.map(route) + requests + membership + changes }

  private func route(of command: Lifecycle.Command) -> ControlRoute {
    ControlRoute(
      "POST", ControlAPI.path(of: command), needs: command.requiredCapability, to: command.purpose,
      isSlow: true
    ) { (call) throws(APIError) in
      _ = try call.body()
      switch target.perform(command, by: call.caller.name) {
      case .accepted(let state): return .ok(["state": .text(state.name)])
      case .refused(let refusal, let state):
        throw .notPossible("\(command) is not possible while \(state.name)", hint: refusal.rawValue)
      case .timedOut: throw .notTaken
      }
    }
  }

  private var requests: [ControlRoute] {
    [
      ControlRoute("POST", "/v1/extend", needs: .changeMaxDuration, isSlow: true) {
        (call) throws(APIError) in
        let body = try call.body("by", "id")
        let (length, request) = (try body.duration("by"), try body.text("id"))
        return .ok(try target.extend(by: length, request: request))
      },
      ControlRoute("POST", "/v1/ready", needs: .ready, isSlow: true) { (call) throws(APIError) in
        let body = try call.body("ready", "reason")
        let (isReady, reason) = (try body.flag("ready"), try body.optionalText("reason"))
        guard isReady || call.caller.may(.refuse) else {
          throw APIError(call.caller, mayNot: Capability.refuse.purpose)
        }
        try target.answerGate(isReady: isReady, reason: reason, by: call.caller.name)
        return .ok()
      },
      ControlRoute("POST", "/v1/event", needs: .sendEvent) { (call) throws(APIError) in
        let body = try call.body("name", "data")
        let (name, data) = (try body.text("name"), body.json("data"))
        guard data.utf8.count <= Self.maxEventSize else {
          throw .badValue("data", "too long", hint: "use at most \(Self.maxEventSize) bytes")
        }
        return .ok(try target.send(event: name, data: data))
      },
      ControlRoute("POST", "/v1/check", needs: .end, to: "check the outputs", isSlow: true) {
        (call) throws(APIError) in
        try target.checkOutputs(measuringUpload: try call.body("measureUpload").optionalFlag("measureUpload"))
        return .ok()
      },
      ControlRoute("POST", "/v1/reload", needs: .end, to: "reload the configuration", isSlow: true) {
        (call) throws(APIError) in
        _ = try call.body()
        return .ok(["result": .text(try target.reload())])
      },
    ]
  }

  /// As the member of a session of several boxes.
  private var membership: [ControlRoute] {
    [
      ControlRoute("POST", "/v1/session/answer", needs: .mute, to: "answer the session") {
        (call) throws(APIError) in
        try target.orderMember(.answer(try call.body("agrees").flag("agrees")))
        return .ok()
      },
      ControlRoute("POST", "/v1/session/leave", needs: .end, to: "leave the session") {
        (call) throws(APIError) in
        _ = try call.body()
        try target.orderMember(.leave)
        return .ok()
      },
      ControlRoute("POST", "/v1/session/password", needs: .end, to: "give the session's password") {
        (call) throws(APIError) in
        try target.orderMember(.password(try call.body("password").text("password", maxLength: 64)))
        return .ok()
      },
    ]
  }

  private var changes: [ControlRoute] {
    let mutes = TrackKind.allCases.map { track in
      ControlRoute("PATCH", "/v1/tracks/\(track.rawValue)", needs: .mute) { (call) throws(APIError) in
        let isMuted = try call.body("muted").flag("muted")
        try target.mute(track, isMuted)
        return .ok(["muted": .bool(isMuted)])
      }
    }
    let switches = [(TrackKind.video, "/v1/camera"), (.audio, "/v1/microphone")].map { track, path in
      ControlRoute("PATCH", path, needs: .switchCamera, isSlow: true) { (call) throws(APIError) in
        let source = try call.body("source").text("source")
        let chosen = try target.switchSource(of: track, to: source, isLocal: call.request.peer == .local)
        return .ok(["source": .text(chosen)])
      }
    }
    return mutes + switches + [
      ControlRoute("PATCH", "/v1/screen", needs: .switchCamera, isSlow: true) { (call) throws(APIError) in
        let isShown = try call.body("on").flag("on")
        return .ok(["source": .text(try target.showScreen(isShown, isLocal: call.request.peer == .local))])
      },
      ControlRoute("PATCH", "/v1/layout", needs: .switchCamera, to: "change the layout") {
        (call) throws(APIError) in
        let body = try call.body("layout", "spotlight")
        let layout = try body.optionalText("layout")
        // Null is no spotlight; without the field, it stays.
        let spotlight = body.optionalJSON("spotlight") != nil ? try body.optionalText("spotlight") ?? "" : nil
        guard layout != nil || spotlight != nil else {
          throw .badValue("layout", "missing", hint: "write a layout, a spotlight or both")
        }
        return .ok(try target.arrangeTiles(layout: layout, spotlight: spotlight))
      },
      ControlRoute("PATCH", "/v1/tiles/{name}", needs: .mute, to: "mute a tile") { (call) throws(APIError) in
        guard let bytes = call.parameter[...].percentDecoded(isLenient: false),
          let name = String(validating: bytes, as: UTF8.self)
        else {
          throw APIError(
            404, "noSuchTile", "the tile's name is not percent-encoded UTF-8",
            hint: "encode it as one segment")
        }
        let isMuted = try call.body("muted").flag("muted")
        try target.muteTile(name, isMuted)
        return .ok(["muted": .bool(isMuted)])
      },
      ControlRoute("PATCH", "/v1/bitrate", needs: .bitrate) { (call) throws(APIError) in
        let rate = try call.body("bps").bitrate("bps")
        try target.limitBitrate(to: rate)
        return .ok(["bps": .integer(Int64(rate))])
      },
    ]
  }
}
