import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// Sources that outlive broadcasts, with devices that come and go as a script says.
@Suite(.realTime) struct FeedTests {
  private typealias NumberFeed = Feed<Int, String>

  /// A device that delivers its numbers and is lost after the last one.
  private final class Script: Sendable {
    private let openings: Locked<[Result<[Int], CaptureError>]>
    let opened = Locked(0)

    init(_ openings: [Result<[Int], CaptureError>]) { self.openings = Locked(openings) }

    func open() throws(CaptureError) -> FeedSource<Int, String> {
      opened.withLock { $0 += 1 }
      let next = openings.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let numbers = try next?.get() else { throw FeedTests.error(.notFound) }
      return FeedSource(properties: "properties", summary: "script") { (stop, deliver) throws(CaptureError) in
        for number in numbers { deliver(number) }
        throw FeedTests.error(.lost)
      }
    }
  }

  private static func error(_ kind: CaptureError.Kind) -> CaptureError {
    CaptureError(kind, .video, device: "script", what: "\(kind)", hint: "none")
  }

  private struct Given: Hashable, Sendable {
    let number: Int
    let isStandIn: Bool
  }

  private let given = BoundedQueue<Given>(capacity: 1000)
  private let reported = BoundedQueue<String>(capacity: 1000)

  private func feed(_ script: Script, outlivesBroadcasts: Bool = true) -> NumberFeed {
    NumberFeed(
      NumberFeed.Settings(
        track: .video,
        standIn: { properties in
          FeedSource(properties: properties, summary: "stand-in") { (stop, deliver) throws(CaptureError) in
            repeat { deliver(0) } while !stop.wait(until: .now + .milliseconds(5))
          }
        },
        report: { [reported] event in
          let what = if case .lost(let error) = event { " \(error.what)" } else { "" }
          _ = reported.offer(String("\(event)".prefix { $0 != "(" }) + what)
        }),
      origin(script, outlivesBroadcasts: outlivesBroadcasts))
  }

  /// An open feed with a receiver.
  private func opened(_ script: Script) throws -> NumberFeed {
    let feed = feed(script)
    try feed.attach(receiver, as: feed.nextAttachment())
    try feed.open()
    return feed
  }

  private var receiver: FeedReceiver<Int> {
    FeedReceiver(
      receive: { [given] in _ = given.offer(Given(number: $0, isStandIn: $1.isStandIn)) },
      isReady: { _ in true },
      end: { [reported] error in _ = reported.offer("ended\(error == nil ? "" : " badly")") })
  }

  private func next(_ condition: (Given) -> Bool) -> Given? {
    while let one = given.take(until: .now + .seconds(30)) { if condition(one) { return one } }
    return nil
  }

  /// The next reports.
  private func reports(_ count: Int) -> [String?] {
    (0..<count).map { _ in reported.take(until: .now + .seconds(30)) }
  }

  @Test func `a stand-in replaces a lost device until the device delivers again`() throws {
    let script = Script([.success([1]), .failure(Self.error(.notFound)), .success([2]), .success([3])])
    let feed = try opened(script)
    for (number, isStandIn) in [(1, false), (0, true), (2, false), (0, true), (3, false)] {
      #expect(next { $0.number == number }?.isStandIn == isStandIn)
    }
    feed.close()
    #expect(reports(4) == ["opened", "lost lost", "back", "lost lost"])
  }

  @Test func `a device in use elsewhere is reported busy once and retried`() throws {
    let busy = Result<[Int], CaptureError>.failure(Self.error(.busy))
    let feed = try opened(Script([.success([1]), busy, busy, .success([2])]))
    #expect(next { $0.number == 2 } != nil)
    feed.close()
    #expect(reports(4) == ["opened", "lost lost", "busy", "back"])
  }

  @Test func `a device that opens but delivers nothing does not count as back`() throws {
    let script = Script([.success([1]), .success([]), .success([]), .success([2])])
    let feed = try opened(script)
    #expect(next { $0.number == 2 } != nil)
    feed.close()
    #expect(reports(3) == ["opened", "lost lost", "back"])
    #expect(script.opened.withLock { $0 } >= 4)
  }

