// Two broadcasters in a session, and a program that steers them from its desk. The hub is a fake one in the same process.
import Holdfast
import HoldfastTesting

@main enum Steered {
  static func main() async throws {
    let hub = try FakeHub()
    let url = hub.url("Hall")
    async let left: Void = broadcast("left", in: url)
    async let right: Void = broadcast("right", in: url)
    try await steer(url)
    _ = try await (left, right)
  }

  /// Broadcasts test signals until the session is over.
  static func broadcast(_ name: String, in url: String) async throws {
    var configuration = Configuration()
    configuration.name = name
    configuration.video.source = .testPicture
    configuration.video.size = PictureSize(width: 640, height: 360)
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    configuration.membership = SessionSettings(url)
    configuration.membership?.awaitsOthers = 2

    for report in try await Broadcaster(configuration).run() { print(report) }
  }

  /// Says ready, which the broadcasters wait for; mutes whoever goes live, and ends the session once both are muted.
  static func steer(_ url: String) async throws {
    let desk = try SessionMember(SessionSettings(url, name: "Desk"))
    let events = desk.events()
    try await desk.join()
    try await desk.perform(.ready)

    var muted: Set<String> = []
    for await event in events {
      print(event)
      switch event.kind {
      case .condition(let id, .live):
        do {
          try await desk.perform(.mute(id))
        } catch {
          print("not muted:", error)
        }
      case .reportedMuted(let id, [.audio]):
        muted.insert(id)
        if muted.count == 2 { try await desk.perform(.end) }
      default: break
      }
    }
  }
}
