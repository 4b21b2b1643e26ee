package import Glibc

/// `holdfast hub` in a process of its own, on a port that it keeps when it is started again.
package final class HubProcess {
  private let reserved: LoopbackPort
  private let arguments: [String]
  private let environment: [String: String]
  private var process: HoldfastProcess

  /// With its SQLite file in `folder`, unless `options` say otherwise.
  package init(in folder: ScratchFolder, options: [String] = []) throws {
    reserved = try LoopbackPort()
    arguments = ["hub", "--listen", "127.0.0.1:\(reserved.number)"] + options
    environment = ["XDG_STATE_HOME": folder.file("state")]
    process = try Self.started(arguments, environment)
  }

  private static func started(
    _ arguments: [String], _ environment: [String: String]
  ) throws -> HoldfastProcess {
    let process = try HoldfastProcess(arguments, environment: environment)
    guard process.waitForOutput("serving sessions at") else { throw TestFailure(process.result().errors) }
    return process
  }

  /// A test that fails midway leaves no process behind.
  deinit {
    if !process.hasEnded { process.signal(SIGKILL) }
  }

  package var port: UInt16 { reserved.number }
  package var identifier: pid_t { process.identifier }
  package func client(token: String? = nil) -> HubClient { HubClient(port: port, token: token) }
  package func address(of session: String) -> String { "http://127.0.0.1:\(port)/\(session)" }

  /// A broadcast in the session `Hall`, once it is live.
  package func box(
    _ name: String, in folder: ScratchFolder, options: [String] = []
  ) throws -> HoldfastSubject {
    try HoldfastSubject(
      options: ["--name", name, "--session", address(of: "Hall"), "--as", name] + options, in: folder
    ).whenLive()
  }

  /// As by a crash.
  package func kill() { process.end(by: SIGKILL) }

  package func start() throws { process = try Self.started(arguments, environment) }

  package func signal(_ number: Int32) { process.signal(number) }

  /// The exit status and what it has written.
  @discardableResult
  package func stop() -> HoldfastProcess.Result { process.end(by: SIGTERM) }
}
