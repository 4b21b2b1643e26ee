internal import HoldfastLifecycle

/// One request that the API knows.
struct ControlRoute: Sendable {
  /// What it needs to be carried out.
  struct Call: Sendable {
    let request: HTTPRequest
    let caller: Caller
    /// What stands in the path where the route has `{…}`.
    let parameter: String

    /// The body, whose fields may be no others than `known`.
    func body(_ known: String...) throws(APIError) -> RequestBody {
      try RequestBody(request.body, known: known)
    }
  }

  typealias Answer = @Sendable (Call) throws(APIError) -> HTTPResponse

  let method: String
  /// Its last part may be `{…}`, which stands for anything.
  let path: String
  /// What the caller has to be allowed; nil where anybody may.
  let needs: Capability?
  /// It may take a while, so that it is not done on the server's thread.
  let isSlow: Bool
  let answer: Answer

  init(
    _ method: String, _ path: String, needs: Capability?, isSlow: Bool = false, answer: @escaping Answer
  ) {
    self.method = method
    self.path = path
    self.needs = needs
    self.isSlow = isSlow
    self.answer = answer
  }

  /// HEAD is GET without the body, which the server leaves out by itself.
  func takes(_ method: String) -> Bool {
    self.method == method || self.method == "GET" && method == "HEAD"
  }

  /// What stands in place of `{…}`, empty where there is none; nil where the path is another one.
  func parameter(in path: String) -> String? {
    guard let open = self.path.firstIndex(of: "{") else { return path == self.path ? "" : nil }
    let beginning = self.path[..<open]
    guard path.hasPrefix(beginning), case let rest = path.dropFirst(beginning.count), !rest.isEmpty,
      !rest.contains("/")
    else { return nil }
    return String(rest)
  }
}
