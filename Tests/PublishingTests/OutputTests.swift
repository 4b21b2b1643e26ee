import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// An output with a scripted server, and an encoder that makes keyframes when it is asked to.
private final class Stand: Sendable {
  let server = ScriptedServer()
  let events = Locked<[Output.Event]>([])
  let output: Output
  private let isKeyframeRequested = Locked(false)
  private let keyframes = Locked<[MediaTime]>([])
  private let encoder = ThreadSlot()
  private let isOver: Wakeup

  private init(_ change: (inout Output.Settings) -> Void) throws {
    var settings = Output.Settings(id: "test", address: try OutputAddress("rtmp://host/app/key"))
    settings.bitrates = .init(lowest: 100_000, highest: 500_000)
    change(&settings)
    let (server, events, isKeyframeRequested) = (server, events, isKeyframeRequested)
    isOver = try Wakeup()
    output = try Output(
      settings, tracks: [.video, .audio], requestKeyframe: { isKeyframeRequested.withLock { $0 = true } },
      report: { event in events.withLock { $0.append(event) } }
    ) { _ in ScriptedSink(server) }
  }

  static func publishing(_ change: (inout Output.Settings) -> Void = { _ in }) throws -> Stand {
    let stand = try Stand(change)
    try stand.start()
    #expect(stand.waitFor(.publishing))
    return stand
  }

  private func start() throws {
    output.offer(SampleTracks.video)
    output.offer(SampleTracks.audio)
    try output.start()
    output.publish()
    let (output, isKeyframeRequested, keyframes, isOver) = (output, isKeyframeRequested, keyframes, isOver)
    try encoder.start(name: "encoder") {
      var number = 0
      while !isOver.wait(until: .now + .milliseconds(20)) {
        let isRequested = isKeyframeRequested.withLock { isRequested in
          defer { isRequested = false }
          return isRequested
        }
        let picture = SamplePackets.picture(number, isKeyframe: isRequested || number == 0)
        if picture.isKeyframe { keyframes.withLock { $0.append(picture.decodeTime) } }
        output.offer(picture)
        output.offer(SamplePackets.sound(number * 5 / 3))
        number += 1
      }
    }
  }

  func stop() {
    isOver.signal()
    encoder.join()
    output.stop()
    output.join()
  }

  var states: [OutputLifecycle.Condition] { events.withLock { $0.compactMap(\.condition) } }

  /// Waits until `condition` holds, for a minute at most.
  func wait(_ condition: (Stand) -> Bool) -> Bool {
    let deadline = generousDeadline
    while !condition(self) {
      if isOver.wait(until: min(deadline, .now + .milliseconds(5))) || deadline <= .now { return false }
    }
    return true
  }

  func waitFor(_ state: OutputLifecycle.Condition.State, times: Int = 1) -> Bool {
    wait { $0.states.count { $0.state == state } >= times }
  }

  /// The first keyframe made after what the first connection has sent.
  var keyframeAfterLoss: MediaTime? {
    guard let sent = server.state.withLock({ $0.received[0].last { $0.track == .video } }) else { return nil }
    return keyframes.withLock { $0.first { $0 > sent.decodeTime } }
  }

  /// Until the server has acknowledged media, and the output has noticed.
  func waitForProgress() -> Bool {
    let before = server.state.withLock { $0.answers }
    return wait { $0.server.state.withLock { $0.answers } > before + 2 }
  }
}

@Suite(.realTime) struct OutputTests {
  @Test func `an output reports publishing when a keyframe was sent`() throws {
    let stand = try Stand.publishing()
    let first = stand.server.state.withLock { $0.received.first?.first }
    stand.stop()
    #expect(first?.isKeyframe == true && first?.track == .video)
    #expect(stand.states.map(\.state) == [.connecting, .publishing, .closed])
    #expect(stand.server.state.withLock { $0.isClosedInOrder })
  }

