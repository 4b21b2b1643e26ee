import Foundation
import TestSupport
import TestTraits
import Testing

/// `holdfast check --source`
@Suite(.realTime) struct SourceCheckTests {
  private let folder = ScratchFolder()

  private func check(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, steps: [String: [String: Any]], output: String) {
    let result = try HoldfastProcess.run(
      ["check", "--json", "--source"] + arguments, environment: environment)
    let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let steps = (report?["steps"] as? [[String: Any]] ?? []).map { ($0["step"] as? String ?? "", $0) }
    return (result.status, Dictionary(uniqueKeysWithValues: steps), result.output)
  }

  @Test func `a camera is measured, and a wrong password refused`() throws {
    let camera = try RTSPCamera(in: folder, hasCredentials: true)
    let source = try HoldfastSubject.farEnd(to: camera.intakeURL, in: folder).whenLive()
    let address = camera.url("\(RTSPCamera.user):\(RTSPCamera.password)@")
    let (status, steps, output) = try check(["env:CAMERA"], environment: ["CAMERA": address])
    source.kill()
    #expect(status == 0 && steps.values.allSatisfy { $0["outcome"] as? String == "passed" }, "\(output)")
    #expect(steps["picture"]?["detail"] as? String == "h264, 320x180 at 30")
    #expect((steps["sound"]?["detail"] as? String)?.hasPrefix("aac") == true)
    let interval = try #require(steps["keyframes"]?["ms"] as? Double, "\(output)")
    let isSecret = !output.contains(RTSPCamera.password) && !output.contains("/cam")
    #expect(abs(interval - 500) < 40 && isSecret, "\(output)")
    let wrong = try check([camera.url("\(RTSPCamera.user):wrong@")])
    #expect(wrong.status == 77 && wrong.steps["connection"]?["outcome"] as? String == "failed")
  }

  @Test func `what is missing or no media has a status of its own`() throws {
    let port = try LoopbackPort()
    _ = try folder.write("<html>no stream here</html>", to: "index.html")
    let server = try FileServer(of: folder)
    defer { server.kill() }
    let sources = ["rtsp://127.0.0.1:\(port.number)/cam", server.url(), server.url("nothing")]
    #expect(try sources.map { try check([$0]).status } == [69, 66, 69])
  }

  @Test(
    arguments: [
      ["--source", "gopher://host/"], ["--source", "rtsp://host/x", "rtmp://host/a/b"],
      ["--source", "rtsp://host/x", "--measure-upload"], ["rtmp://host/a/b", "--source-latency", "1s"],
      ["--source", "env:NOWHERE"],
    ])
  func `what fits no check is refused`(arguments: [String]) throws {
    let result = try HoldfastProcess.run(["check"] + arguments)
    #expect(result.status == 64 && result.output.isEmpty)
  }
}
