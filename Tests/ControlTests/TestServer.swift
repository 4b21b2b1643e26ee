import Foundation
import MediaModel
import Platform
import TestSupport

@testable import Control

/// A server in a scratch folder, and what it was told.
final class TestServer: Sendable {
  private let scratch: ScratchFolder
  let server: ControlServer
  let commands: Locked<[ControlCommand]>

  static let status = #"{"name":"hall","state":"live"}"#

  init(
    limits: ControlLimits = ControlLimits(),
    command: @escaping @Sendable (ControlCommand) -> ControlVerdict = { _ in .accepted(state: "live") },
    admits: @escaping @Sendable (PeerCredentials) -> Bool = { _ in true }
  ) throws {
    let commands = Locked<[ControlCommand]>([])
    self.commands = commands
    scratch = try ScratchFolder()
    let api = ControlAPI(status: { Self.status }) { asked in
      commands.withLock { $0.append(asked) }
      return command(asked)
    }
    server = try ControlServer(
      UnixListener("a.sock", in: PrivateFolder(scratch.path)), limits: limits, admits: admits, handler: api)
  }

  var path: String { server.path }
  var told: [ControlCommand] { commands.withLock { $0 } }
  var client: ControlClient { ControlClient(path: path, timeout: .seconds(30)) }

  /// What curl got.
  struct Answer {
    let status: Int
    /// In lower case.
    let headers: [String: String]
    let body: String
    var json: JSONValue? { try? JSONValue(reading: Array(body.utf8).span) }
  }

  func curl(_ target: String, _ options: [String] = []) throws -> Answer {
    let output = try Tool.run(
      ["curl", "-sS", "-i", "--max-time", "60", "--unix-socket", path] + options + [
        "http://localhost\(target)"
      ])
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

  /// A connection to talk over as one likes.
  func connect() throws -> UnixConnection {
    try UnixConnection(path, until: .now + .seconds(30))
  }
}

extension UnixConnection {
  /// All that comes until the end.
  func rest() throws -> String {
    var bytes: [UInt8] = []
    while try receive(into: &bytes, until: .now + .seconds(30)) {}
    return String(decoding: bytes, as: UTF8.self)
  }
}
