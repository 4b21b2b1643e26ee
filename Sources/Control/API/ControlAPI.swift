internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The requests that a broadcaster understands, and who may make which.
package struct ControlAPI: ControlHandler {
  private let admission: Admission
  private let note: @Sendable (String) -> Void
  private let routes: [ControlRoute]

  /// What streams and tokens need.
  package struct Parts: Sendable {
    package var admission = Admission()
    package var events: EventHistory
    package var status: LatestStatus
    /// Nil where nobody can be given one.
    package var tokens: TokenMint?
    /// Is told who has changed what, unless it was the user himself.
    package var note: @Sendable (String) -> Void = { _ in }

    package init(events: EventHistory, status: LatestStatus) {
      self.events = events
      self.status = status
    }
  }

  package init(_ subject: any ControlSubject, _ parts: Parts) {
    admission = parts.admission
    note = parts.note
    let views = ViewRoutes(subject: subject, parts: parts)
    let steering = SteeringRoutes(subject: subject)
    let tokens = TokenRoutes(mint: parts.tokens)
    routes = Self.openRoutes + views.all + steering.all + tokens.all
  }

  /// Method and path of each, `{…}` for what stands for anything.
  var requests: [(method: String, path: String, needs: Capability?)] {
    routes.map { ($0.method, $0.path, $0.needs) }
  }

  static let statusPath = "/v1/status"
  static func path(of command: Lifecycle.Command) -> String { "/v1/\(command.rawValue)" }

  /// What anybody gets: the page, which holds no secret, and what it takes to find one's way.
  private static let openRoutes: [ControlRoute] =
    Page.files.map { file in
      ControlRoute("GET", file.path, needs: nil) { _ in
        ControlResponse(contentType: file.contentType, body: file.bytes)
      }
    } + [
      ControlRoute("GET", "/healthz", needs: nil) { _ in .fine([]) },
      ControlRoute("GET", "/v1/openapi.json", needs: nil) { _ in
        ControlResponse(contentType: "application/json", body: PackageResources.openapi_json)
      },
    ]

  package func handle(_ request: ControlRequest) -> ControlOutcome {
    do {
      let (route, parameter) = try route(for: request)
      let caller: Caller
      if let needed = route.needs {
        caller = try admission.caller(
          of: request, at: .now, wall: WallTime.now)
        guard caller.may(needed) else { throw ControlRefusal(caller, lacks: needed) }
      } else {
        caller = .nobody
      }
      let call = ControlRoute.Call(request: request, caller: caller, parameter: parameter)
      guard route.isSlow else { return .now(guarded(try answer(call, by: route), for: caller)) }
      return .later {
        do throws(ControlRefusal) { return try answer(call, by: route) } catch { return .refusal(error) }
      }
    } catch let refusal as ControlRefusal {
      return .now(.refusal(refusal))
    } catch let refusal as NoRoute {
      return .now(refusal.response)
    } catch {
      return .now(.refusal(ControlRefusal(500, "internal", "\(error)")))
    }
  }

  /// A stream of somebody with a token ends with it.
  private func guarded(_ response: ControlResponse, for caller: Caller) -> ControlResponse {
    guard case .stream(let stream) = response.body, caller.tokenID != nil else { return response }
    let mayRead: @Sendable () -> Bool = { [admission] in
      admission.stillAdmits(caller, wall: WallTime.now)
    }
    return ControlResponse(
      contentType: response.contentType, stream: GuardedStream(stream, at: .now, while: mayRead))
  }

  /// What somebody with a token has changed can be read later.
  private func answer(_ call: ControlRoute.Call, by route: ControlRoute) throws(ControlRefusal)
    -> ControlResponse
  {
    let response = try route.answer(call)
    if route.method != "GET", call.caller.tokenID != nil {
      note("\(call.caller.name) (\(call.caller.role.rawValue)): \(route.method) \(call.request.path)")
    }
    return response
  }

  /// There is no such path, or not with that method.
  private struct NoRoute: Error {
    let response: ControlResponse
  }

  private func route(for request: ControlRequest) throws(NoRoute) -> (ControlRoute, parameter: String) {
    let here = routes.compactMap { route in route.parameter(in: request.path).map { (route, $0) } }
    if let found = here.first(where: { $0.0.takes(request.method) }) { return found }
    guard !here.isEmpty else {
      let nearest = NearestMatch.find(request.path, among: routes.map(\.path))
      throw NoRoute(
        response: .refusal(
          404,
          ControlError(
            code: "notFound", message: "there is no such path",
            hint: nearest.map { "did you mean \($0)?" } ?? "GET /v1/openapi.json has all of them")))
    }
    let allowed = here.flatMap { $0.0.method == "GET" ? ["GET", "HEAD"] : [$0.0.method] }
    throw NoRoute(
      response: .refusal(
        405,
        ControlError(
          code: "methodNotAllowed", message: "this path does not take that method",
          hint: "use \(allowed[0])"),
        allowed: allowed))
  }
}

extension Caller {
  /// Somebody who has not been asked who he is.
  fileprivate static let nobody = Caller(name: "", role: .participant)
}

extension ControlResponse {
  /// `{"ok":true,…}`
  static func fine(_ fields: [JSONValue.Field]) -> ControlResponse {
    .json(JSONValue.object([JSONValue.Field("ok", .bool(true))] + fields).description)
  }

  static func refusal(_ refusal: ControlRefusal) -> ControlResponse {
    var headers: [(name: String, value: String)] = []
    if refusal.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
    if let wait = refusal.retryAfter {
      headers.append(("Retry-After", String(wait.wholeSeconds)))
    }
    return .refusal(refusal.status, refusal.error, headers: headers)
  }
}
