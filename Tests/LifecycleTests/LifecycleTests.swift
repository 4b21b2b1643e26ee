import HoldfastMediaModel
import Testing

@testable import HoldfastLifecycle

@Suite struct LifecycleTests {
  /// A story after `event`, with every request granted.
  private func settled(after event: Lifecycle.Event = .command(.start)) -> BroadcastStory {
    var story = BroadcastStory()
    story.settle(after: event)
    return story
  }

  private func previewed() -> BroadcastStory { settled(after: .previewRequested) }

  private func asking(passesOnTimeout: Bool = true, gateBegins: Bool = true) -> BroadcastStory {
    var story = BroadcastStory(.gate(passesOnTimeout: passesOnTimeout))
    story.handle(.command(.start))
    story.deliverAll()
    for _ in 0..<2 { story.answer() }
    if let gate = story.life.gate, gateBegins { story.handle(.gateBegan(gate)) }
    return story
  }

  // MARK: Start

  @Test func `a gate waits five seconds for outputs that do not answer`() {
    var story = BroadcastStory(.gate())
    story.handle(.command(.start))
    story.answer()
    let start = story.now
    story.fireTimer()
    #expect(story.life.gate != nil && story.now - start == .seconds(5))
  }

  @Test func `without a gate a start waits for nothing, and is live when its media begins`() {
    var story = BroadcastStory()
    story.handle(.command(.start))
    story.answer()
    #expect(story.state == .starting && story.actions.contains(.goLive))
    story.answer()
    #expect(story.state == .live)
  }

  @Test(arguments: [nil, MediaTime.seconds(30)])
  func `a start that goes nowhere goes on, or ends at its limit`(limit: MediaTime?) {
    var story = BroadcastStory(.gate(false, startTimeout: limit))
    story.handle(.command(.start))
    story.answer()
    let start = story.now
    #expect(story.life.timers.isEmpty == (limit == nil))
    story.fireTimer()
    #expect(story.state == (limit == nil ? .starting : .ending))
    #expect(story.now - start == limit ?? .zero)
  }

  @Test func `the start's limit ends with the start, and a new one begins with the next`() {
    var story = BroadcastStory(.gate(false, startTimeout: .seconds(30)))
    story.handle(.command(.start))
    for _ in 0..<2 { story.answer() }
    #expect(story.state == .live && story.life.timers.isEmpty)
    story.settle(after: .command(.background))
    story.handle(.command(.foreground))
    story.answer()
    #expect(story.life.timers.count == 1)
  }

  @Test func `missing devices end the first start`() {
    var story = BroadcastStory()
    story.handle(.command(.start))
    story.answer(badly: true)
    #expect(story.state == .ended(.noDevice))
  }

  @Test func `devices that were there before are retried every second`() {
    var story = settled()
    story.settle(after: .command(.background))
    story.handle(.command(.foreground))
    for _ in 0..<3 {
      story.answer(badly: true)
      #expect(story.state == .starting && story.life.devices == .closed)
      story.fireTimer()
    }
    story.settle()
    #expect(story.state == .live)
  }

  @Test func `a start while a device is missing waits for it`() {
    var story = previewed()
    story.handle(.interruptionBegan(.device))
    story.handle(.command(.start))
    #expect(story.state == .interrupted(.device, resumableUntil: story.now + .seconds(120)))
    story.settle(after: .interruptionEnded(.device))
    #expect(story.state == .live && story.publishes.map(\.type) == [.record])
  }

  @Test func `a device that returns after the resume window starts a new broadcast`() {
    var story = settled()
    story.settle(after: .interruptionBegan(.device))
    story.fireTimer()
    story.deliverAll()
    story.answer()
    story.answer(badly: true)
    #expect(story.state == .starting && story.recordings.map(\.state) == [.finished])
    story.fireTimer()
    story.settle()
    #expect(story.state == .live && story.recordings.map(\.state) == [.finished, .written])
  }

