import HoldfastMediaModel

/// What a request to a path needs, does, and is answered. `Need` is a right that a server knows, `Caller` whoever it
/// has identified.
package struct Route<Caller: Sendable, Need: Sendable>: Sendable {
  package struct Call: Sendable {
    package let request: HTTPRequest
    package let caller: Caller
    /// The path components matching `{…}`, in order.
    package let parameters: [String]

    package init(request: HTTPRequest, caller: Caller, parameters: [String]) {
      self.request = request
      self.caller = caller
      self.parameters = parameters
    }

    /// The first of the parameters; empty without one.
    package var parameter: String { parameters.first ?? "" }

    /// The body; fields not in `known` are refused.
    package func body(_ known: String...) throws(APIError) -> RequestBody {
      try RequestBody(request.body, known: known)
    }
  }

  package typealias Answer = @Sendable (Call) throws(APIError) -> HTTPResponse

  package let method: String
  /// A component `{…}` matches any one.
  package let path: String
  private let components: [Substring]
  /// Nil for a route that is open to all.
  package let needs: Need?
  /// What it does, for people: `start a broadcast`.
  package let purpose: String
  /// Handled on another thread, as it may block.
  package let isSlow: @Sendable (HTTPRequest) -> Bool
  package let answer: Answer

  package init(
    _ method: String, _ path: String, needs: Need?, to purpose: String,
    isSlow: @autoclosure @escaping @Sendable () -> Bool = false,
    isSlowFor: (@Sendable (HTTPRequest) -> Bool)? = nil, answer: @escaping Answer
  ) {
    self.method = method
    self.path = path
    components = Self.components(of: path)
    self.needs = needs
    self.purpose = purpose
    self.isSlow = isSlowFor ?? { _ in isSlow() }
    self.answer = answer
  }

  /// HEAD is GET without the body, which the server omits by itself.
  package func takes(_ method: String) -> Bool {
    self.method == method || self.method == "GET" && method == "HEAD"
  }

  fileprivate static func components(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Nil if the path does not match.
  fileprivate func parameters(in given: [Substring]) -> [String]? {
    guard given.count == components.count else { return nil }
    var parameters: [String] = []
    for (component, text) in zip(components, given) {
      if component.hasPrefix("{") {
        guard !text.isEmpty else { return nil }
        parameters.append(String(text))
      } else if component != text {
        return nil
      }
    }
    return parameters
  }
}

extension [String] {
  /// Of all routes' paths, for requests to another one.
  fileprivate func notFound(_ path: String) -> APIError {
    let nearest = NearestMatch.find(path, among: self)
    return APIError(
      404, "notFound", "no such path",
      hint: nearest.map { "did you mean \($0)?" } ?? "check /v1/openapi.json")
  }
}

/// Finds the route of a request.
package struct Router<Caller: Sendable, Need: Sendable>: Sendable {
  package let routes: [Route<Caller, Need>]

  package init(_ routes: [Route<Caller, Need>]) { self.routes = routes }

  package func find(
    _ request: HTTPRequest
  ) throws(APIError) -> (route: Route<Caller, Need>, parameters: [String]) {
    let given = Route<Caller, Need>.components(of: request.path)
    for route in routes where route.takes(request.method) {
      if let parameters = route.parameters(in: given) { return (route, parameters) }
    }
    let here = routes.compactMap { route in route.parameters(in: given).map { (route, $0) } }
    guard !here.isEmpty else { throw routes.map(\.path).notFound(request.path) }
    let allowed = here.flatMap { $0.0.method == "GET" ? ["GET", "HEAD"] : [$0.0.method] }
    throw APIError(
      405, "methodNotAllowed", "method not allowed for this path", hint: "use \(allowed[0])",
      allowed: allowed)
  }
}
