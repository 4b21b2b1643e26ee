import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
package import HoldfastSession

/// `holdfast session https://HUB/NAME status|members|lock|…`
struct SessionCommand: Command {
  static let name = "session"
  static let summary = "show or steer a session of several boxes and people"
  static let help = """
    Usage: holdfast session https://HUB/NAME COMMAND [VALUE]... [OPTION]...

    Shows or steers the session NAME of a hub, without joining it: with the rights
    of the token, or on the hub's own machine with those of the local user.

    \(HelpText.table(SessionWord.all.map { ($0.arguments.isEmpty ? $0.name : "\($0.name) \($0.arguments)", $0.meaning) }))

    \(HelpText.table(options))

    MEMBER is an id, or a display name that only one member has; case does not
    matter. Tokens, passwords and addresses to publish to may be @FILE or env:NAME,
    to keep them out of process lists.

    A request that gets no answer in time is repeated with its id, which does it
    only once.

    Exit status: 0 success, 64 incorrect usage, or no such member, 66 no such file,
    69 no such session, or the hub or its store can't be reached, 71 operating
    system error, 77 refused: by the session, or for its token or certificate.
    """

  private static let options = [
    Flag("--token", "TOKEN", help: "token of a host or participant (holdfast token)"),
    Flag("--as", "MEMBER", help: "act for this member, which came by the same token"),
    Flag("--password", "TEXT", help: "with password: the new one, instead of asking"),
    Flag("--yes", help: "with end: do not ask"),
    Flag(
      "--request-id", "ID", help: "id of the command; what was done under this id is not done again [random]"),
    Flag("--json", help: "print the hub's answer as JSON; with events, a line for each"),
    Flag("--tls-ca", "FILE", help: "also trust the certificates in this PEM file"),
    Flag("--tls-insecure", help: "accept any certificate"),
    Flag("--insecure-lan", help: "allow http to other machines: anyone on the way can read the token"),
  ]

  /// A text that should not be shown, and whether the command line shows it.
  struct Secret: Hashable, Sendable {
    let text: String
    let isLiteral: Bool
  }

