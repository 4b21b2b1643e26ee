import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastPublishing

@Suite struct OutputMachineTests {
  private typealias Story = OutputMachineStory

  private let closed = Output.Event.changed(.init(.closed), reason: nil)
  private let connecting = Output.Event.changed(.init(.connecting), reason: nil)
  private let publishing = Output.Event.changed(.init(.publishing), reason: nil)
  private static let track = OutputMachine.Event.track(SampleTracks.video)

  @Test func `an output connects when all tracks are known`() throws {
    var story = try Story([.publish, .networkChanged])
    #expect(story.takeVerbs().isEmpty)
    #expect(story.takeVerbs(after: Self.track) == ["connect 1 record"])
  }

  @Test func `a stop while tracks are awaited ends the output`() throws {
    var story = try Story([.publish, .stop, .disconnected(1)])
    #expect(story.machine.state == .finished && story.takeReports().isEmpty)
  }

  @Test func `acceptance finishes the first attempt, and the proof starts publishing`() throws {
    var story = try Story([.publish, Self.track, .connected(1)])
    #expect(story.takeReports() == [connecting, .accepted, .firstAttemptFinished])
    story.handle(.mediaSent(1, lost: .video(.seconds(1))))
    #expect(story.takeReports().isEmpty && story.machine.figures.losing == .video(.seconds(1)))
    #expect(story.takeReports(after: .proven(1)) == [.lost(.video(.seconds(1))), publishing])
  }

  @Test func `an end in order proves a publish, and what was pending is delivered`() throws {
    var story = try Story([.publish, Self.track, .connected(1), .mediaSent(1, lost: OutputLoss()), .pause])
    #expect(story.takeVerbs() == ["connect 1 record", "begin", "suspend 1"])
    _ = story.takeReports()
    #expect(story.takeReports(after: .disconnected(1, OutputEnd(isOrderly: true))) == [publishing, closed])
    #expect(story.takeVerbs(after: .publish) == ["connect 2 append"])
  }

  @Test func `what a server was given that accepts and hangs up is lost, and it is told so`() throws {
    var story = try Story([.publish, Self.track, .connected(1), .mediaSent(1, lost: OutputLoss())])
    _ = (story.takeVerbs(), story.takeReports())
    story.handle(.failed(1, SinkError(.closed, "gone")), .disconnected(1, .video(.seconds(1))))
    let reports = story.takeReports()
    let change = try #require(reports.first?.change)
    #expect(change.condition.state == .waiting && change.condition.cause == .refusedOrTaken)
    #expect(change.reason?.contains("the name is taken, or the server refuses") == true)
    #expect(reports.count == 1 && story.machine.figures.losing == .video(.seconds(1)))
    story.pass(.seconds(1))
    #expect(story.takeVerbs() == ["drop 1", "connect 2 record"])
  }

  // MARK: - Other headers

  private static let other = OutputMachine.Event.track(SamplePackets.otherVideo)

  @Test func `other headers end the connection in order, and the next one continues the publish`() throws {
    var story = try Story.published(Self.other)
    #expect(story.takeVerbs() == ["close 1"] && story.takeReports().isEmpty)
    #expect(story.takeVerbs(after: .disconnected(1, .video(.milliseconds(40)))) == ["connect 2 append"])
    let reports = story.takeReports()
    let change = try #require(reports.first?.change)
    #expect(change.condition == .init(.connecting, cause: .headersChanged) && change.reason?.isEmpty == false)
    #expect(reports.count == 1)
    story.handle(.connected(2), .mediaSent(2, lost: OutputLoss()), .proven(2))
    var loss = OutputLoss.video(.milliseconds(40))
    loss.cause = .source
    #expect(story.takeReports() == [.accepted, .lost(loss), publishing])
  }

  @Test(arguments: [
    ("srt://host:9000", SamplePackets.otherVideo, "change"),
    ("rtsp://host/a", SamplePackets.otherVideo, "close 1"),
    (
      "srt://host:9000", Track(codec: .hevc, format: SampleTracks.video.format, headers: [1], bitrate: 0),
      "close 1"
    ),
  ])
  func `a transport stream takes other headers of the same codec with it`(
    address: String, track: Track, verb: String
  ) throws {
    var story = try Story.published(to: address)
    #expect(story.takeVerbs(after: .track(track)) == [verb])
    #expect(story.takeVerbs(after: .networkChanged).isEmpty && story.takeReports().isEmpty)
  }

