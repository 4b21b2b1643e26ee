import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastTokens

typealias HubRoute = Route<Caller, HubNeed>

/// The routes of a hub, and what each of them needs of its caller.
struct HubAPI: HTTPHandler {
  let authenticator: Authenticator
  let proxies: TrustedProxies
  let router: Router<Caller, HubNeed>
  let note: @Sendable (String) -> Void
  /// Told of requests that there is no room for.
  let refused: @Sendable (HTTPRequest) -> Void

  func handle(_ request: HTTPRequest) -> Reply {
    var request = request
    request.peer = proxies.client(of: request)
    do throws(APIError) {
      let (route, parameters) = try router.find(request)
      let caller = try caller(of: request, for: route)
      let call = HubRoute.Call(request: request, caller: caller, parameters: parameters)
      guard route.isSlow(request) else { return .immediate(answer(call, by: route)) }
      return .deferred(route.isCommand ? .commands : .others) { answer(call, by: route) }
    } catch {
      return .immediate(HTTPResponse(error))
    }
  }

  func refusedAsTooBusy(_ request: HTTPRequest) { refused(request) }

  private func caller(of request: HTTPRequest, for route: HubRoute) throws(APIError) -> Caller {
    guard let need = route.needs else { return .nobody }
    // A proxy on this machine speaks for anybody.
    guard request.bearer != nil || request.forwardedFor == nil else { throw APIError(.missing) }
    let caller = try authenticator.caller(of: request, at: .now, wall: WallTime.now)
    let role = caller.role
    let (isAllowed, allowed) =
      switch need {
      case .session, .lease: (true, "")
      case .allSessions: (caller.seesAll, "an operator's")
      case .grant: (role == .host, "a host's")
      case .revoke: ([.host, .operator].contains(role), "a host's or an operator's")
      }
    guard isAllowed else {
      throw APIError(
        403, "notAllowed", "a \(role.rawValue)'s token may not \(route.purpose)", hint: "use \(allowed) token"
      )
    }
    return caller
  }

  private func answer(_ call: HubRoute.Call, by route: HubRoute) -> HTTPResponse {
    do throws(APIError) {
      let response = try route.answer(call)
      if route.isCommand, call.caller.tokenID != nil {
        note("\(call.caller.title): \(route.method) \(call.request.path)\(call.commandWords)")
      }
      return authenticator.guarded(response, for: call.caller)
    } catch {
      return HTTPResponse(error)
    }
  }
}

extension HubRoute {
  /// Of those who steer; what members say every few seconds must not hold them up.
  fileprivate var isCommand: Bool {
    method != "GET" && !path.hasSuffix("/beat") && !path.hasSuffix("/levels")
  }
}

extension HubRoute.Call {
  /// ` mute abcdefghijklmno1` of a command that was carried out.
  fileprivate var commandWords: String {
    guard request.path.hasSuffix("/commands"), let body = try? JSONValue(reading: request.body.span) else {
      return ""
    }
    return ["command", "target"].compactMap { body.field($0)?.text }.map { " \($0)" }.joined()
  }
}
