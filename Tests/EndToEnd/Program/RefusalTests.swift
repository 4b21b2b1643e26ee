import Foundation
import TestSupport
import TestTraits
import Testing

/// Options that cannot be used, and what the program reports.
@Suite(.realTime) struct RefusalTests {
  private let folder = ScratchFolder()

  private func refusal(_ options: String) throws -> (status: Int32, lines: [Substring]) {
    let result = try HoldfastProcess.run(["publish"] + options.split(separator: " ").map(String.init))
    return (result.status, result.errors.split(separator: "\n"))
  }

  @Test func `a missing camera is named, with the available alternatives`() throws {
    let (status, lines) = try refusal("--video camera:/dev/video99 --audio off")
    let line = try #require(lines.first)
    #expect(status == 66 && lines.count == 1 && line.contains("/dev/video99"), "\(lines)")
    #expect(line.contains("choose the test picture") || line.contains("available: /dev/video"))
  }

  @Test(
    arguments: [
      (66, "hw:77,0", "--video off --audio mic:hw:77,0"),
      (66, "/nowhere/x.mp4", "--video file:/nowhere/x.mp4 --audio off"),
      (74, "/proc/nowhere", "--video test --audio off --record /proc/nowhere --duration 1s"),
      (64, "99999999999/3333333333", "--fps 99999999999/3333333333"), (64, "1e300", "--fps 1e300"),
      (64, "0/0", "--fps 0/0"), (64, "copy", "--video test --encoder copy"),
    ] as [(Int32, String, String)])
  func `an unusable value is named in one line`(status: Int32, name: String, options: String) throws {
    let refusal = try refusal(options)
    #expect(refusal.status == status)
    #expect(refusal.lines.count == 1 && refusal.lines[0].contains(name), "\(refusal.lines)")
  }

  @Test func `an encoder that does not work on this machine is named`() throws {
    let (status, lines) = try refusal(
      "--video test --audio off --record \(folder.path) --encoder v4l2m2m --duration 1s")
    #expect(status == 78 && folder.recordings.isEmpty)
    #expect(lines.last?.contains(" holdfast: ") == true && lines.last?.contains("v4l2m2m") == true)
  }

  @Test func `flags override the environment, which overrides the file`() throws {
    let file = try folder.write(
      "{ video: 'test', audio: 'off', /* small */ size: '640x360', fps: 10, duration: '1s', }",
      to: "h.json5")
    let result = try HoldfastProcess.run(
      ["publish", "--config", file, "--size", "160x120", "--record", folder.path],
      environment: ["HOLDFAST_FPS": "20", "HOLDFAST_SIZE": "320x180"])
    #expect(result.status == 0, "\(result.errors)")
    let stream = try #require(Tool.probe(folder.recording()).first)
    #expect(stream["width"] == "160" && stream["avg_frame_rate"] == "20/1")
  }
}
