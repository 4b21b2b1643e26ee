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
    Flag("--secret", "FILE", help: "what it is signed with [$HOLDFAST_TOKEN_SECRET]"),
    Flag("--name", "WHO", help: "who gets it, up to 200 characters"),
    Flag("--role", "ROLE", help: "host, manager or participant"),
    Flag("--session", "NAME", help: "which broadcast, as its publish has --name; capitals don't matter"),
    Flag("--lasts", "TIME", help: "for how long, up to 366d [2h]"),
    Flag("--new-secret", "FILE", help: "make a secret that nobody can guess, for its owner's eyes only"),
    Flag("--revoke", "ID", help: "have the token of this id refused from now on"),
    Flag("--list-revoked", help: "the ids of the tokens that are refused, and until when they are kept"),
  ]
  static let usualLength = MediaTime.seconds(2 * 3600)

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: TokenCommand.name, options: Self.options, operands: .accepted)
    guard arguments.operands.isEmpty else {
      // The word is not shown: it may be a token.
      throw Refusal(
        .usage, "token", "an argument that does not belong to any option", "see holdfast help token")
    }
    let listsRevoked = try arguments.isOn("--list-revoked")
    let tasks =
      ["--new-secret", "--revoke"].filter(arguments.has) + (listsRevoked ? ["--list-revoked"] : [])
    if tasks.count > 1 {
      throw Refusal(.usage, tasks.joined(separator: " and "), "one thing at a time", "leave one of them out")
    }
    let others: [String]
    if let path = try arguments.value(of: "--new-secret", .path) {
      self = .makeSecret(path)
      others = []
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
      throw Refusal(.usage, rest, "nothing to do with \(tasks.first ?? "this")", "leave it out")
    }
  }
}

extension TokenRequest.Grant {
  fileprivate init(_ arguments: Arguments<Flag>, _ environment: [String: String]) throws(Refusal) {
    let variable = environment[Option.variablePrefix + "TOKEN_SECRET"]
    guard let secret = try arguments.value(of: "--secret", .name) ?? variable, !secret.isEmpty else {
      throw Refusal(
        .usage, "token", "no secret to sign with",
        "name it with --secret FILE, or make one with --new-secret FILE")
    }
    self.secret = secret
    name = try arguments.requiredValue(of: "--name", .name)
    role = try arguments.requiredValue(of: "--role", .choice("ROLE", of: Role.allCases))
    session = try arguments.requiredValue(of: "--session", .name)
    lasts = try arguments.value(of: "--lasts", .duration) ?? TokenRequest.usualLength
  }
}

extension ValueKind where Value == String {
  fileprivate static let tokenID = text(
    "ID", what: "not the id of a token", hint: "holdfast token shows it with each token", where: Token.isID)
}
