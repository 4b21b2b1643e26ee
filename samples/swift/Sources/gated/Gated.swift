// A broadcaster with a custom gate. It publishes test signals to a local server for a few seconds, interrupts
// itself once, and prints all events.
import Holdfast
import HoldfastTesting

/// Lets only the broadcast in the hall's timetable go live.
struct Timetable: GoLiveGate {
  let expected: String

  struct NotExpected: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not in the timetable" }
  }

  func mayGoLive(_ info: BroadcastInfo) async throws {
    guard info.name == expected else { throw NotExpected(name: info.name) }
  }
}

@main enum Gated {
  static func main() async throws {
    let server = try LocalServer()

    var configuration = Configuration()
    configuration.name = "hall"
    configuration.video.source = .testPicture
    configuration.video.size = PictureSize(width: 640, height: 360)
    configuration.video.bitrate = 800_000
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    configuration.outputs.list = [Output(try server.address(of: "hall"), id: "local")]

    let broadcaster = try Broadcaster(configuration, gate: Timetable(expected: "hall"))
    let events = broadcaster.events()
    async let reports = broadcaster.run()

    for await event in events {
      print(event)
      switch event.kind {
      case .live:
        try await Task.sleep(for: .seconds(3))
        broadcaster.interrupt()
      case .interrupted:
        try await Task.sleep(for: .seconds(1))
        broadcaster.resume()
      case .resumed:
        try await Task.sleep(for: .seconds(3))
        broadcaster.stop()
      default: break
      }
    }
    for report in try await reports { print(report) }
    server.stop()
    for stream in server.endedStreams { print("at the server:", stream) }
  }
}