  @Test func `a start ends the user's own interruption`() {
    var story = previewed()
    story.handle(.command(.interrupt))
    story.settle(after: .command(.start))
    #expect(story.state == .live)
  }

  // MARK: Gate

  @Test func `the broadcast does not go live before the gate lets it pass`() {
    var story = asking()
    #expect(story.state == .starting && story.publishes.isEmpty)
    story.answer()
    story.handle(.prepared, output: 0)
    #expect(story.publishes.map(\.type) == [.record])
    story.answer()
    #expect(story.state == .live)
  }

  @Test func `a gate that refuses ends the start`() {
    var story = asking()
    story.answer(badly: true)
    story.settle()
    #expect(story.state == .ended(.gateRefused) && story.recordings.isEmpty)
  }

  @Test(
    arguments: [
      (true, true, .live), (false, true, .ended(.gateTimedOut)), (true, false, .ended(.gateNotBegun)),
      (false, false, .ended(.gateNotBegun)),
    ] as [(Bool, Bool, Lifecycle.State)])
  func `a gate silent for five seconds passes or refuses as configured, and refuses if it has not begun`(
    passes: Bool, begins: Bool, state: Lifecycle.State
  ) {
    var story = asking(passesOnTimeout: passes, gateBegins: begins)
    story.fireTimer()
    story.settle()
    #expect(story.state == state && story.actions.contains(.goLive) == (state == .live))
    #expect(story.actions.contains(.cancelGate))
  }

  // MARK: Off air

  @Test func `a broadcast that the user had interrupted before a crash waits for the user`() {
    var story = settled(after: .resumeAfterCrashRequested(windowLeft: .seconds(60), isOffAir: true))
    #expect(story.state == .interrupted(.user, resumableUntil: story.now + .seconds(60)))
    #expect(story.publishes.isEmpty && story.life.devices == .open)
    story.settle(after: .command(.resume))
    #expect(story.state == .live && story.publishes.map(\.type) == [.append])
  }

  @Test func `an interrupted start stays interrupted after a crash`() {
    var story = settled(after: .offAirRequested(.interrupted, windowLeft: .seconds(60)))
    #expect(story.state == .interrupted(.user, resumableUntil: story.now + .seconds(60)))
    story.settle(after: .command(.resume))
    #expect(story.state == .live && story.publishes.map(\.type) == [.record])
  }

  @Test(
    arguments: [(.interrupted, .resume), (.interrupted, .foreground), (.backgrounded, .foreground)]
      as [(Lifecycle.OffAir, Lifecycle.Command)])
  func `without a window left only the user's word begins a new broadcast`(
    offAir: Lifecycle.OffAir, word: Lifecycle.Command
  ) {
    var story = settled(after: .offAirRequested(offAir))
    #expect(story.state == .backgrounded && story.life.machine.offAir == offAir)
    story.settle(after: .interruptionEnded(.system), .sleepBegan, .sleepEnded)
    #expect(story.state == .backgrounded)
    story.settle(after: .command(word))
    #expect(story.state == .live && story.life.machine.offAir == nil)
  }

  @Test(arguments: [Lifecycle.Command.interrupt, .background])
  func `the end of a sleep puts nobody on air who was off air before`(command: Lifecycle.Command) {
    var story = settled()
    story.settle(after: .command(command), .sleepBegan, .sleepEnded)
    #expect(story.state == .backgrounded)
    var other = settled()
    other.settle(after: .sleepBegan, .sleepEnded)
    #expect(other.state == .live)
  }

  @Test func `only what the user has asked for outlives the process`() {
    var story = settled()
    story.settle(after: .interruptionBegan(.system))
    #expect(story.life.machine.offAir == nil)
    story.settle(after: .command(.interrupt))
    #expect(story.life.machine.offAir == .interrupted)
    story.settle(after: .interruptionEnded(.system), .sleepBegan)
    #expect(story.life.machine.offAir == .interrupted)
    story.settle(after: .command(.background))
    #expect(story.life.machine.offAir == .backgrounded)
    story.settle(after: .command(.stop))
    #expect(story.life.machine.offAir == nil)
  }