  @Test func `once another connection fails, what is missing is the network's`() throws {
    var story = try Story.published(Self.other, .disconnected(1, .video(.seconds(1))))
    story.handle(.failed(2, SinkError(.unreachable, "no route")), .disconnected(2), .networkChanged)
    story.handle(.connected(3), .mediaSent(3, lost: OutputLoss()), .proven(3))
    #expect(story.takeReports().contains(.lost(.video(.seconds(1)))))
  }

  @Test func `the same headers at another bitrate need no connection`() throws {
    let video = SampleTracks.video
    var story = try Story.published(
      .track(Track(codec: video.codec, format: video.format, headers: video.headers, bitrate: 9)))
    #expect(story.takeVerbs().isEmpty)
  }

  @Test func `headers that change while it connects are followed once it is connected`() throws {
    var story = try Story([.publish, Self.track, Self.other])
    #expect(story.takeVerbs() == ["connect 1 record"])
    #expect(story.takeVerbs(after: .connected(1)) == ["begin", "close 1"])
    #expect(story.takeVerbs(after: .disconnected(1)) == ["connect 2 record"])
  }

  @Test func `a stalled server gets other headers when it recovers, or with the next attempt`() throws {
    let stall = OutputMachine.Event.exchanged(1, isWaiting: true)
    var story = try Story.published(stall)
    story.pass(.milliseconds(1100))
    story.handle(stall)
    #expect(story.machine.figures.condition.state == .stalled)
    #expect(story.takeVerbs(after: Self.other) == ["hold"])
    var recovered = story
    recovered.handle(.exchanged(1, answeredAt: .milliseconds(1200)))
    #expect(recovered.takeVerbs() == ["release", "close 1"])
    story.handle(.failed(1, SinkError(.closed, "closed")), .disconnected(1))
    story.pass(.seconds(1))
    #expect(story.takeVerbs(after: .connected(2)) == ["drop 1", "connect 2 append", "begin"])
  }

  @Test func `a session that was kept over a pause is left for other headers`() throws {
    var story = try Story.published(.pause, .suspended(1), Self.other)
    #expect(story.takeVerbs() == ["suspend 1"])
    #expect(story.takeVerbs(after: .publish, .connected(1)) == ["resume 1", "begin", "close 1"])
    #expect(story.takeVerbs(after: .disconnected(1)) == ["connect 2 append"])
  }

  @Test(arguments: [OutputMachine.Event.pause, .stop])
  func `a pause or stop drops an attempt at once, and reports closed once it is disconnected`(
    message: OutputMachine.Event
  ) throws {
    var story = try Story([.publish, Self.track, message])
    #expect((story.takeVerbs(), story.takeReports()) == (["connect 1 record", "drop 1"], [connecting]))
    #expect(story.takeReports(after: .disconnected(1)) == [closed, .firstAttemptFinished])
  }

  @Test func `a resume after a pause that ended an attempt starts another`() throws {
    var story = try Story([.publish, Self.track, .pause, .disconnected(1), .publish])
    #expect(story.takeVerbs() == ["connect 1 record", "drop 1", "connect 2 record"])
  }

  @Test func `a prepared output publishes on its connection`() throws {
    var story = try Story([.prepare, Self.track, .prepared(1)])
    #expect((story.takeVerbs(), story.takeReports()) == (["prepare 1"], [connecting, .firstAttemptFinished]))
    #expect(story.takeVerbs(after: .publish) == ["connect 1 record"])
  }

  @Test func `a publish that was asked for during the preparation follows it`() throws {
    var story = try Story([.prepare, Self.track, .publish, .prepared(1)])
    #expect(story.takeVerbs() == ["prepare 1", "connect 1 record"])
  }

  @Test func `a preparation that fails is tried again, and counts as the first attempt`() throws {
    var story = try Story([.prepare, Self.track])
    story.handle(.failed(1, SinkError(.unreachable, "no route")), .disconnected(1))
    story.pass(.zero)
    #expect(story.takeVerbs() == ["prepare 1", "drop 1", "prepare 2"])
    #expect(story.takeReports().last == .firstAttemptFinished)
  }

