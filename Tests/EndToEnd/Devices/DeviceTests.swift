import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite struct Devices {
    @Test func `a camera's pictures all arrive, at the driver's times`() throws {
      let folder = try ScratchFolder()
      let camera = try TestDevice.Camera(in: folder)
      let result = try HoldfastProcess.run(
        [
          "publish", "--video", "camera:\(camera.path)", "--audio", "off", "--size", "640x480", "--record",
          folder.path,
          "--duration", "3s", "--events", "-",
        ], environment: camera.environment)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("YUYV 640x480 at 30: raw, exact size and rate"))
      let path = try #require(folder.recordings.first)
      let told = try EventLines(result.output).lostMilliseconds("video") * 30 / 1000
      let packets = try Int(#require(Tool.probe(path, count: true).first?["nb_read_packets"])) ?? 0
      #expect(abs(Double(packets) + told - 90) <= 2)
      let times = try RecordingMarks(path: path).pictureTimes
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a camera that gives motion JPEG is decoded where that is the way to the size`() throws {
      let folder = try ScratchFolder()
      let pictures = folder.file("pictures.mjpeg")
      try Tool.run([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480:rate=15", "-t", "1", "-c:v",
        "mjpeg", "-f",
        "mjpeg", pictures,
      ])
      let camera = try TestDevice.Camera(in: folder, mjpeg: pictures)
      let result = try HoldfastProcess.run(
        [
          "publish", "--video", "camera:\(camera.path)", "--audio", "off", "--size", "640x480", "--record",
          folder.path,
          "--duration", "1s",
        ], environment: camera.environment)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("MJPEG 640x480 at 30"))
      let times = try RecordingMarks(path: try #require(folder.recordings.first)).pictureTimes
      #expect(times.count >= 25)
    }

    @Test func `a camera that somebody else uses is busy, and they don't notice`() throws {
      let folder = try ScratchFolder()
      let camera = try TestDevice.Camera(in: folder)
      let arguments = [
        "publish", "--video", "camera:\(camera.path)", "--audio", "off", "--size", "320x240", "--record",
        folder.path,
        "--events", "-",
      ]
      let first = try HoldfastProcess(arguments, environment: camera.environment)
      #expect(first.waitUntilSaid("\"event\":\"live\""))
      let second = try HoldfastProcess.run(arguments, environment: camera.environment)
      #expect(second.status == 66)
      #expect(try EventLines(second.output).named("device").first?["state"] as? String == "busy")
      first.signal(SIGINT)
      let result = first.result()
      #expect(result.status == 0)
      #expect(try EventLines(result.output).named("device").count == 1)
    }

    @Test(arguments: ["mic:mic", "mic"])
    func `a microphone's sound is what it hears`(source: String) throws {
      let folder = try ScratchFolder()
      let microphone = try TestDevice.Microphone(in: folder)
      let result = try HoldfastProcess.run(
        ["publish", "--video", "off", "--audio", source, "--record", folder.path, "--duration", "3s"],
        environment: microphone.environment)
      #expect(result.status == 0, "\(result.errors)")
      let path = try #require(folder.recordings.first)
      #expect(abs(try RecordingMarks(path: path).audioSeconds - 3) <= 1024.0 / 48_000)
      #expect(abs(try pitch(of: path) - 440) < 2)
    }
  }
}
