struct Route: Sendable {
  struct Call: Sendable {
    let request: HTTPRequest
    let caller: Caller
    /// The path component matching `{…}`.
    let parameter: String

    /// The body; fields not in `known` are refused.
    func body(_ known: String...) throws(APIError) -> RequestBody {
      try RequestBody(request.body, known: known)
    }
  }

  typealias Answer = @Sendable (Call) throws(APIError) -> HTTPResponse

  let method: String
  /// The last component may be `{…}`, which matches any one.
  let path: String
  let needs: Capability?
  /// What it does, for people: `start a broadcast`.
  let purpose: String
  /// Handled on another thread, as it may block.
  let isSlow: @Sendable (HTTPRequest) -> Bool
  let answer: Answer

  init(
    _ method: String, _ path: String, needs: Capability?, to purpose: String? = nil,
    isSlow: @autoclosure @escaping @Sendable () -> Bool = false,
    isSlowFor: (@Sendable (HTTPRequest) -> Bool)? = nil, answer: @escaping Answer
  ) {
    self.method = method
    self.path = path
    self.needs = needs
    self.purpose = purpose ?? needs?.purpose ?? ""
    self.isSlow = isSlowFor ?? { _ in isSlow() }
    self.answer = answer
  }

  /// HEAD is GET without the body, which the server omits by itself.
  func takes(_ method: String) -> Bool {
    self.method == method || self.method == "GET" && method == "HEAD"
  }

  /// The component matching `{…}`, empty without one; nil if the path does not match.
  func parameter(in path: String) -> String? {
    guard let open = self.path.firstIndex(of: "{") else { return path == self.path ? "" : nil }
    let beginning = self.path[..<open]
    guard path.hasPrefix(beginning), case let rest = path.dropFirst(beginning.count), !rest.isEmpty,
      !rest.contains("/")
    else { return nil }
    return String(rest)
  }
}