  @Test func `attempts that fail for the same reason are reported once`() throws {
    var story = try Story([.publish, Self.track])
    for number in 1...9 {
      story.handle(.failed(number, SinkError(.unreachable, "no route")), .disconnected(number))
      story.fireNextTimer()
    }
    story.handle(.failed(10, SinkError(.timedOut, "no answer")), .disconnected(10))
    let conditions = story.takeReports().compactMap(\.condition)
    #expect(
      conditions.map { $0.cause?.name ?? $0.state.rawValue } == ["connecting", "unreachable", "timedOut"])
  }

  @Test func `a refusal is not retried`() throws {
    var story = try Story([
      .publish, Self.track, .failed(1, SinkError(.refused, "wrong key")), .disconnected(1),
    ])
    story.handle(.networkChanged)
    story.pass(.seconds(3600))
    #expect(story.takeVerbs() == ["connect 1 record", "drop 1"])
  }

  @Test func `a stop ends an output that waits for its next attempt`() throws {
    var story = try Story([
      .publish, Self.track, .failed(1, SinkError(.unreachable, "no route")), .disconnected(1),
    ])
    story.handle(.stop, .disconnected(2))
    #expect(story.machine.state == .finished && story.takeReports().last == closed)
  }

  @Test func `a stall that ends is not a loss`() throws {
    var story = try Story.published(.exchanged(1, isWaiting: true))
    story.pass(.seconds(2))
    story.handle(.exchanged(1, isWaiting: true), .exchanged(1, answeredAt: .seconds(2)))
    #expect(story.takeReports().compactMap(\.condition?.state) == [.stalled, .publishing])
    #expect(story.takeVerbs() == ["hold", "release"])
  }

  @Test func `an output reconnects only when the old connection is closed`() throws {
    var story = try Story.published(.pause, .publish)
    #expect(story.takeVerbs() == ["suspend 1"])
    story.handle(.disconnected(1))
    #expect((story.takeVerbs(), story.takeReports()) == (["connect 2 append"], [closed, connecting]))
  }

  @Test func `a resume and a pause while a connection closes cancel each other`() throws {
    var story = try Story.published(.pause, .publish, .pause, .disconnected(1))
    #expect(story.takeVerbs() == ["suspend 1", "drop 2"])
    story.handle(.disconnected(2, .video(.milliseconds(200))))
    #expect(story.takeReports() == [closed, .lost(.video(.milliseconds(200)))])
  }

  @Test func `a resume continues a session that the server has kept`() throws {
    var story = try Story.published(.pause, .suspended(1), .publish, .connected(1))
    #expect(story.takeVerbs() == ["suspend 1", "resume 1", "begin"])
    #expect(story.takeReports() == [closed, connecting, .accepted, .firstAttemptFinished])
  }

  @Test(
    arguments: [
      [.publish, .failed(1, SinkError(.timedOut, "no answer")), .disconnected(1)],
      [.publish, .disconnected(1)], [.disconnected(1), .publish],
    ] as [[OutputMachine.Event]])
  func `a resume makes another connection if the session is lost`(messages: [OutputMachine.Event]) throws {
    var story = try Story(Story.publishing + [.pause, .suspended(1)] + messages)
    #expect(story.takeVerbs().last == "connect 2 append")
  }

  @Test func `a stop closes a session that the server has kept`() throws {
    var story = try Story.published(.pause, .suspended(1), .stop, .disconnected(1))
    #expect(story.takeVerbs() == ["suspend 1", "close 1", "drop 2"])
    story.handle(.disconnected(2))
    #expect(story.machine.state == .finished)
  }

  @Test func `losses are reported once a second`() throws {
    var story = try Story.published(.exchanged(1, lost: .video(.milliseconds(10))))
    story.pass(.milliseconds(500))
    #expect(story.takeReports(after: .exchanged(1, lost: .video(.milliseconds(20)))).isEmpty)
    story.pass(.milliseconds(500))
    #expect(story.takeReports() == [.lost(.video(.milliseconds(10), .milliseconds(20)))])
  }

  @Test func `what an outage cost before a pause is reported with the pause`() throws {
    var story = try Story.published(.failed(1, SinkError(.closed, "closed")), .pause)
    story.handle(.disconnected(1, .video(.seconds(2))))
    #expect(story.takeReports().contains(.lost(.video(.seconds(2)))))
  }

  @Test func `what the server of a lost connection has received after all is no loss`() throws {
    let failure = OutputMachine.Event.failed(1, SinkError(.noProgress, "frozen"))
    let lost = OutputMachine.Event.disconnected(1, .video(.seconds(2)), unsettled: .video(.seconds(3)))
    var story = try Story.published(failure, lost)
    #expect(story.machine.figures.losing == .video(.seconds(2), .seconds(3)))
    story.pass(.seconds(10))
    story.handle(.connected(2, lost: .video(.seconds(1))), .mediaSent(2, lost: OutputLoss()), .proven(2))
    #expect(story.takeReports().contains(.lost(.video(.seconds(2), .seconds(1)))))
    #expect(story.machine.figures.losing == nil)
  }

  @Test func `what is not settled at a pause is settled by the next connection`() throws {
    var story = try Story.published(.pause, .disconnected(1, unsettled: .video(.seconds(3))))
    #expect(story.machine.figures.losing == .video(.seconds(3)) && story.takeReports() == [closed])
    story.handle(
      .publish, .connected(2, lost: .video(.seconds(1))), .mediaSent(2, lost: OutputLoss()), .proven(2))
    #expect(story.takeReports().contains(.lost(.video(.seconds(1)))))
  }

  @Test func `what is not settled at the end is lost`() throws {
    var story = try Story.published(.pause, .disconnected(1, unsettled: .video(.seconds(3))), .stop)
    story.handle(.disconnected(2, unsettled: .video(.seconds(2))))
    #expect(story.machine.state == .finished && story.takeReports().contains(.lost(.video(.seconds(2)))))
  }

  @Test(arguments: [true, false])
  func `what an encoder still held when the output had left is no loss`(isResumed: Bool) throws {
    var story = try Story.published(.pause)
    story.handle(.disconnected(1))
    if isResumed { story.handle(.publish, .failed(2, SinkError(.closed, "closed")), .disconnected(2)) }
    story.handle(.stop)
    story.handle(.disconnected(story.number, .video(.milliseconds(45))))
    #expect(story.machine.state == .finished)
    #expect(story.takeReports().contains(.lost(.video(.milliseconds(45)))) == isResumed)
  }

  @Test func `what a connection has not delivered is known until its end`() throws {
    let reading = OutputReading(SinkHealth(lastProgress: .at(0)), undelivered: [.video: .seconds(3)])
    var story = try Story.published(.exchanged(1, reading), .stop)
    #expect(story.machine.figures.undelivered == [.video: .seconds(3)])
    story.handle(.disconnected(1))
    #expect(story.machine.figures.undelivered == nil)
  }

  @Test func `an output that must not lower the bitrate only reports what it drops`() throws {
    let reading = OutputReading(
      SinkHealth(lastProgress: .at(0)), queued: .seconds(10),
      sample: .init(queued: .seconds(10), throughput: 100_000), lost: .video(.seconds(2)))
    var story = try Story.published(.exchanged(1, reading))
    story.pass(.seconds(1))
    #expect(story.takeReports() == [.lost(.video(.seconds(2)))])
  }

  @Test func `the losses of an outage are reported when it is over`() throws {
    let failure = OutputMachine.Event.failed(1, SinkError(.closed, "closed"))
    var story = try Story.published(failure, .disconnected(1, .video(.seconds(2))))
    story.pass(.seconds(10))
    #expect(!story.takeReports().contains(.lost(.video(.seconds(2)))))
    story.handle(.connected(2), .mediaSent(2, lost: OutputLoss()), .proven(2))
    #expect(story.takeReports().suffix(2) == [.lost(.video(.seconds(2))), publishing])
  }

  @Test func `an output reports its last losses at its end, and leaves no timer`() throws {
    var story = try Story.published(.exchanged(1, lost: .video(.milliseconds(10))))
    story.handle(.stop, .disconnected(1), .disconnected(2, .video(.seconds(1))))
    #expect(story.machine.state == .finished && story.timers.isEmpty)
    #expect(story.takeReports() == [closed, .lost(.video(.milliseconds(10), .seconds(1)))])
  }

  @Test func `a network change during an attempt makes the next one immediate`() throws {
    var story = try Story([.publish, Self.track])
    for number in 1...3 {
      let failure = OutputMachine.Event.failed(number, SinkError(.unreachable, "no route"))
      story.handle(.networkChanged, failure, .disconnected(number))
    }
    #expect(story.takeVerbs().last == "connect 4 record" && story.timers.isEmpty)
  }

  @Test func `an output follows a redirection, and returns to its own address`() throws {
    let moved = SinkError(.moved, "elsewhere", location: "rtmp://other/app/key")
    var story = try Story([.publish, Self.track, .failed(1, moved), .disconnected(1)])
    story.pass(.zero)
    story.handle(.failed(2, SinkError(.unreachable, "no route")), .disconnected(2), .networkChanged)
    let own = try OutputAddress("rtmp://host/app/key")
    #expect(story.addresses == [own, try OutputAddress("rtmp://other/app/key"), own])
  }

  @Test func `events are sent only while the output is connected`() throws {
    let event = OutputMachine.Event.send(CustomEvent(name: "score", text: "1:0"))
    var story = try Story([.publish, event, Self.track, event, .connected(1), event])
    #expect(story.takeVerbs() == ["connect 1 record", "begin", "send"])
  }

  @Test func `with catchUp a lost connection requests a keyframe to continue with`() throws {
    let failure = OutputMachine.Event.failed(1, SinkError(.closed, "closed"))
    var story = try Story([.publish, Self.track, .connected(1), failure]) { $0.outage = .catchUp }
    #expect(story.takeVerbs().suffix(2) == ["requestKeyframe", "drop 1"])
  }
}

