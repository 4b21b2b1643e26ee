import HoldfastHTTP
import HoldfastMediaModel
import HoldfastSession

/// The hub of one session.
struct SessionHub: ~Copyable {
  private let path: String
  private var hub: HubConnection

  init(_ command: SessionCommand) throws(Refusal) {
    let address = command.address
    path = address.path
    hub = try HubConnection(
      address.origin, token: command.token?.text, tls: command.tls, subject: address.shown)
  }

  mutating func state() throws(Refusal) -> JSONValue { try hub.send(HTTPRequest("GET", path)) }

  /// The command has an id, so that it may be repeated.
  mutating func perform(_ command: Session.CommandRequest) throws(Refusal) -> JSONValue {
    try hub.send(HTTPRequest("POST", path + "/commands", body: command.json))
  }
}

extension HTTPAddress {
  /// The session's part of the hub's API.
  var path: String { "/v1/sessions/\(segment)" }

  /// The session and its hub, for people.
  var shown: String { "session \(HoldfastCommands.shown(name.printable)) at \(origin)" }
}
