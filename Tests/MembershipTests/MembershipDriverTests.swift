import HoldfastMediaModel
import HoldfastSession
import TestRandomness
import Testing

@testable import HoldfastMembership

@Suite final class MembershipDriverTests {
  private struct Environment: MembershipEnvironment {
    var verbs: [String] = []
    var shown: [MembershipSnapshot] = []

    mutating func send(_ number: Int, _ request: MembershipMachine.Request, within limit: MediaTime) {
      switch request {
      case .join: verbs.append("join \(number) within \(limit.seconds)")
      case .beat(let lease, _): verbs.append("beat \(number) \(lease)")
      case .command(_, let request): verbs.append("command \(number) \(request.word.rawValue)")
      case .leave: verbs.append("leave \(number)")
      }
    }

    mutating func openStream(_ number: Int, lease: String, after event: String, silence: MediaTime) {
      verbs.append("stream \(number) after \(event)")
    }
    mutating func closeStream(_ number: Int) { verbs.append("close \(number)") }
    mutating func changeHub() { verbs.append("change hub") }
    mutating func askPassword(isWrong: Bool) { verbs.append("ask") }
    mutating func remember(_ record: MembershipRecord) { verbs.append("remember") }
    mutating func mute(_ tracks: Set<TrackKind>) { verbs.append("mute \(tracks.count)") }
    mutating func showScreen(_ isShown: Bool) { verbs.append("screen \(isShown)") }
    mutating func publish(_ rendition: Session.Rendition, to address: String) {
      verbs.append("publish \(rendition) \(address)")
    }
    mutating func unpublish(_ rendition: Session.Rendition) { verbs.append("unpublish \(rendition)") }
    mutating func endBroadcast() { verbs.append("end") }
    mutating func report(_ report: MembershipReport) { verbs.append("report \(report.name)") }
    mutating func show(_ snapshot: MembershipSnapshot) { shown.append(snapshot) }
  }

  private var driver: MembershipDriver<Environment>

  init() throws {
    let settings = MembershipMachine.Settings(
      address: "https://hub/Hall", name: try Session.DisplayName("Box"))
    driver = MembershipDriver(settings, record: nil, Environment(), randomness: SplitMix64(seed: 1))
  }

  private static func at(_ seconds: Int64) -> Instant {
    Instant(
      monotonic: MonotonicTime(nanoseconds: seconds * 1_000_000_000), sinceBoot: .zero,
      wall: WallTime(nanoseconds: 0))
  }

  private func handle(_ events: MembershipMachine.Event...) {
    for event in events { driver.handle(event, at: Self.at(0)) }
  }

  @Test func `a driver carries out what the machine decides, in its order`() throws {
    let answer = try MembershipStory.joinAnswer()
    handle(.started, .joined(1, answer), .beaten(3, MembershipStory.beatAnswer()))
    #expect(
      driver.environment.verbs == [
        "remember", "join 1 within 4.0", "remember", "report session",
        "publish main rtmp://media/live/box?key=1", "stream 2 after 1-1", "beat 3 lease 1", "remember",
        "publish main rtmp://media/live/box?key=2",
      ])
    #expect(driver.environment.shown.last?.state == "joined")
  }

  @Test func `a timer fires when it is due, and not before`() throws {
    handle(.started, .failed(1, .lost))
    driver.fireTimers(at: Self.at(0))
    #expect(!driver.environment.verbs.contains { $0.hasPrefix("join 2") })
    driver.fireTimers(at: Self.at(6))
    #expect(driver.environment.verbs.contains { $0.hasPrefix("join 2") })
  }

  @Test func `a driver is finished when the broadcast has ended and the member has left`() throws {
    handle(.started, .joined(1, try MembershipStory.joinAnswer()), .broadcastEnded)
    #expect(!driver.isFinished)
    handle(.beaten(3, MembershipStory.beatAnswer()))
    #expect(driver.environment.verbs.last == "leave 4")
    handle(.left(4))
    #expect(driver.isFinished && driver.nextDeadline == nil)
  }
}
