package import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPages
import HoldfastPlatform
package import HoldfastTokens

typealias ControlRoute = Route<Caller, Capability>

/// The routes of the control API, and the capability that each requires.
package struct ControlAPI: HTTPHandler {
  private let authenticator: Authenticator
  private let note: @Sendable (String) -> Void
  private let router: Router<Caller, Capability>

  package struct Parts: Sendable {
    package var authenticator = Authenticator()
    package var events: EventHistory
    package var status: LatestStatus
    /// Nil if tokens can't be issued.
    package var tokens: TokenIssuer?
    /// Called with who changed what, for callers with a token, and with each token issued.
    package var note: @Sendable (String) -> Void = { _ in }

    package init(events: EventHistory, status: LatestStatus) {
      self.events = events
      self.status = status
    }
  }

  package init(_ target: any ControlTarget, _ parts: Parts) {
    authenticator = parts.authenticator
    note = parts.note
    let status = StatusRoutes(target: target, parts: parts)
    let control = ControlRoutes(target: target)
    let tokens = TokenRoutes(issuer: parts.tokens, note: parts.note)
    router = Router(Self.openRoutes + status.all + control.all + tokens.all)
  }

  static let statusPath = "/v1/status"
  static func path(of command: Lifecycle.Command) -> String { "/v1/\(command.rawValue)" }

  var routes: [ControlRoute] { router.routes }

  /// Routes without authentication; none of them reveals a secret.
  private static let openRoutes: [ControlRoute] =
    Pages.box.map { file in
      ControlRoute("GET", file.path, needs: nil, to: "show the page") { _ in
        HTTPResponse(contentType: file.contentType, body: file.bytes)
      }
    } + [
      ControlRoute("GET", "/healthz", needs: nil, to: "check the program") { _ in .ok() },
      ControlRoute("GET", "/v1/openapi.json", needs: nil, to: "describe the API") { _ in
        HTTPResponse(contentType: "application/json", body: Pages.controlAPI)
      },
    ]

  package func handle(_ request: HTTPRequest) -> Reply {
    do throws(APIError) {
      let (route, parameters) = try router.find(request)
      let caller = try caller(of: request, for: route)
      let call = ControlRoute.Call(request: request, caller: caller, parameters: parameters)
      guard route.isSlow(request) else {
        return .immediate(try answer(call, by: route))
      }
      return .deferred(caller.role == .participant || route.method == "GET" ? .others : .commands) {
        do throws(APIError) { return try answer(call, by: route) } catch {
          return HTTPResponse(error)
        }
      }
    } catch {
      return .immediate(HTTPResponse(error))
    }
  }

  private func caller(of request: HTTPRequest, for route: ControlRoute) throws(APIError) -> Caller {
    guard let capability = route.needs else { return .nobody }
    let caller = try authenticator.caller(of: request, at: .now, wall: WallTime.now)
    guard caller.may(capability) else { throw APIError(caller, mayNot: route.purpose) }
    return caller
  }

  /// Notes the changes made by callers with a token; a stream ends when its caller's token does.
  private func answer(_ call: ControlRoute.Call, by route: ControlRoute) throws(APIError) -> HTTPResponse {
    let response = try route.answer(call)
    if route.method != "GET", call.caller.tokenID != nil {
      note("\(call.caller.title): \(route.method) \(call.request.path)")
    }
    return authenticator.guarded(response, for: call.caller)
  }
}

extension Caller {
  fileprivate static let nobody = Caller(name: "", role: .participant)
}

extension ControlRoute {
  init(
    _ method: String, _ path: String, needs: Capability,
    isSlow: @autoclosure @escaping @Sendable () -> Bool = false,
    isSlowFor: (@Sendable (HTTPRequest) -> Bool)? = nil, answer: @escaping Answer
  ) {
    self.init(
      method, path, needs: needs, to: needs.purpose, isSlowFor: isSlowFor ?? { _ in isSlow() },
      answer: answer)
  }
}
