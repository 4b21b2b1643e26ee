// A broadcaster with a gate of its own. It publishes test signals to a local server, interrupts itself once,
// and prints all events.
import Holdfast
import HoldfastTesting

/// Lets only the broadcast in the hall's timetable go live.
struct Timetable: GoLiveGate {
  let expected: String

  struct NotExpected: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is not in the timetable" }
  }

  func authorize(_ broadcast: BroadcastInfo) async throws {
    guard broadcast.name == expected else { throw NotExpected(name: broadcast.name) }
  }
}

@main enum Gated {
  static func main() async throws {
    let server = try LocalServer()
    let address = try OutputAddress(server.url("hall"))

    var configuration = Configuration()
    configuration.name = "hall"
    configuration.video.source = .testPicture
    configuration.video.size = PictureSize(width: 640, height: 360)
    configuration.video.bitrate = 800_000
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    configuration.outputs = [Output(address, id: "local")]

    let broadcaster = try Broadcaster(configuration, gate: Timetable(expected: "hall"))
    let events = broadcaster.events()
    async let reports = broadcaster.run()

    for await event in events {
      print(event)
      switch event.kind {
      case .live:
        try await Task.sleep(for: .seconds(3))
        try await broadcaster.interrupt()
      case .interrupted:
        try await Task.sleep(for: .seconds(1))
        try await broadcaster.resume()
      case .resumed:
        try await Task.sleep(for: .seconds(3))
        broadcaster.stop()
      default: break
      }
    }
    do {
      for report in try await reports { print(report) }
    } catch let error as BroadcastError {
      print("failed:", error)
      for report in error.reports { print(report) }
    }
    server.stop()
    for stream in server.endedStreams { print("at the server:", stream) }
  }
}
