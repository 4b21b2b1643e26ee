import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

@testable import HoldfastBroadcasting

/// An environment that only notes what a broadcaster's driver asks of it.
final class NotedProcessEnvironment: ProcessEnvironment {
  /// The requests to devices, broadcasts and the gate, in short words.
  private var calls: [String] = []
  private(set) var events: [BroadcastEvent] = []
  private(set) var journal: [JournalEntry] = []
  private(set) var newest: BroadcastNumber?

  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func request(_ request: SourceRequest) {
    switch request {
    case .open(let number): calls.append("open \(number)")
    case .close: calls.append("close")
    case .change(let change, _): calls.append("change \(change.track.rawValue)")
    }
  }
  func openBroadcast(_ number: BroadcastNumber, id: String) {
    newest = number
    calls.append("openBroadcast \(id)")
  }
  func post(_ request: BroadcastRequest, to broadcast: BroadcastNumber) -> Bool {
    switch request {
    case .prepare: calls.append("prepare")
    case .goLive: calls.append("goLive")
    case .pause: calls.append("pause")
    case .reportInterrupted(let cause, _): calls.append("reportInterrupted \(cause.rawValue)")
    case .resume(let cause): calls.append("resume after \(cause.rawValue)")
    case .stop(let reason): calls.append("stop \(reason.rawValue)")
    case .limitBitrate: calls.append("limitBitrate")
    case .send: calls.append("send")
    case .move(let output, _): calls.append("move \(output.rawValue)")
    }
    return true
  }
  func release(_ broadcast: BroadcastNumber, _ outcome: Broadcast.Outcome) { calls.append("release") }
  func discardInterrupted(_ reason: BroadcastEvent.EndReason) { calls.append("discard \(reason.rawValue)") }
  func askGate(_ number: Int, about broadcast: BroadcastNumber, _ occasion: BroadcastInfo.Occasion) {
    calls.append("askGate \(number) \(occasion.rawValue)")
  }
  func keep(_ word: LastWord) {
    calls.append("keep \(word.offAir.map { $0.isBackgrounded ? "backgrounded" : "interrupted" } ?? "onAir")")
  }
  func instant(at now: Instant) -> JournalInstant {
    JournalInstant(wall: now.wall, sinceBoot: now.sinceBoot, bootID: "boot")
  }
  func cancelGate() { calls.append("cancelGate") }

  func write(_ entry: JournalEntry, toJournalOf broadcast: BroadcastNumber) { journal.append(entry) }
  func report(_ observation: Broadcast.Observation) {
    if case .event(let line) = observation { events.append(line.event) }
  }
  func preview(_ isOn: Bool) {}
  func publish(_ status: ProcessStatus) {}
  func wait(for inbox: Inbox<ProcessEvent>, until deadline: MonotonicTime?) -> ProcessEvent? { nil }
}
