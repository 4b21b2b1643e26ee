/// A broadcast of the program, controlled over TCP with tokens.
package final class ControlledBroadcast: Sendable {
  package static let name = "stage"

  package let subject: HoldfastSubject
  package let secret: String
  private let reserved: LoopbackPort

  package var port: UInt16 { reserved.number }

  package init(to addresses: [String] = [], options: [String] = [], in folder: ScratchFolder) throws {
    reserved = try LoopbackPort()
    secret = folder.file("secret")
    try HoldfastProcess.output("token", "--new-secret", secret)
    subject = try HoldfastSubject(
      to: addresses,
      options: ["--name", Self.name, "--listen", "127.0.0.1:\(reserved.number)", "--token-secret", secret]
        + options, in: folder)
    try wait { LoopbackPort.answers(reserved.number) }
  }

  package func token(name: String = "Anna", role: String = "host") throws -> String {
    try HoldfastProcess.output(
      "token", "--secret", secret, "--name", name, "--role", role, "--session", Self.name)
  }

  package func waitUntilLive() throws { try wait { !subject.events("live").isEmpty } }

  private func wait(until condition: () -> Bool) throws {
    guard eventually({ condition() || subject.hasEnded }), !subject.hasEnded else {
      throw TestFailure("it is not ready: \(subject.log)")
    }
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
