import HoldfastControl
import HoldfastMediaModel

enum TokenRequest: Hashable, Sendable {
  struct Grant: Hashable, Sendable {
    var secret: String
    var name: String
    var role: Role
    var session: String
    var lasts: MediaTime
  }

  case grant(Grant)
  case makeSecret(String)
  case revoke(String, session: String)
  case listRevoked(session: String)

  static let options = [
    "--secret", "--name", "--role", "--session", "--lasts", "--new-secret", "--revoke", "--list-revoked",
    "--help",
  ]
  static let usualLength = MediaTime.seconds(2 * 3600)
  private static let tasks = ["--new-secret", "--revoke", "--list-revoked"]

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    var given = try Self.given(arguments)
    let asked = Self.tasks.filter { given[$0] != nil }
    if asked.count > 1 {
      throw Refusal(.usage, asked.joined(separator: " and "), "one thing at a time", "leave one of them out")
    }
    if let path = given.removeValue(forKey: "--new-secret") {
      self = .makeSecret(try Self.read(path, "--new-secret", .path))
    } else if let id = given.removeValue(forKey: "--revoke") {
      guard Token.isID(id) else {
        throw Refusal(
          .usage, "--revoke \(shown(id))", "no token's id", "holdfast token says it of each that it makes")
      }
      self = .revoke(id, session: try Self.take("--session", "NAME", from: &given))
    } else if given.removeValue(forKey: "--list-revoked") != nil {
      self = .listRevoked(session: try Self.take("--session", "NAME", from: &given))
    } else {
      self = .grant(try Self.grant(&given, environment))
    }
    if let rest = Self.options.first(where: { given[$0] != nil }) {
      throw Refusal(.usage, rest, "nothing to do with \(asked.first ?? "this")", "leave it out")
    }
  }

  /// The options with their values, empty for an option without one.
  private static func given(_ arguments: [String]) throws(Refusal) -> [String: String] {
    var given: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? argument
      guard name.hasPrefix("-") else {
        throw Refusal(.usage, "token", "a word that belongs to no option", "see holdfast help token")
      }
      guard options.contains(name) else {
        throw Refusal(
          .usage, unknown: shown(name), name: name, kind: "option", among: options, see: "holdfast help token"
        )
      }
      guard given[name] == nil else { throw Refusal(.usage, name, "given twice", "leave one out") }
      if name == "--list-revoked" {
        if parts.count > 1 { throw Refusal(.usage, name, "it takes no value", "write it alone") }
        given[name] = ""
      } else if parts.count > 1 {
        given[name] = String(parts[1])
      } else if let value = rest.popFirst(), !value.hasPrefix("--") {
        given[name] = value
      } else {
        throw Refusal(.usage, name, "its value is missing", "see holdfast help token")
      }
    }
    return given
  }

  private static func grant(
    _ given: inout [String: String], _ environment: [String: String]
  ) throws(Refusal) -> Grant {
    let secret = given.removeValue(forKey: "--secret") ?? environment[Option.variablePrefix + "TOKEN_SECRET"]
    guard let secret, !secret.isEmpty else {
      throw Refusal(
        .usage, "token", "no secret to sign with",
        "name it with --secret FILE, or make one with --new-secret FILE")
    }
    let name = try take("--name", "NAME", from: &given)
    let role = try read(
      take("--role", "host|manager|participant", from: &given), "--role", .choice("ROLE", of: Role.allCases))
    let session = try take("--session", "NAME", from: &given)
    let lasts = given.removeValue(forKey: "--lasts")
    return Grant(
      secret: secret, name: name, role: role, session: session,
      lasts: try lasts.map { (text) throws(Refusal) in try read(text, "--lasts", .duration) } ?? usualLength)
  }

  private static func take(
    _ option: String, _ placeholder: String, from given: inout [String: String]
  ) throws(Refusal) -> String {
    guard let value = given.removeValue(forKey: option) else {
      throw Refusal(.usage, option, "it is missing", "write \(option) \(placeholder)")
    }
    return value
  }

  private static func read<Value>(
    _ text: String, _ option: String, _ kind: ValueKind<Value>
  ) throws(Refusal) -> Value {
    do throws(InvalidValue) {
      return try kind.read(text)
    } catch {
      throw Refusal(.usage, "\(option) \(shown(text))", error.why, error.remedy)
    }
  }
}