  let address: HTTPAddress
  let action: SessionAction
  let token: Secret?
  let actingAs: MemberReference?
  let password: Secret?
  /// Of `live`.
  let outputs: [Secret]
  let requestID: String
  let asJSON: Bool
  let asks: Bool
  let tls: TLSSettings

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    // After the address a value may begin with a dash.
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .dashed)
    address = try Self.address(arguments.operands.first, insecureLAN: try arguments.isOn("--insecure-lan"))
    let secrets = SecretReference(environment: environment)
    actingAs = try arguments.value(of: "--as", .member).map(MemberReference.init)
    let word = try SessionWord.named(arguments.operands.dropFirst().first)
    action = try word.action(Array(arguments.operands.dropFirst(2)), actsAsMember: actingAs != nil)
    token = try Self.secret("--token", arguments, secrets, holding: "a token")
    password = try Self.secret("--password", arguments, secrets, holding: "a password")
    if let password { try Self.check(password: password.text) }
    outputs = try Self.outputs(of: action, secrets)
    asJSON = try arguments.isOn("--json")
    asks = try !arguments.isOn("--yes")
    tls = TLSSettings(
      caFile: try arguments.value(of: "--tls-ca", .path), isVerified: try !arguments.isOn("--tls-insecure"))
    requestID = try arguments.value(of: "--request-id", .requestID) ?? hexadecimal(randomBytes(16))
    for (flag, isRight) in [
      ("--password", action == .setPassword), ("--yes", action == .command(.end)),
      ("--request-id", !action.isQuery), ("--as", !action.isQuery),
    ] where arguments.has(flag) && !isRight {
      throw Refusal(.usage, flag, "not available with session \(word.name)", "leave it out")
    }
    if [.command(.ready), .command(.reclaim)].contains(action), actingAs == nil {
      throw Refusal(.usage, "session \(word.name)", "it is a member's own", "name the member: --as MEMBER")
    }
  }

  private static func address(_ text: String?, insecureLAN: Bool) throws(Refusal) -> HTTPAddress {
    guard let text else {
      throw Refusal(.usage, "session", "no address", "write holdfast session https://HUB/NAME COMMAND")
    }
    // The address is not shown: it may hold a password.
    let address = try valid(HTTPAddress(text, insecureLAN: insecureLAN), for: "session")
    _ = try allowed(
      Session.Name(address.name), for: "session \(shown(address.name))", hint: "choose another name")
    return address
  }

  private static func secret(
    _ flag: String, _ arguments: Arguments<Flag>, _ secrets: SecretReference, holding: String
  ) throws(Refusal) -> Secret? {
    guard let text = try arguments.value(of: flag, .secret) else { return nil }
    return try secret(text, secrets, subject: flag, holding: holding)
  }

  static func secret(
    _ text: String, _ secrets: SecretReference, subject: String, holding: String
  ) throws(Refusal) -> Secret {
    let found = try secrets.find(text, subject: subject, status: .usage, holding: holding)
    guard !found.isEmpty else { throw Refusal(.usage, subject, "empty", "use \(holding)") }
    return Secret(text: found, isLiteral: found == text)
  }

  private static func outputs(
    of action: SessionAction, _ secrets: SecretReference
  ) throws(Refusal) -> [Secret] {
    guard case .live(let texts) = action else { return [] }
    return try texts.map { (text) throws(Refusal) in
      let output = try secret(text, secrets, subject: "session live", holding: "an address")
      // The address is not shown: it holds a key.
      do throws(OutputAddress.Problem) { _ = try OutputAddress(output.text) } catch {
        throw Refusal(.usage, "session live", error.what, error.hint)
      }
      return output
    }
  }

  static func warn(ofLiteral subject: String) {
    Terminal().print(
      "\(subject): other users can read it in the list of processes; use @FILE or env:NAME", .warning)
  }

  static func check(password: String) throws(Refusal) {
    try allowed(Session.Password.check(password), for: "session password", hint: "choose another one")
  }

  func run() throws(Refusal) -> Int32 {
    if token?.isLiteral == true { Self.warn(ofLiteral: "--token") }
    if password?.isLiteral == true { Self.warn(ofLiteral: "--password") }
    if outputs.contains(where: \.isLiteral) { Self.warn(ofLiteral: "live") }
    if action == .events { return try follow() }
    var hub = try HubConnection(address.origin, token: token?.text, tls: tls, subject: address.shown)
    switch action {
    case .status: show(try hub.send(stateRequest), SessionText.status)
    case .members: show(try hub.send(stateRequest), SessionText.members)
    case .events, .command, .member, .setPassword, .liftPassword, .live:
      guard let request = try request(&hub) else {
        Terminal().print("nothing was changed")
        return ExitStatus.success.rawValue
      }
      // It has an id, so that it may be repeated.
      let command = HTTPRequest("POST", address.path + "/commands", body: request.json)
      show(try hub.send(command)) { SessionText.outcome($0, of: address.name) }
    }
    return ExitStatus.success.rawValue
  }

  /// Asks for the state of the session.
  var stateRequest: HTTPRequest { HTTPRequest("GET", address.path) }

  private func show(_ answer: JSONValue, _ text: (JSONValue) -> String) {
    printOutput(asJSON ? answer.description : text(answer))
  }
}

extension ValueKind where Value == String {
  fileprivate static let member = text("MEMBER", what: "empty", hint: "use a member's id or name")
  fileprivate static let requestID = text(
    "ID", what: "not usable as an id", hint: "use 1 to \(Session.Limits.idCharacters) letters and digits"
  ) { text in
    (1...Session.Limits.idCharacters).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
  /// Checked where it is not shown.
  static let secret = ValueKind(placeholder: "TEXT", read: { $0 })
}

/// The result of `make`; what a session's rules refuse is refused with `subject`. `hint` replaces that of the rules.
package func allowed<Value>(
  _ make: @autoclosure () throws(Session.Refusal) -> Value, for subject: String, hint: String? = nil
) throws(Refusal) -> Value {
  try mapError(make()) { (error: Session.Refusal) in Refusal(error, for: subject, hint: hint) }
}

extension Refusal {
  package init(_ error: Session.Refusal, for subject: String, hint: String?) {
    self.init(.usage, subject, error.message, hint ?? error.hint)
  }
}

extension HTTPAddress {
  /// The session's part of the hub's API.
  var path: String { "/v1/sessions/\(segment)" }

  /// The session and its hub, for people.
  var shown: String { "session \(HoldfastCommands.shown(name.printable)) at \(origin)" }
}
