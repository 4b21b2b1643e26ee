internal import Foundation

/// A broadcast of the program that is controlled over TCP, with tokens.
package final class ControlledBroadcast: Sendable {
  package static let name = "stage"

  package let subject: HoldfastSubject
  package let secret: String
  private let reserved: LoopbackPort

  package var port: UInt16 { reserved.number }

  package init(to addresses: [String] = [], options: [String] = [], in folder: ScratchFolder) throws {
    reserved = try LoopbackPort()
    secret = folder.file("secret")
    let made = try HoldfastProcess.run(["token", "--new-secret", secret])
    guard made.status == 0 else { throw Peers.NotReady(description: made.errors) }
    subject = try HoldfastSubject(
      to: addresses,
      options: ["--name", Self.name, "--listen", "127.0.0.1:\(reserved.number)", "--token-secret", secret]
        + options, in: folder)
    guard Peers.wait(until: { LoopbackPort.answers(reserved.number) || subject.hasEnded }), !subject.hasEnded
    else {
      throw Peers.NotReady(description: subject.said)
    }
  }

  package func token(role: String = "host") throws -> String {
    let made = try HoldfastProcess.run([
      "token", "--secret", secret, "--name", "Anna", "--role", role, "--session", Self.name,
    ])
    guard made.status == 0 else { throw Peers.NotReady(description: made.errors) }
    return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  package func waitUntilLive() throws {
    guard Peers.wait(until: { !subject.events("live").isEmpty || subject.hasEnded }), !subject.hasEnded else {
      throw Peers.NotReady(description: "it is not live: \(subject.said)")
    }
  }
}

extension WireClient {
  /// Asks and waits for the answer, on a connection that stays.
  package func ask(
    _ method: String, _ path: String, token: String?, body: String? = nil, within seconds: Double = 10
  ) -> Answer? {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    guard send(head + "\r\n" + (body ?? ""), within: seconds) else { return nil }
    return answer(within: seconds)
  }
}