  // MARK: Preview

  @Test func `a preview goes live by command, and the broadcast's end leads back to it`() {
    var story = previewed()
    story.settle(after: .command(.start))
    #expect(story.state == .live)
    story.settle(after: .command(.end))
    #expect(story.state == .previewing && story.recordings.map(\.state) == [.finished])
    story.settle(after: .command(.start))
    #expect(story.publishes == [.init(broadcast: 1, type: .record), .init(broadcast: 2, type: .record)])
  }

  @Test(arguments: [Lifecycle.Event.maxDurationReached, .failed])
  func `a broadcast that fails or reaches its limit leads back to the preview`(event: Lifecycle.Event) {
    var story = previewed()
    story.settle(after: .command(.start), event)
    #expect(story.state == .previewing)
  }

  @Test func `the end of a broadcast is final when there was no preview`() {
    var story = settled()
    story.settle(after: .command(.end))
    #expect(story.state == .ended(.stopped))
  }

  // MARK: Slow answers

  @Test func `a resume waits for a pause that is still in progress`() {
    var story = settled()
    story.handle(.accepted, output: 0)
    story.handle(.proven, output: 0)
    story.handle(.command(.interrupt))
    story.handle(.command(.resume))
    #expect(!story.actions.contains(.resume))
    story.settle()
    #expect(story.state == .live && story.publishes.map(\.type) == [.record, .append])
  }

  @Test func `a resume waits at most two seconds for a pause`() {
    var story = settled()
    story.handle(.command(.interrupt))
    story.handle(.command(.resume))
    let before = story.now
    story.fireTimer()
    #expect(story.state == .live && story.now - before == .seconds(2))
  }

  @Test func `a return from the background waits until the last broadcast is closed`() {
    var story = settled()
    story.handle(.command(.background))
    story.handle(.command(.foreground))
    #expect(story.state == .starting && story.life.broadcast == nil)
    story.settle()
    #expect(story.state == .live && !story.actions.contains(.closeDevices))
  }

  @Test func `a stop waits at most two seconds for the broadcast to close`() {
    var story = settled()
    story.handle(.command(.stop))
    #expect(story.state == .ending)
    let before = story.now
    story.fireTimer()
    #expect(story.state == .ended(.stopped) && story.now - before == .seconds(2))
  }

  // MARK: Ends

  @Test func `a stop while interrupted finishes the recording`() {
    var story = settled()
    story.settle(after: .command(.interrupt), .command(.stop))
    #expect(story.state == .ended(.stopped) && story.recordings.map(\.state) == [.finished])
  }

  @Test func `the end of the source files ends a preview`() {
    var story = previewed()
    story.settle(after: .sourcesEnded)
    #expect(story.state == .ended(.sourceEnded))
  }

  @Test func `a failure after the broadcast went to the background changes nothing`() {
    var story = settled()
    story.handle(.command(.background))
    let before = story.actions
    story.handle(.failed)
    #expect(story.actions == before)
  }

  @Test func `a broadcast left by a crash is resumed from the preview, and leads back to it`() {
    var story = BroadcastStory()
    story.handle(.previewRequested)
    story.settle(after: .resumeAfterCrashRequested(windowLeft: .seconds(60)))
    #expect(story.state == .live && story.publishes.map(\.type) == [.append])
    story.settle(after: .command(.end))
    #expect(story.state == .previewing)
  }

  @Test func `a broadcast left by a crash is closed and replaced if it cannot be resumed in time`() {
    var story = BroadcastStory()
    story.handle(.resumeAfterCrashRequested(windowLeft: .milliseconds(500)))
    story.fireTimer()
    story.settle()
    #expect(story.state == .live)
    #expect(story.recordings.map(\.state) == [.finished, .written])
    #expect(story.publishes == [.init(broadcast: 2, type: .record)])
  }
}