  @Test func `a device keeps running from one broadcast to the next`() throws {
    let script = Script([.success([1])])
    let feed = feed(script)
    try feed.open()
    let number = feed.nextAttachment()
    try feed.attach(receiver, as: number)
    #expect(next { $0.isStandIn } != nil)
    feed.detach(number)
    feed.awaitEnd(of: number)
    try feed.attach(receiver, as: feed.nextAttachment())
    #expect(next { $0.isStandIn } != nil)
    feed.close()
    #expect(reports(1) == ["opened"])
  }

  @Test func `a lane that detaches late does not detach the next one`() throws {
    let feed = feed(Script([.success([1])]))
    try feed.open()
    let first = feed.nextAttachment()
    try feed.attach(receiver, as: first)
    try feed.attach(receiver, as: feed.nextAttachment())
    feed.detach(first)
    feed.awaitEnd(of: first)
    while given.take(until: .now) != nil {}
    #expect(next { $0.isStandIn } != nil)
    feed.close()
  }

  @Test func `a lane detached before it is attached receives nothing`() throws {
    let feed = feed(Script([.success([1])]))
    let number = feed.nextAttachment()
    feed.detach(number)
    try feed.attach(receiver, as: number)
    #expect(feed.state.withLock { $0.receivers.lane == nil })
  }

  @Test func `a source that is not a device starts again with each broadcast`() throws {
    let script = Script([.success([1]), .success([2])])
    let feed = feed(script, outlivesBroadcasts: false)
    try feed.open()
    for number in [1, 2] {
      let attachment = feed.nextAttachment()
      try feed.attach(receiver, as: attachment)
      #expect(next { _ in true } == Given(number: number, isStandIn: false))
      #expect(reports(2) == ["opened", "ended badly"])
      feed.detach(attachment)
      feed.awaitEnd(of: attachment)
    }
    feed.close()
  }

  @Test func `a known device that is missing at opening is replaced until it is found`() throws {
    let feed = feed(Script([.success([1]), .failure(Self.error(.notFound)), .success([2])]))
    #expect(!feed.isExpected(despite: Self.error(.lost)))
    try feed.open()
    try feed.awaitFirstItem()
    feed.close()
    #expect(feed.isExpected(despite: Self.error(.lost)))
    #expect(throws: CaptureError.self) { try feed.open() }
    try feed.attach(receiver, as: feed.nextAttachment())
    try feed.openWithout(Self.error(.notFound))
    #expect(next { $0.isStandIn } != nil)
    #expect(next { $0.number == 2 } != nil)
    feed.close()
  }

  @Test func `a device that opens but delivers nothing at the start is an error`() throws {
    let feed = feed(Script([.success([])]))
    try feed.open()
    #expect(throws: CaptureError.self) { try feed.awaitFirstItem() }
    #expect(!feed.isExpected(despite: Self.error(.lost)))
    feed.close()
    #expect(reported.take(until: .now) == nil)
  }

  @Test(arguments: [[], [1]])
  func `a blocked source is abandoned, and is an error if it has delivered nothing`(first: [Int]) throws {
    let release = Promise<Bool>()
    var settings = feed(Script([])).settings
    settings.note = { [reported] in _ = reported.offer($0) }
    let limits = SourceLimits(firstItem: .milliseconds(20), stop: .milliseconds(20))
    let feed = NumberFeed(
      settings,
      NumberFeed.Origin(outlivesBroadcasts: true, limits: limits) { _ in
        FeedSource(properties: "blocked", summary: "blocked") { _, deliver in
          for number in first { deliver(number) }
          _ = release.take()
        }
      })
    try feed.open()
    let error = Result { try feed.awaitFirstItem() }
    #expect(((try? error.get()) == nil) == first.isEmpty)
    feed.close()
    #expect(reports(1 + first.count).last??.hasSuffix("its thread is abandoned") == true)
    release.fulfil(true)
  }

  private func origin(_ script: Script, outlivesBroadcasts: Bool = true) -> NumberFeed.Origin {
    NumberFeed.Origin(outlivesBroadcasts: outlivesBroadcasts) { _ throws(CaptureError) in try script.open() }
  }