// MARK: - Every state

extension OutputMachineTests {
  private static let open = Story.publishing
  private static let paths: [(state: OutputMachine.State, messages: [OutputMachine.Event])] = [
    (.awaitingTracks, []),
    (.connecting, [.publish, track]),
    (.prepared, [.prepare, track, .prepared(1)]),
    (.open(hasSentMedia: false), [.publish, track, .connected(1)]),
    (.open(hasSentMedia: true), open),
    (.closing(then: [.report(.init(.closed))]), open + [.pause]),
    (.disconnected, open + [.pause, .disconnected(1)]),
    (.suspended, open + [.pause, .suspended(1)]),
    (.resuming(.append), open + [.pause, .suspended(1), .publish]),
    (
      .closing(then: [.report(.init(.connecting, cause: .headersChanged))]),
      open + [.track(SamplePackets.otherVideo)]
    ),
    (.finishing, open + [.stop, .disconnected(1)]),
    (.finished, open + [.stop, .disconnected(1), .disconnected(2)]),
  ]
  private static let commands: [OutputMachine.Event] = [
    track, .track(SamplePackets.otherVideo), .prepare, .publish, .pause, .stop, .networkChanged,
    .send(CustomEvent(name: "score", text: "1:0")), .move(to: nil),
    .move(to: try? OutputAddress("rtmp://other/app/key")),
  ]

