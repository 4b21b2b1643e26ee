import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// The routes of the control API, and the capability that each requires.
package struct ControlAPI: HTTPHandler {
  private let authenticator: Authenticator
  private let note: @Sendable (String) -> Void
  let routes: [Route]

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
    routes = Self.openRoutes + status.all + control.all + tokens.all
  }

  static let statusPath = "/v1/status"
  static func path(of command: Lifecycle.Command) -> String { "/v1/\(command.rawValue)" }

  /// Routes without authentication; none of them reveals a secret.
  private static let openRoutes: [Route] =
    Page.files.map { file in
      Route("GET", file.path, needs: nil) { _ in
        HTTPResponse(contentType: file.contentType, body: file.bytes)
      }
    } + [
      Route("GET", "/healthz", needs: nil) { _ in .ok() },
      Route("GET", "/v1/openapi.json", needs: nil) { _ in
        HTTPResponse(contentType: "application/json", body: PackageResources.openapi_json)
      },
    ]

  package func handle(_ request: HTTPRequest) -> Reply {
    do throws(APIError) {
      let (route, parameter) = try route(for: request)
      let caller = try caller(of: request, for: route)
      let call = Route.Call(request: request, caller: caller, parameter: parameter)
      guard route.isSlow(request) else {
        return .immediate(guarded(try answer(call, by: route), for: caller))
      }
      return .deferred(caller.role == .participant || route.method == "GET" ? .others : .commands) {
        do throws(APIError) { return guarded(try answer(call, by: route), for: caller) } catch {
          return HTTPResponse(error)
        }
      }
    } catch {
      return .immediate(HTTPResponse(error))
    }
  }

  private func caller(
    of request: HTTPRequest, for route: Route
  ) throws(APIError) -> Caller {
    guard let capability = route.needs else { return .nobody }
    let caller = try authenticator.caller(of: request, at: .now, wall: WallTime.now)
    guard caller.may(capability) else { throw APIError(caller, mayNot: route.purpose) }
    return caller
  }

  /// Ends a stream when its caller's token does.
  private func guarded(_ response: HTTPResponse, for caller: Caller) -> HTTPResponse {
    guard case .stream(let stream) = response.body, caller.tokenID != nil else { return response }
    let refusal: @Sendable () -> APIError? = { [authenticator] in
      authenticator.refusal(of: caller, wall: WallTime.now)
    }
    return HTTPResponse(
      contentType: response.contentType, stream: GuardedStream(stream, at: .now, refusal: refusal))
  }

  /// Notes the changes made by callers with a token.
  private func answer(_ call: Route.Call, by route: Route) throws(APIError) -> HTTPResponse {
    let response = try route.answer(call)
    if route.method != "GET", call.caller.tokenID != nil {
      note("\(call.caller.title): \(route.method) \(call.request.path)")
    }
    return response
  }

  private func route(for request: HTTPRequest) throws(APIError) -> (Route, parameter: String) {
    let here = routes.compactMap { route in route.parameter(in: request.path).map { (route, $0) } }
    if let found = here.first(where: { $0.0.takes(request.method) }) { return found }
    guard !here.isEmpty else {
      let nearest = NearestMatch.find(request.path, among: routes.map(\.path))
      throw APIError(
        404, "notFound", "no such path",
        hint: nearest.map { "did you mean \($0)?" } ?? "check /v1/openapi.json")
    }
    let allowed = here.flatMap { $0.0.method == "GET" ? ["GET", "HEAD"] : [$0.0.method] }
    throw APIError(
      405, "methodNotAllowed", "method not allowed for this path", hint: "use \(allowed[0])",
      allowed: allowed)
  }
}

extension Caller {
  fileprivate static let nobody = Caller(name: "", role: .participant)
}
