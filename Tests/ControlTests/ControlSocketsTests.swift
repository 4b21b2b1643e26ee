import Foundation
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastControl

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
  func `the control sockets are in the user's folder in tmp if there is no runtime folder`(
    environment: [String: String]
  ) throws {
    let name = "test-\(UUID().uuidString)"
    let listener = try ControlSockets.claim(name, environment: environment)
    #expect(listener.path == "/tmp/holdfast-\(geteuid())/\(name).sock")
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
}
