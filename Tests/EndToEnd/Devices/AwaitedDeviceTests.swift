import Foundation
import TestSupport
import TestTraits
import Testing

/// Starts on a machine where a camera or a microphone is missing.
@Suite(.realTime) struct AwaitedDeviceTests {
  private let folder = ScratchFolder()

  private func start(_ options: String..., environment: [String: String] = [:]) throws -> HoldfastProcess {
    try HoldfastProcess(
      ["publish", "--record", folder.path, "--events", "-", "--name", "box"] + options,
      environment: environment.merging(["XDG_STATE_HOME": folder.file("state")]) { $1 })
  }

  @Test func `without devices nothing goes on air, and the error says what can be done`() throws {
    let result = try start().result()
    #expect(result.status == 66 && folder.recordings.isEmpty, "\(result.errors)")
    for way in ["no camera found", "--video off", "--video test", "--wait-for-devices"] {
      #expect(result.errors.contains(way), "\(result.errors)")
    }
    #expect(!result.output.contains(#""event":"live""#))
  }

  @Test func `a microphone alone is not enough either`() throws {
    let microphone = try TestDevice.Microphone(in: folder)
    let result = try start("--audio", "mic:mic", environment: microphone.environment).result()
    #expect(result.status == 66 && folder.recordings.isEmpty, "\(result.errors)")
  }

  @Test func `a start that waits for devices is under control meanwhile`() throws {
    let process = try start("--wait-for-devices")
    #expect(process.waitForOutput(#""event":"device""#))
    let status = try process.ctl(["status"])
    #expect(status.status == 0 && status.output.contains("starting"), "\(status.output)\(status.errors)")
    let result = process.end()
    #expect(result.status == 0 && folder.recordings.isEmpty, "\(result.errors)")
  }

  @Test func `with one device a start that waits goes live, with a slate for the other`() throws {
    let microphone = try TestDevice.Microphone(in: folder)
    let sources = ["--video", "camera", "--audio", "mic:mic", "--wait-for-devices"]
    let run = try FinishedBroadcast(
      sources + ["--duration", "2s", "--size", "320x180"], in: folder, environment: microphone.environment)
    let tracks = try Tool.probe(run.path, count: true)
    #expect(tracks.compactMap { $0["codec_type"] }.sorted() == ["audio", "video"])
    let pictures = tracks.compactMap { $0["nb_read_packets"] }.compactMap(Int.init).min() ?? 0
    #expect(pictures > 50, "\(tracks)")
    let causes = run.events.named("gap").map { $0["cause"] as? String }
    #expect(causes.contains("device"), "the slate is not named as missing")
  }
}
