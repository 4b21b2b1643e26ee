import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite struct Refusals {
    private func refusal(_ arguments: [String], environment: [String: String] = [:]) throws -> (
      Int32, [Substring]
    ) {
      let result = try HoldfastProcess.run(arguments, environment: environment)
      return (result.status, result.errors.split(separator: "\n"))
    }

    @Test func `a camera that isn't there is named, with what there is instead`() throws {
      let (status, lines) = try refusal(["publish", "--video", "camera:/dev/video99", "--audio", "off"])
      #expect(status == 66)
      #expect(lines.count == 1)
      let line = try #require(lines.first)
      #expect(line.contains("/dev/video99"))
      #expect(line.contains("--video test") || line.contains("there is /dev/video"))
    }

    @Test func `a microphone that isn't there is named`() throws {
      let (status, lines) = try refusal(["publish", "--video", "off", "--audio", "mic:hw:77,0"])
      #expect(status == 66)
      #expect(lines.count == 1 && lines[0].contains("hw:77,0"))
    }

    @Test func `a file that isn't there is named`() throws {
      let (status, lines) = try refusal(["publish", "--video", "file:/nowhere/x.mp4", "--audio", "off"])
      #expect(status == 66)
      #expect(lines.count == 1 && lines[0].contains("/nowhere/x.mp4"))
    }

    @Test func `a folder that can't be written is named`() throws {
      let (status, lines) = try refusal([
        "publish", "--video", "test", "--audio", "off", "--record", "/proc/nowhere", "--duration", "1s",
      ])
      #expect(status == 74)
      #expect(lines.count == 1 && lines[0].contains("/proc/nowhere"))
    }

    @Test(arguments: ["99999999999/3333333333", "1e300", "0/0"])
    func `a rate that no device means is refused`(rate: String) throws {
      let (status, lines) = try refusal(["publish", "--fps", rate])
      #expect(status == 64)
      #expect(lines.count == 1 && lines[0].contains(rate))
    }

    @Test func `copying needs something that is encoded`() throws {
      let (status, lines) = try refusal(["publish", "--video", "test", "--encoder", "copy"])
      #expect(status == 64)
      #expect(lines.count == 1 && lines[0].contains("copy"))
    }

    @Test func `an encoder that does not work here is named`() throws {
      let folder = try ScratchFolder()
      let (status, lines) = try refusal([
        "publish", "--video", "test", "--audio", "off", "--record", folder.path, "--encoder", "v4l2m2m",
        "--duration",
        "1s",
      ])
      #expect(status == 78)
      #expect(lines.last?.hasPrefix("holdfast: ") == true && lines.last?.contains("v4l2m2m") == true)
      #expect(folder.recordings.isEmpty)
    }

    @Test func `flags win over the environment, and that over the file`() throws {
      let folder = try ScratchFolder()
      let file = try folder.write(
        "{ video: 'test', audio: 'off', /* small */ size: '640x360', fps: 10, duration: '1s', }",
        to: "h.json5")
      let result = try HoldfastProcess.run(
        ["publish", "--config", file, "--size", "160x120", "--record", folder.path],
        environment: ["HOLDFAST_FPS": "20", "HOLDFAST_SIZE": "320x180"])
      #expect(result.status == 0, "\(result.errors)")
      let path = try #require(folder.recordings.first)
      let stream = try #require(Tool.probe(path).first)
      #expect(stream["width"] == "160" && stream["avg_frame_rate"] == "20/1")
    }
  }
}
