package import HoldfastMediaModel

/// Where a Redis store is, as a person writes it.
package struct RedisAddress: Hashable, Sendable {
  package struct Server: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: UInt16

    package var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
  }

  package enum Servers: Hashable, Sendable {
    case single(Server)
    /// Sentinels, any of which knows the server that is the master of that name now.
    case sentinels([Server], master: String)
  }

  package let servers: Servers
  /// Over TLS; Sentinels, too.
  package let isSecure: Bool
  /// Nil is Redis' default user.
  package let user: String?
  package let database: Int
  let password: Secret?

  package static let usualPort: UInt16 = 6379
  package static let usualSentinelPort: UInt16 = 26379
  package static let maxSentinels = 16
  package static let maxDatabase = 65_535

  /// Reads `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]` and
  /// `redis+sentinel://[USER:PASSWORD@]HOST[:PORT],HOST[:PORT]/NAME[/DATABASE]`; with `rediss` over TLS. User and password
  /// are percent-encoded.
  package init(_ text: String) throws(InvalidValue) {
    guard text.utf8.count <= 4096, text.unicodeScalars.allSatisfy({ $0.isPrintable && $0 != " " }) else {
      throw InvalidValue(
        "an address with a space or a control character, or too long", hint: "write %20 for a space")
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let scheme = Scheme(rawValue: parts[0].lowercased()), parts.count == 2, parts[1].hasPrefix("//")
    else { throw InvalidValue("not an address of a Redis store", hint: Self.examples) }
    let rest = parts[1].dropFirst(2)
    guard !rest.contains("?"), !rest.contains("#") else {
      throw InvalidValue(
        "an address with a ? or a #", hint: "write %3F and %23 in a password, and give options by themselves")
    }
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count + 1)
    let at = authority.lastIndex(of: "@")
    let hosts = at.map { authority[$0...].dropFirst() } ?? authority
    (user, password) =
      try at.map { at throws(InvalidValue) in try Self.credentials(authority[..<at]) } ?? (nil, nil)
    isSecure = scheme.isSecure
    if scheme.isOfSentinels {
      let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let sentinels = try Self.sentinels(hosts)
      servers = .sentinels(sentinels, master: try Self.masterName(parts.first ?? ""))
      database = try Self.database(parts.dropFirst().first ?? "")
    } else {
      guard !hosts.contains(",") else {
        throw InvalidValue(
          "several servers",
          hint: "for Sentinels write redis+sentinel://HOST,HOST/NAME; Redis Cluster is not supported")
      }
      servers = .single(try Self.server(hosts, usualPort: Self.usualPort))
      database = try Self.database(path)
    }
  }

  package static let examples =
    "write redis://HOST:PORT/DATABASE, rediss:// for TLS, or redis+sentinel://HOST,HOST/NAME"

  private enum Scheme: String {
    case redis, rediss
    case sentinel = "redis+sentinel"
    case secureSentinel = "rediss+sentinel"

    var isSecure: Bool { self == .rediss || self == .secureSentinel }
    var isOfSentinels: Bool { self == .sentinel || self == .secureSentinel }
  }
}

extension RedisAddress {
  private static func credentials(_ text: Substring) throws(InvalidValue) -> (user: String?, Secret?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw InvalidValue(
        "a user without a password", hint: "write redis://USER:PASSWORD@HOST, or redis://:PASSWORD@HOST")
    }
    let user = try decoded(parts[0])
    return (user.isEmpty ? nil : user, Secret(try decoded(parts[1])))
  }

  private static func decoded(_ text: Substring) throws(InvalidValue) -> String {
    guard let bytes = text.percentDecoded(isLenient: false),
      let decoded = String(validating: bytes, as: UTF8.self)
    else {
      throw InvalidValue(
        "a user or password with a % that is not followed by two hexadecimal digits, or that is no UTF-8",
        hint: "write %25 for a %")
    }
    return decoded
  }

  private static func server(_ text: Substring, usualPort: UInt16) throws(InvalidValue) -> Server {
    do throws(URLProblem) {
      let authority = try URLAuthority(text)
      return Server(host: authority.host, port: authority.port ?? usualPort)
    } catch {
      let isPassword = error == .wrongPort || error == .severalColons
      throw InvalidValue(
        "\(error)", hint: isPassword ? "in a password, write %2F for / and %40 for @" : examples)
    }
  }

  private static func sentinels(_ text: Substring) throws(InvalidValue) -> [Server] {
    var servers: [Server] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let server = try server(part, usualPort: usualSentinelPort)
      if !servers.contains(server) { servers.append(server) }
    }
    guard servers.count <= maxSentinels else {
      throw InvalidValue("more than \(maxSentinels) Sentinels", hint: "name some of them")
    }
    return servers
  }

  private static func masterName(_ text: Substring) throws(InvalidValue) -> String {
    guard !text.isEmpty else {
      throw InvalidValue(
        "an address of Sentinels without the name of the master",
        hint: "write redis+sentinel://HOST,HOST/NAME")
    }
    guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }) else {
      throw InvalidValue(
        "a name of a master with other characters than letters, digits, . - and _",
        hint: "use the name that `sentinel monitor` gives in the Sentinels' configuration")
    }
    return String(text)
  }

  private static func database(_ text: Substring) throws(InvalidValue) -> Int {
    guard !text.isEmpty else { return 0 }
    let isNumber = text.utf8.count <= 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let number = Int(text), number <= maxDatabase else {
      throw InvalidValue(
        "a database that is not a number from 0 to \(maxDatabase)",
        hint: "write redis://HOST/0; in a password, write %2F for /")
    }
    return number
  }
}

extension RedisAddress: CustomStringConvertible {
  /// Without user and password.
  package var description: String {
    let scheme = isSecure ? "rediss" : "redis"
    switch servers {
    case .single(let server):
      return "\(scheme)://\(server)/\(database)"
    case .sentinels(let servers, let master):
      let hosts = servers.map(\.description).joined(separator: ",")
      return "\(scheme)+sentinel://\(hosts)/\(master)/\(database)"
    }
  }
}

/// A text that no description shows, not that of a value that holds it either.
struct Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { "***" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