  @Test(arguments: [true, false])
  func `a new source replaces the old one, whose end does not end the track`(outlivesBroadcasts: Bool) throws
  {
    let old = FeedSource<Int, String>(properties: "old", summary: "old") { stop, deliver in
      repeat { deliver(1) } while !stop.wait(until: .now + .milliseconds(1))
      // It does not stop at once.
      for _ in 0..<5 { deliver(9) }
    }
    let feed = NumberFeed(
      feed(Script([])).settings, NumberFeed.Origin(outlivesBroadcasts: outlivesBroadcasts) { _ in old })
    let given = receiver
    try feed.open()
    try feed.attach(
      FeedReceiver(
        receive: { [reported] number, source in
          if number == 9 { _ = reported.offer("too late") }
          given.receive(number, source)
        }, isReady: given.isReady, end: given.end), as: feed.nextAttachment())
    #expect(next { $0.number == 1 } != nil)
    let close = try feed.change(
      to: origin(Script([.success([2]), .success([3])])), until: .now + .seconds(30))
    close()
    #expect(feed.properties == "properties")
    #expect(next { $0.number == 2 }?.isStandIn == false)
    // It is lost, and found again as what it is now.
    #expect(next { $0.number != 2 } == Given(number: 0, isStandIn: true))
    #expect(next { $0.number != 0 } == Given(number: 3, isStandIn: false))
    feed.close()
    // Each reported once, and nothing else.
    #expect(reports(4) == ["opened", "changed", "lost lost", "back"])
  }

  @Test(arguments: [.success([]), .failure(error(.notFound))] as [Result<[Int], CaptureError>])
  private func `a source that fails is not switched to`(opening: Result<[Int], CaptureError>) throws {
    let feed = try opened(Script([.success([1])]))
    #expect(next { $0.isStandIn } != nil)
    #expect(throws: CaptureError.self) {
      try feed.change(to: origin(Script([opening])), until: .now + .seconds(30))
    }
    while given.take(until: .now) != nil {}
    #expect(next { $0.isStandIn } != nil)
    feed.close()
    #expect(reported.take(until: .now) == "opened" && reported.take(until: .now) == "lost lost")
    #expect(reported.take(until: .now) == nil)
  }

  @Test func `a switch to a silent source ends at its deadline or when cancelled`() throws {
    let silent = NumberFeed.Origin(outlivesBroadcasts: true) { _ in
      FeedSource(properties: "silent", summary: "silent") { stop, _ in _ = try? stop.poll([], until: nil) }
    }
    let feed = feed(Script([.success([1])]))
    try feed.open()
    #expect(throws: CaptureError.self) { try feed.change(to: silent, until: .now + .milliseconds(20)) }
    let asker = ThreadSlot()
    let answer = BoundedQueue<Bool>(capacity: 1)
    try asker.start(name: "asker") {
      _ = answer.offer((try? feed.change(to: silent, until: .now + .seconds(600))) == nil)
    }
    while !feed.state.withLock({ if case .switching = $0.machine.state { true } else { false } }) {
      _ = reported.take(until: .now + .milliseconds(1))
    }
    feed.abandonChange()
    #expect(answer.take(until: .now + .seconds(30)) == true)
    asker.join()
    feed.close()
  }

  @Test func `a source chosen while the feed is closed opens the next time`() throws {
    let feed = feed(Script([.success([1])]))
    try feed.open()
    feed.close()
    try feed.change(to: origin(Script([.success([]), .success([7])])), until: .now + .seconds(30))()
    try feed.attach(receiver, as: feed.nextAttachment())
    try feed.open()
    #expect(next { $0.number == 7 } != nil)
    feed.close()
  }

  @Test func `an item that processing drops reaches no receiver`() throws {
    var settings = feed(Script([])).settings
    settings.process = { $0 == 1 ? nil : $0 * 10 }
    let feed = NumberFeed(settings, origin(Script([.success([1, 2])])))
    try feed.attach(receiver, as: feed.nextAttachment())
    try feed.open()
    #expect(next { _ in true }?.number == 20)
    feed.close()
  }

  @Test func `a watcher receives items even when no lane is attached`() throws {
    let feed = feed(Script([.success([1])]))
    feed.watch(receiver)
    try feed.open()
    #expect(next { $0.isStandIn } != nil)
    feed.close()
  }
}
