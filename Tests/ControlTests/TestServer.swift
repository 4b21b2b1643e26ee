import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastControl
@testable import HoldfastHTTP

/// A server in a scratch folder, and the commands it has received.
final class TestServer: Sendable {
  private let scratch = ScratchFolder()
  let server: HTTPServer
  let listener: TCPListener?
  let target: FakeTarget

  static let status = #"{"name":"hall","state":"live"}"#

  init(
    limits: HTTPLimits = .unix,
    command: @escaping @Sendable (Lifecycle.Command) -> Lifecycle.CommandResult = { _ in .accepted(.live) },
    admits: @escaping @Sendable (PeerCredentials) -> Bool = { _ in true },
    tcp: String? = nil, tcpLimits: HTTPLimits = .tcp, identity: TLSIdentity? = nil,
    sendsHSTS: Bool = false, wakeup: Wakeup? = nil, handler: (any HTTPHandler)? = nil
  ) throws {
    var target = FakeTarget()
    target.result = command
    self.target = target
    let wakeup = if let wakeup { wakeup } else { try Wakeup() }
    let parts = ControlAPI.Parts(
      events: EventHistory(wakeup: wakeup), status: LatestStatus { [target] in target.status().description }
    )
    listener = try tcp.map { try TCPListener(HostAndPort($0), identity: identity, sendsHSTS: sendsHSTS) }
    server = try HTTPServer(
      UnixListener("a.sock", in: PrivateFolder(scratch.path)), listeners: listener.map { [$0] } ?? [],
      wakeup: wakeup,
      limits: limits, tcpLimits: tcpLimits, admits: admits, handler: handler ?? ControlAPI(target, parts))
  }

  var path: String { server.path }
  var received: [Lifecycle.Command] { target.received.withLock { $0.commands } }
  var client: ControlClient { ControlClient(path: path, timeout: .seconds(30)) }

  /// What curl got.
  struct Answer {
    let status: Int
    /// In lower case.
    let headers: [String: String]
    let body: String
    var json: JSONValue? { try? JSONValue(reading: Array(body.utf8).span) }
    /// The status and the code of an error.
    var refusal: String { "\(status) \(json?.field("error")?.field("code")?.text ?? "")" }
  }

  func curl(_ target: String, _ options: [String] = []) throws -> Answer {
    try Self.curl("http://localhost\(target)", ["--unix-socket", path] + options)
  }

  /// Over TCP.
  func curlTCP(_ target: String, _ options: [String] = []) throws -> Answer {
    try Self.curl((listener?.url.dropLast() ?? "") + target, options)
  }

  static func curl(_ url: String, _ options: [String]) throws -> Answer {
    let output = try Tool.run(["curl", "-sS", "-i", "--max-time", "60"] + options + [url])
    // What is sent before a long body is no answer yet.
    let text = output.replacingOccurrences(of: "HTTP/1.1 100 Continue\r\n\r\n", with: "")
    let parts = text.components(separatedBy: "\r\n\r\n")
    let lines = parts[0].components(separatedBy: "\r\n")
    let headers = lines.dropFirst().map { line in
      let pair = line.components(separatedBy: ": ")
      return (pair[0].lowercased(), pair.dropFirst().joined(separator: ": "))
    }
    return Answer(
      status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: Dictionary(headers) { $1 },
      body: parts.dropFirst().joined(separator: "\r\n\r\n"))
  }

  /// A connection for arbitrary bytes.
  func connect() throws -> UnixConnection { try UnixConnection(path, until: .now + .seconds(30)) }

  /// The same over TCP; `text` is sent at once.
  func connectTCP(sending text: String = "", receiveBuffer: Int32? = nil) throws -> WireClient {
    let client = try WireClient(port: listener?.port ?? 0, receiveBuffer: receiveBuffer)
    client.send(text)
    return client
  }
}

extension ControlClient {
  func status() throws(HTTPClientError) -> HTTPResponse { try send(.status) }
  func send(_ command: Lifecycle.Command) throws(HTTPClientError) -> HTTPResponse {
    try send(.command(command))
  }
}

extension UnixConnection {
  /// Everything received until the end.
  func rest() throws -> String {
    var bytes: [UInt8] = []
    while try receive(into: &bytes, until: .now + .seconds(30)) {}
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TestCertificate {
  func identity() throws -> TLSIdentity { try TLSIdentity(certificateFile: certificate, keyFile: key) }
}
