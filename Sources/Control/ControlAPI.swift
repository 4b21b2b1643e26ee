internal import MediaModel

/// The requests that a broadcast understands.
public struct ControlAPI: ControlHandler {
  private let routes: [Route]

  private struct Route: Sendable {
    let method: String
    let path: String
    let answer: @Sendable (ControlRequest) -> ControlResponse

    /// HEAD is GET without the body, which the server leaves out by itself.
    func takes(_ method: String) -> Bool {
      self.method == method || self.method == "GET" && method == "HEAD"
    }
  }

  /// `status` gives JSON; `command` returns soon, as nobody else is answered meanwhile.
  public init(
    status: @escaping @Sendable () -> String, command: @escaping @Sendable (ControlCommand) -> ControlVerdict
  ) {
    routes =
      [Route(method: "GET", path: Self.statusPath) { _ in .json(status()) }]
      + ControlCommand.allCases.map { asked in
        Route(method: "POST", path: Self.path(of: asked)) { _ in Self.response(to: asked, command(asked)) }
      }
  }

  static let statusPath = "/v1/status"
  static func path(of command: ControlCommand) -> String { "/v1/\(command.rawValue)" }

  public func handle(_ request: ControlRequest) -> ControlResponse {
    let here = routes.filter { $0.path == request.path }
    if let route = here.first(where: { $0.takes(request.method) }) { return route.answer(request) }
    guard !here.isEmpty else {
      let paths = routes.map(\.path)
      let nearest = NearestMatch.find(request.path, among: paths)
      return .refusal(
        404,
        ControlError(
          code: "notFound", message: "there is no such path",
          hint: nearest.map { "did you mean \($0)?" } ?? "there are \(paths.joined(separator: ", "))"))
    }
    let allowed = here.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }
    return .refusal(
      405,
      ControlError(
        code: "methodNotAllowed", message: "this path does not take that method",
        hint: "use \(allowed[0])"),
      allowed: allowed)
  }

  private static func response(to command: ControlCommand, _ verdict: ControlVerdict) -> ControlResponse {
    switch verdict {
    case .accepted(let state):
      let answer: JSONValue = ["ok": .bool(true), "state": .text(state)]
      return .json(answer.description)
    case .notPossible(let state, let hint):
      return .refusal(
        409,
        ControlError(
          code: "notPossible", message: "\(command.rawValue) is not possible while \(state)", hint: hint))
    case .notTaken:
      return .refusal(
        503,
        ControlError(
          code: "notTaken", message: "the broadcast did not take the command in time", hint: "try again"))
    }
  }
}
