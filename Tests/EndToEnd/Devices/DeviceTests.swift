import Foundation
import TestSupport
import TestTraits
import Testing

/// Cameras and microphones that remain connected.
@Suite(.realTime) struct DeviceTests {
  private let folder = ScratchFolder()

  private func record(_ camera: TestDevice.Camera, for duration: String) throws -> FinishedBroadcast {
    try FinishedBroadcast(
      ["--video", "camera:\(camera.path)", "--audio", "off", "--size", "640x480", "--duration", duration],
      in: folder, environment: camera.environment)
  }

  @Test func `a camera's pictures all arrive, at the driver's times`() throws {
    let run = try record(TestDevice.Camera(in: folder), for: "3s")
    #expect(run.errors.contains("YUYV 640x480 at 30: raw, exact size and rate"))
    let packets = try Int(#require(Tool.probe(run.path, count: true).first?["nb_read_packets"])) ?? 0
    #expect(abs(Double(packets) + run.events.lostPictures() - 90) <= 2)
    #expect(try run.marks.steps.allSatisfy { $0 > 0 })
  }

  @Test func `a camera's motion JPEG is decoded if only it has the requested size`() throws {
    let options = "-f lavfi -i testsrc2=size=640x480:rate=15 -t 1 -c:v mjpeg -f mjpeg"
    let pictures = try Tool.ffmpeg(options, to: folder.file("pictures.mjpeg"))
    let run = try record(TestDevice.Camera(in: folder, mjpeg: pictures), for: "1s")
    #expect(run.errors.contains("MJPEG 640x480 at 30"))
    #expect(try Double(run.marks.pictureTimes.count) + run.events.lostPictures() >= 25)
  }

  @Test func `a camera in use by another program is busy, and the other is not disturbed`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let arguments = [
      "publish", "--video", "camera:\(camera.path)", "--audio", "off", "--size", "320x240", "--record",
      folder.path, "--events", "-",
    ]
    let first = try HoldfastProcess(arguments, environment: camera.environment)
    #expect(first.waitForOutput("\"event\":\"live\""))
    let second = try HoldfastProcess.run(arguments, environment: camera.environment)
    #expect(second.status == 66)
    #expect(try EventLines(second.output).named("device").first?["state"] as? String == "busy")
    let result = first.end()
    #expect(try result.status == 0 && EventLines(result.output).named("device").count == 1, "\(result)")
  }

  @Test(arguments: ["mic:mic", "mic"])
  func `a microphone's sound is recorded`(source: String) throws {
    let microphone = try TestDevice.Microphone(in: folder)
    let run = try FinishedBroadcast(
      ["--video", "off", "--audio", source, "--duration", "3s"], in: folder,
      environment: microphone.environment)
    #expect(abs(try run.marks.audioSeconds - 3) <= 1024.0 / 48_000)
    #expect(abs(try pitch(of: run.path) - 440) < 2)
  }
}
