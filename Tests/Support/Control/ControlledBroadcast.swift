package import HoldfastMediaModel

/// A broadcast of the program, controlled over TCP with tokens.
package final class ControlledBroadcast: Sendable {
  package static let name = "stage"

  package let subject: HoldfastSubject
  package let secret: SecretFile
  /// A host's token.
  package let host: String
  private let reserved: LoopbackPort

  package var port: UInt16 { reserved.number }

  package init(to addresses: [String] = [], options: [String] = [], in folder: ScratchFolder) throws {
    reserved = try LoopbackPort()
    secret = try SecretFile(in: folder)
    host = try secret.token("Anna", "host", of: Self.name)
    subject = try HoldfastSubject(
      to: addresses,
      options: [
        "--name", Self.name, "--listen", "127.0.0.1:\(reserved.number)", "--token-secret", secret.path,
      ] + options, in: folder)
    try wait { LoopbackPort.answers(reserved.number) }
  }

  package func token(_ name: String, _ role: String) throws -> String {
    try secret.token(name, role, of: Self.name)
  }

  package func whenLive() throws -> ControlledBroadcast {
    try wait { !subject.events("live").isEmpty }
    return self
  }

  private func wait(until condition: () -> Bool) throws {
    guard eventually({ condition() || subject.hasEnded }), !subject.hasEnded else {
      throw TestFailure("it is not ready: \(subject.log)")
    }
  }

  /// The answer to the host, or to whoever has `token`, on a connection of its own.
  package func send(
    _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil
  ) throws -> HubClient.Answer {
    try HubClient(port: port, token: host).send(method, path, body, token: token)
  }

  /// The value of `holdfast_` and `name`.
  package func metric(_ name: String) throws -> Double {
    let text = try send("GET", "/metrics").text
    let line = text.split(separator: "\n").first { $0.hasPrefix("holdfast_\(name) ") }
    guard let value = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
      throw TestFailure(text)
    }
    return value
  }
}

extension WireClient {
  package func request(
    _ method: String, _ path: String, token: String?, body: String? = nil, within seconds: Double = 10
  ) -> Response? {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    guard send(head + "\r\n" + (body ?? ""), within: seconds) else { return nil }
    return response(within: seconds)
  }
}
