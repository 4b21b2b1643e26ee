/// An authentication scheme from a WWW-Authenticate header.
struct Challenge: Hashable, Sendable {
  enum Scheme: Hashable, Sendable {
    case basic
    case digest(Digest)
  }

  struct Digest: Hashable, Sendable {
    var algorithm: Algorithm
    var nonce: String
    var opaque: String?
    /// The server supports `qop=auth`; otherwise the older form is used.
    var usesQuality: Bool
    /// Only the nonce was too old.
    var isStale: Bool
  }

  enum Algorithm: String, Hashable, Sendable, CaseIterable {
    case sha256Session = "SHA-256-sess"
    case sha256 = "SHA-256"
    case md5Session = "MD5-sess"
    case md5 = "MD5"
  }

  let scheme: Scheme
  let realm: String

  static func best(of headers: [String]) -> Challenge? {
    headers.flatMap { challenges(in: $0) }.max { $0.strength < $1.strength }
  }

  private var strength: Int {
    switch scheme {
    case .basic: 0
    case .digest(let digest):
      Algorithm.allCases.count - (Algorithm.allCases.firstIndex(of: digest.algorithm) ?? 0)
    }
  }

  /// A header may hold several challenges, separated by the same comma as their parameters.
  static func challenges(in header: String) -> [Challenge] {
    var scanner = ParameterScanner(header)
    var found: [(scheme: String, parameters: [String: String])] = []
    while let word = scanner.next() {
      switch word {
      case .name(let name): found.append((name, [:]))
      case .parameter(let name, let value):
        if !found.isEmpty { found[found.count - 1].parameters[name.lowercased()] = value }
      }
    }
    return found.compactMap { Challenge($0.scheme, $0.parameters) }
  }

  private init?(_ scheme: String, _ parameters: [String: String]) {
    realm = parameters["realm"] ?? ""
    switch scheme.lowercased() {
    case "basic": self.scheme = .basic
    case "digest":
      guard let digest = Digest(parameters) else { return nil }
      self.scheme = .digest(digest)
    default: return nil
    }
  }
}

extension Challenge.Digest {
  /// Nil for an unsupported algorithm, or for `auth-int` alone.
  fileprivate init?(_ parameters: [String: String]) {
    let name = parameters["algorithm"] ?? "MD5"
    let qualities = parameters["qop"]?.split(separator: ",").map { $0.trimmed.lowercased() }
    guard let nonce = parameters["nonce"],
      let algorithm = Challenge.Algorithm.allCases.first(where: { $0.rawValue.equalsIgnoringCase(name) }),
      qualities?.contains("auth") ?? true
    else { return nil }
    self.init(
      algorithm: algorithm, nonce: nonce, opaque: parameters["opaque"], usesQuality: qualities != nil,
      isStale: parameters["stale"]?.lowercased() == "true")
  }
}
