import HoldfastControl
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastTokens

enum TokenRequest: Hashable, Sendable {
  struct Grant: Hashable, Sendable {
    var secret: String
    var name: String
    var role: Role
    var session: String
    var lasts: MediaTime
  }

  /// A hub, and a token that may revoke others there.
  struct Hub: Hashable, Sendable {
    let origin: HTTPOrigin
    let token: SessionCommand.Secret
    let tls: TLSSettings
  }

  case grant(Grant)
  case makeSecret(String)
  case revoke(String, session: String)
  case revokeAtHub(String, Hub)
  case listRevoked(session: String)

  static let options = [
    Flag("--secret", "FILE", help: "secret to sign with [$HOLDFAST_TOKEN_SECRET]"),
    Flag("--name", "WHO", help: "holder of the token, up to 200 characters"),
    Flag(
      "--role", "ROLE", help: "host, manager or participant; worker or operator for all sessions of a hub"),
    Flag(
      "--session", "NAME",
      help: "name of the broadcast (publish --name) or session, * for all of a hub; case-insensitive"),
    Flag("--lasts", "TIME", help: "lifetime, up to 366d [2h]"),
    Flag("--new-secret", "FILE", help: "create a file with a random secret, readable only by its owner"),
    Flag("--revoke", "ID", help: "revoke the token with this id"),
    Flag("--hub", "URL", help: "with --revoke: at this hub, and all that share its store"),
    Flag("--token", "TOKEN", help: "with --hub: an operator's token; @FILE or env:NAME reads it"),
    Flag("--tls-ca", "FILE", help: "with --hub: also trust the certificates in this PEM file"),
    Flag("--tls-insecure", help: "with --hub: accept any certificate"),
    Flag(
      "--insecure-lan",
      help: "with --hub: allow http to other machines: anyone on the way can read the token"),
    Flag("--list-revoked", help: "list revoked token ids, and when each entry expires"),
  ]
  static let usualLength = MediaTime.seconds(2 * 3600)

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: TokenCommand.name, options: Self.options, operands: .accepted)
    guard arguments.operands.isEmpty else {
      // The word is not shown: it may be a token.
      throw Refusal(.usage, "token", "unexpected argument", "run holdfast help token")
    }
    let listsRevoked = try arguments.isOn("--list-revoked")
    let tasks =
      ["--new-secret", "--revoke"].filter(arguments.has) + (listsRevoked ? ["--list-revoked"] : [])
    if tasks.count > 1 {
      throw Refusal(.usage, tasks.joined(separator: " and "), "mutually exclusive", "leave one of them out")
    }
    let others: [String]
    if let path = try arguments.value(of: "--new-secret", .path) {
      self = .makeSecret(path)
      others = []
    } else if let id = try arguments.value(of: "--revoke", .tokenID), arguments.has("--hub") {
      self = .revokeAtHub(id, try Hub(arguments, environment))
      others = ["--hub", "--token", "--tls-ca", "--tls-insecure", "--insecure-lan"]
    } else if let id = try arguments.value(of: "--revoke", .tokenID) {
      self = .revoke(id, session: try arguments.requiredValue(of: "--session", .name))
      others = ["--session"]
    } else if listsRevoked {
      self = .listRevoked(session: try arguments.requiredValue(of: "--session", .name))
      others = ["--session"]
    } else {
      self = .grant(try Grant(arguments, environment))
      others = ["--secret", "--name", "--role", "--session", "--lasts"]
    }
    let known = tasks + others
    if let rest = arguments.options.first(where: { !known.contains($0.option.flag) })?.option.flag {
      throw Refusal(.usage, rest, "not used with \(tasks.first ?? "this command")", "leave it out")
    }
  }
}

extension TokenRequest.Grant {
  fileprivate init(_ arguments: Arguments<Flag>, _ environment: [String: String]) throws(Refusal) {
    let variable = environment[variablePrefix + "TOKEN_SECRET"]
    guard let secret = try arguments.value(of: "--secret", .name) ?? variable, !secret.isEmpty else {
      throw Refusal(
        .usage, "token", "no secret to sign with",
        "use --secret FILE, or create one with --new-secret FILE")
    }
    self.secret = secret
    name = try arguments.requiredValue(of: "--name", .name)
    role = try arguments.requiredValue(of: "--role", .choice("ROLE", of: Role.allCases))
    session = try arguments.requiredValue(of: "--session", .name)
    lasts = try arguments.value(of: "--lasts", .duration) ?? TokenRequest.usualLength
  }
}

extension TokenRequest.Hub {
  fileprivate init(_ arguments: Arguments<Flag>, _ environment: [String: String]) throws(Refusal) {
    let text = try arguments.requiredValue(of: "--hub", .name)
    let insecureLAN = try arguments.isOn("--insecure-lan")
    // The address is not shown: it may hold a password.
    origin = try valid(HTTPOrigin(text, insecureLAN: insecureLAN), for: "--hub")
    token = try SessionCommand.secret(
      try arguments.requiredValue(of: "--token", .secret), SecretReference(environment: environment),
      subject: "--token", holding: "a token")
    tls = TLSSettings(
      caFile: try arguments.value(of: "--tls-ca", .path), isVerified: try !arguments.isOn("--tls-insecure"))
  }
}

extension ValueKind where Value == String {
  fileprivate static let tokenID = text(
    "ID", what: "not a token id", hint: "holdfast token prints it when it creates a token", where: Token.isID)
}
