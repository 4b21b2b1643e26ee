import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

@Suite struct ControlSocketsTests {
  private let scratch = ScratchFolder()
  private var session: [String: String] { ["XDG_RUNTIME_DIR": scratch.path] }

  @Test func `the control sockets are in the session's folder`() throws {
    let listener = try ControlSockets.claim("hall", environment: session)
    #expect(listener.path == scratch.file("holdfast/hall.sock"))
  }

  @Test func `a service's control sockets are in systemd's folder, the first of several`() throws {
    let folders = scratch.file("run") + ":" + scratch.file("other")
    let listener = try ControlSockets.claim(
      "hall", environment: session.merging(["RUNTIME_DIRECTORY": folders]) { $1 })
    #expect(listener.path == scratch.file("run/hall.sock"))
  }

  @Test(arguments: [
    [:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "run"], ["XDG_RUNTIME_DIR": "/nowhere"],
  ])
  func `without a runtime folder the control sockets are in the state folder, never in a shared one`(
    environment: [String: String]
  ) throws {
    let name = "hall"
    let environment = environment.merging(["XDG_STATE_HOME": scratch.path]) { $1 }
    let listener = try ControlSockets.claim(name, environment: environment)
    let runtime = "/run/user/\(geteuid())"
    let folder = isOwnFolder(runtime) ? runtime + "/holdfast" : scratch.file("holdfast/.sockets")
    #expect(listener.path == "\(folder)/\(name).sock")
    #expect(ControlSockets.socket(of: name, environment: environment) == listener.path)
  }

  @Test func `running broadcasts are found, dead ones are not`() throws {
    let hall = try ControlSockets.claim("hall", environment: session)
    let attic = try ControlSockets.claim("attic", environment: session)
    _ = try scratch.write("", to: "holdfast/dead.sock")
    let found = ControlSockets.running(environment: session).filter { $0.path.hasPrefix(scratch.path) }
    #expect(found.map(\.name) == ["attic", "hall"])
    #expect(found.map(\.path) == [attic.path, hall.path])
  }

  @Test func `an unused name has no control socket`() {
    #expect(ControlSockets.socket(of: "test-\(UUID().uuidString)", environment: session) == nil)
  }

  // MARK: - Other users' folders, as root

  /// A folder of another user, with a socket of that user's or of root's in it.
  private func serve(
    _ folder: String, in parent: String, mode: mode_t, as user: uid_t?
  ) throws -> (path: String, server: RunningTool?, listener: Listening?) {
    let (parent, folder) = (scratch.file(parent), scratch.file("\(parent)/\(folder)"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try #require(chmod(scratch.path, 0o755) == 0)
    try #require(chmod(parent, mode) == 0 && chmod(folder, 0o755) == 0 && chown(folder, 12345, 12345) == 0)
    let path = folder + "/hall.sock"
    guard let user else {
      let own = try PrivateFolder(folder, rootMayEnter: true)
      return (path, nil, Listening(try UnixListener("hall.sock", in: own)))
    }
    let script =
      "import signal, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(9); signal.pause()"
    let server = try RunningTool([
      "setpriv", "--reuid=\(user)", "--clear-groups", "/usr/bin/python3", "-c", script, path,
    ])
    try #require(eventually { (try? UnixConnection(path, until: .now)) != nil })
    return (path, server, nil)
  }

  private final class Listening {
    private let listener: UnixListener
    init(_ listener: consuming UnixListener) { self.listener = listener }
  }

  @Test(.enabled(if: getuid() == 0, "only root uses other users' sockets"))
  func `root asks no socket in a folder that another user could have placed`() throws {
    let served = try serve("run", in: "open", mode: 0o777, as: nil)
    let environment = ["RUNTIME_DIRECTORY": scratch.file("open/run")]
    #expect(ControlSockets.socket(of: "hall", environment: environment) == nil)
    #expect(ControlSockets.running(environment: environment).allSatisfy { $0.path != served.path })
    withExtendedLifetime(served.listener) {}
  }

  @Test(.enabled(if: getuid() == 0, "only root uses other users' sockets"))
  func `root asks nobody who is not the owner of the socket's folder`() throws {
    let served = try serve("run", in: "closed", mode: 0o755, as: nil)
    let error = #expect(throws: HTTPClientError.self) {
      try ControlClient(path: served.path, timeout: .milliseconds(300)).send(.status)
    }
    #expect(error?.kind == .notPermitted)
    withExtendedLifetime(served.listener) {}
  }

  @Test(.enabled(if: getuid() == 0, "only root uses other users' sockets"))
  func `root finds a service's broadcast in a folder that only root could have placed`() throws {
    let served = try serve("run", in: "closed", mode: 0o755, as: 12345)
    let environment = ["RUNTIME_DIRECTORY": scratch.file("closed/run")]
    #expect(ControlSockets.socket(of: "hall", environment: environment) == served.path)
    withExtendedLifetime(served.server) {}
  }
}