  @Test func `an output appends after a hang-up, from a keyframe and with losses reported`() throws {
    let stand = try Stand.publishing()
    #expect(stand.waitForProgress())
    stand.server.change {
      $0.attempts = [SinkError(.unreachable, "nobody there"), SinkError(.nameTaken, "taken")]
      $0.failure = SinkError(.closed, "gone")
    }
    #expect(stand.waitFor(.publishing, times: 2))
    stand.stop()
    let state = stand.server.state.withLock { $0 }
    #expect(state.requests.map(\.type) == [.record, .append, .append, .append])
    #expect(state.received[1].first?.isKeyframe == true)
    #expect(
      stand.states.map(\.cause) == [
        nil, nil, .failure(.closed), .failure(.unreachable), .failure(.nameTaken), nil, nil,
      ])
    let received = state.received.joined().count { $0.track == .video }
    let lost = stand.events.withLock { $0.compactMap(\.loss) }.reduce(0) { $0 + $1.pictures }
    let last = try #require(state.received.last?.last { $0.track == .video })
    #expect(received + lost >= Int(last.decodeTime.ticks(timescale: 30)) + 1)
  }

  @Test func `a frozen server is reported stalled, then lost, and the bit rate goes down`() throws {
    let stand = try Stand.publishing { $0.stallTimeout = .milliseconds(1500) }
    stand.server.change { $0.isFrozen = true }
    #expect(stand.waitFor(.stalled))
    stand.server.change { $0.attempts = [SinkError(.timedOut, "no answer")] }
    #expect(stand.waitFor(.waiting))
    stand.server.change { $0.isFrozen = false }
    #expect(stand.waitFor(.publishing, times: 2))
    stand.stop()
    #expect(stand.states.contains { $0.state == .waiting && $0.cause == .failure(.noProgress) })
    let requested = stand.events.withLock { events in
      events.compactMap { if case .bitrateRequested(let bitrate, _) = $0 { bitrate } else { nil } }
    }
    #expect(requested.contains { $0 < 500_000 })
  }

  @Test func `what a frozen server has not confirmed counts as being lost once it is left`() throws {
    let stand = try Stand.publishing { $0.stallTimeout = .milliseconds(1500) }
    #expect(stand.waitForProgress())
    stand.server.change {
      $0.isFrozen = true
      $0.staysOpen = true
      $0.attempts = Array(repeating: SinkError(.timedOut, "no answer"), count: 100)
    }
    #expect(stand.waitFor(.waiting))
    #expect(stand.wait { $0.output.status.losing.map { $0.pictures > 0 } ?? false })
    let losing = stand.output.status.losing?.place
    let sent = stand.server.state.withLock { $0.received[0].last { $0.track == .video } }
    stand.stop()
    let (begin, last) = (try #require(losing?.lowerBound), try #require(sent?.decodeTime))
    #expect(last - begin >= .seconds(1))
  }

  @Test func `a pause closes the connection in order, and a resume appends with a keyframe`() throws {
    let stand = try Stand.publishing()
    #expect(stand.waitForProgress())
    stand.output.pause()
    #expect(stand.waitFor(.closed) && stand.server.state.withLock { $0.isClosedInOrder })
    stand.output.publish()
    #expect(stand.waitFor(.publishing, times: 2))
    stand.stop()
    let state = stand.server.state.withLock { $0 }
    #expect((state.requests.map(\.type), state.received[1].first?.isKeyframe) == ([.record, .append], true))
    #expect(
      stand.states.map(\.state) == [.connecting, .publishing, .closed, .connecting, .publishing, .closed])
  }

  @Test func `media made during an outage is sent later with catchUp`() throws {
    let stand = try Stand.publishing { $0.outage = .catchUp }
    // More than the second in which no other keyframe is forced.
    #expect(stand.wait { $0.server.state.withLock { $0.received[0].count } > 150 })
    stand.server.change {
      $0.attempts = Array(repeating: SinkError(.unreachable, "nobody there"), count: 1000)
      $0.failure = SinkError(.closed, "gone")
    }
    #expect(stand.waitFor(.waiting))
    // Requested at the loss, not when the server is back.
    #expect(stand.wait { $0.keyframeAfterLoss != nil })
    stand.server.change { $0.attempts = [] }
    #expect(stand.waitFor(.publishing, times: 2))
    stand.stop()
    let first = stand.server.state.withLock { $0.received[1].first }
    #expect((first?.isKeyframe, first?.decodeTime) == (true, stand.keyframeAfterLoss))
  }
}
