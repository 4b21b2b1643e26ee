import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// What is asked for before a command is sent: members' ids, a password, consent.
extension SessionCommand {
  /// Nil if the person at the terminal says no.
  func request(_ hub: inout HubConnection) throws(Refusal) -> Session.CommandRequest? {
    var state: JSONValue?
    func find(_ member: MemberReference, _ lists: [String]) throws(Refusal) -> Session.Member.ID {
      let known = if let state { state } else { try hub.send(stateRequest) }
      state = known
      return try member.find(in: known, among: lists)
    }
    let here = ["members", "away"]
    let id = try actingAs.map { (member) throws(Refusal) in try find(member, here) }
    let given: Session.CommandRequest.Given
    switch action {
    case .status, .members, .events: return nil
    case .command(.end):
      guard !asks || mayEnd() else { return nil }
      given = .command(.end)
    // The id of the request is the extension's.
    case .command(.extend(let length, _)): given = .command(.extend(length, request: requestID))
    case .command(let command): given = .command(command)
    case .member(.readmit, let member): given = .command(.readmit(try find(member, ["removed"])))
    case .member(let command, let member): given = .command(command.command(try find(member, here)))
    case .liftPassword: given = .password(nil)
    case .setPassword:
      guard let text = if let password { password.text } else { try askForPassword() } else { return nil }
      given = .password(text)
    case .live: given = .live(outputs: outputs.map(\.text))
    }
    return Session.CommandRequest(given, requestID: requestID, actingAs: id)
  }

  private func mayEnd() -> Bool {
    guard isStartedAtTerminal else { return true }
    Terminal().print(
      "End the session \(address.name) for all? Its boxes end their broadcasts. Write yes or no:")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Nil if it was cancelled.
  private func askForPassword() throws(Refusal) -> String? {
    guard let text = try Self.ask("New password of \(address.name.printable): ") else { return nil }
    try Self.check(password: text)
    guard let again = try Self.ask("Once more: ") else { return nil }
    guard text == again else {
      throw Refusal(.usage, "session password", "the two passwords differ", "try again")
    }
    return text
  }

  private static func ask(_ prompt: String) throws(Refusal) -> String? {
    do throws(SystemError) {
      switch try readSecret(prompt: prompt) {
      case .text(let text): return text
      case .cancelled: return nil
      }
    } catch {
      throw Refusal(
        .usage, "session password", "no terminal to ask on (\(error.reason))",
        "use --password @FILE or --password env:NAME")
    }
  }
}
