import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

@Suite(.realTime) struct ControlServerTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  @Test(arguments: ["/v1/status", "/v1/status?a=b%00"])
  func `the status is served whatever the query`(target: String) throws {
    let answer = try server.curl(target)
    #expect(answer.status == 200)
    #expect(answer.body == TestServer.status + "\n")
    #expect(answer.headers["content-type"] == "application/json")
  }

  @Test(arguments: Lifecycle.Command.allCases)
  func `a command is carried out once, and answered with the state`(command: Lifecycle.Command) throws {
    let server = try TestServer { _ in .accepted(.interrupted(.user, resumableUntil: .now)) }
    let answer = try server.curl("/v1/\(command.rawValue)", ["-X", "POST"])
    #expect(answer.status == 200)
    #expect(answer.body == #"{"ok":true,"state":"interrupted"}"# + "\n")
    #expect(server.received == [command])
  }

  @Test func `a command that is not possible now is refused with a hint`() throws {
    let server = try TestServer { _ in .refused(.notInterrupted, .previewing) }
    let answer = try server.curl("/v1/resume", ["-X", "POST"])
    #expect(answer.status == 409)
    #expect(
      answer.body
        == #"{"error":{"code":"notPossible","message":"resume is not possible while previewing","#
        + #""hint":"send interrupt first"}}"# + "\n")
  }

  @Test func `a command the broadcast does not take in time is an error`() throws {
    let server = try TestServer { _ in .timedOut }
    let answer = try server.curl("/v1/stop", ["-X", "POST"])
    #expect(answer.refusal == "503 notTaken")
  }

  @Test(arguments: [
    "/v1", "/v1/stats", "/page.cs", "/index.html", "/v1/status/", "/v1//status", "//v1/status",
    "/v1/x/../status", "/v1/./status",
    "/V1/status", "/v1/%73tatus", "/v1/status%00", "/v1/status%2f", "/v1/status;x", "/v1/../../etc/passwd",
  ])
  func `an unknown path is not found`(path: String) throws {
    for method in ["GET", "POST"] {
      let answer = try server.curl(path, ["--path-as-is", "-X", method])
      #expect(answer.refusal == "404 notFound")
    }
    #expect(server.received == [])
  }

  @Test func `a misspelt path is answered with a suggestion`() throws {
    let answer = try server.curl("/v1/stauts")
    #expect(answer.json?.field("error")?.field("hint")?.text == "did you mean /v1/status?")
  }

  @Test func `HEAD is GET without the body`() throws {
    let answer = try server.curl("/v1/status", ["--head"])
    #expect(answer.status == 200)
    #expect(answer.body == "")
    #expect(answer.headers["content-length"] == "\(TestServer.status.utf8.count + 1)")
  }

  @Test(
    arguments: [
      ("/v1/status", "POST", "GET, HEAD"), ("/v1/status", "DELETE", "GET, HEAD"), ("/v1/stop", "GET", "POST"),
      ("/v1/stop", "PUT", "POST"), ("/v1/stop", "post", "POST"), ("/v1/stop", "OPTIONS", "POST"),
      ("/v1/stop", "TRACE", "POST"),
    ])
  func `a wrong method is refused with the allowed methods`(path: String, method: String, allowed: String)
    throws
  {
    let answer = try server.curl(path, ["-X", method])
    #expect(answer.refusal == "405 methodNotAllowed")
    #expect(answer.headers["allow"] == allowed)
    #expect(server.received == [])
  }

  @Test func `a peer that is not admitted is refused`() throws {
    let server = try TestServer(admits: { _ in false })
    for (path, method) in [("/v1/status", "GET"), ("/v1/stop", "POST"), ("/nowhere", "GET")] {
      let answer = try server.curl(path, ["-X", method])
      #expect(answer.refusal == "403 forbidden")
    }
    #expect(server.received == [])
  }

  @Test func `the peer's credentials decide on admission`() throws {
    let server = try TestServer(admits: { $0.user == geteuid() && $0.process != getpid() && $0.process > 1 })
    #expect(try server.curl("/v1/status").status == 200)
  }

  @Test func `only the same user and root may control a broadcast`() {
    #expect(PeerCredentials.mayControl(geteuid()) && PeerCredentials.mayControl(0))
    #expect(!PeerCredentials.mayControl(geteuid() &+ 12345))
  }

  @Test func `one connection may carry several requests`() throws {
    let output = try Tool.run(
      ["curl", "-sS", "--unix-socket", server.path, "-w", "%{num_connects}"]
        + ["http://localhost/v1/status", "http://localhost/v1/status"])
    #expect(output == "\(TestServer.status)\n1\(TestServer.status)\n0")
  }

  @Test func `a stop of the server removes its socket, and a second stop does no harm`() throws {
    server.server.stop()
    server.server.stop()
    #expect(!FileManager.default.fileExists(atPath: server.path))
    #expect(throws: HTTPClientError.self) { try server.client.status() }
  }

  @Test func `a request during a stop of the server is still answered`() throws {
    let asked = DispatchSemaphore(value: 0)
    let server = try TestServer { _ in
      asked.signal()
      Thread.sleep(forTimeInterval: 0.2)
      return .accepted(.ended(.stopped))
    }
    Thread {
      asked.wait()
      server.server.stop()
    }.start()
    #expect(try server.client.send(.stop).isSuccess)
  }
}