  private static func outcomes(_ number: Int) -> [OutputMachine.Event] {
    [
      .prepared(number), .connected(number), .failed(number, SinkError(.closed, "closed")),
      .failed(number, SinkError(.refused, "refused")), .mediaSent(number, lost: OutputLoss()),
      .exchanged(number, answeredAt: .seconds(86_400), lost: .video(.seconds(1))),
      .exchanged(number, isWaiting: true), .suspended(number), .disconnected(number),
    ]
  }

  @Test(arguments: paths.indices)
  func `a message about another connection changes nothing in any state`(index: Int) throws {
    var story = try Story(Self.paths[index].messages)
    _ = (story.takeVerbs(), story.takeReports())
    for message in Self.outcomes(story.number - 1) + Self.outcomes(story.number + 1) { story.handle(message) }
    #expect(story.takeVerbs().isEmpty && story.takeReports().isEmpty)
    #expect(story.machine.state == Self.paths[index].state)
  }

  @Test(arguments: paths.indices)
  func `any three messages in any state keep the invariants, and a stop ends the output`(index: Int) throws {
    func walk(_ story: Story, depth: Int, path: [OutputMachine.Event]) -> String? {
      guard story.problems.isEmpty else { return "\(story.problems) after \(path)" }
      var ended = story
      ended.finish()
      guard ended.machine.state == .finished, ended.timers.isEmpty, ended.connection == .none else {
        return "no end after \(path)"
      }
      guard depth > 0 else { return nil }
      for message in Self.commands + Self.outcomes(story.number) where story.allows(message) {
        var next = story
        next.handle(message)
        if let failing = walk(next, depth: depth - 1, path: path + [message]) { return failing }
      }
      guard !story.timers.isEmpty else { return nil }
      var fired = story
      fired.fireNextTimer()
      return walk(fired, depth: depth - 1, path: path)
    }
    let story = try Story(Self.paths[index].messages)
    #expect(story.machine.state == Self.paths[index].state)
    #expect(walk(story, depth: 3, path: []) == nil)
  }
}
