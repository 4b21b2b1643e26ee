import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastHTTP

@Suite struct EventStreamTests {
  private let history: EventHistory
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  init() throws { history = EventHistory(wakeup: try Wakeup()) }

  /// All that a stream sends now, followed by "over" at its end.
  private func read(_ stream: inout EventStream, at now: MonotonicTime? = nil) -> String {
    var text = ""
    while true {
      switch stream.next(at: now ?? start) {
      case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .nothing: return text
      case .over: return text + "over"
      }
    }
  }

  private func id(_ number: Int) -> String { "\(history.epoch)-\(number)" }

  @Test func `a reader begins with the next event, and gets the id of the last`() {
    history.append(name: "live", data: "1")
    var stream = EventStream(history, at: start)
    #expect(read(&stream) == "retry: 1000\nid: \(id(1))\n\n")
    history.append(name: "ended", data: #"{"a":1}"#)
    #expect([read(&stream), read(&stream)] == ["id: \(id(2))\nevent: ended\ndata: {\"a\":1}\n\n", ""])
  }

  @Test func `a reader that reconnects gets the events it missed, once`() {
    for number in 1...5 { history.append(name: "gap", data: "\(number)") }
    var stream = EventStream(history, after: id(3), at: start)
    let text = read(&stream)
    #expect(text.contains("data: 4\n\nid: \(id(5))\nevent: gap\ndata: 5\n\n"))
    #expect(!text.contains("reset") && !text.contains("data: 3"), "\(text)")
  }

  @Test func `a reader that has the newest event has missed nothing`() {
    history.append(name: "gap", data: "1")
    var stream = EventStream(history, after: id(1), at: start)
    #expect(read(&stream) == "retry: 1000\nid: \(id(1))\n\n")
  }

  @Test(arguments: [
    "", "x", "1", "0000-1", "%-1", "%-4", "%-", "%-1-2", "%-99999999999999999999", "%-9223372036854775807",
  ])
  func `a reader with an unusable id gets a reset, and continues from now`(pattern: String) {
    for number in 1...3 { history.append(name: "gap", data: "\(number)") }
    let id = pattern == "%-1" ? "other-1" : pattern.replacing("%", with: history.epoch)
    var stream = EventStream(history, after: id, at: start)
    #expect(read(&stream) == "retry: 1000\nid: \(self.id(3))\nevent: reset\ndata: {}\n\n")
  }

  @Test func `an event stream keeps a thousand events`() {
    for number in 1...1500 { history.append(name: "gap", data: "\(number)") }
    var late = EventStream(history, after: id(499), at: start)
    #expect(read(&late).contains("reset"))
    var stream = EventStream(history, after: id(500), at: start)
    #expect(read(&stream).components(separatedBy: "event: gap").count == 1001)
  }

  @Test func `an event stream keeps a megabyte of events, and always the newest event`() {
    let long = String(repeating: "x", count: 10_000)
    for _ in 1...200 { history.append(name: "gap", data: long) }
    #expect([50, 100].map { history.number(of: id($0)) } == [nil, 100])
    history.append(name: "gap", data: String(repeating: "x", count: 2_000_000))
    var stream = EventStream(history, after: id(200), at: start)
    #expect(read(&stream).utf8.count > 2_000_000)
    #expect(history.number(of: id(199)) == nil)
  }

  @Test func `a reader that falls behind the kept events is dropped`() {
    var stream = EventStream(history, at: start)
    #expect(read(&stream) != "")
    for number in 1...1001 { history.append(name: "gap", data: "\(number)") }
    #expect(read(&stream) == "over")
  }

  @Test func `a line break in the data does not begin another field`() {
    var stream = EventStream(history, at: start)
    _ = read(&stream)
    history.append(name: "gap", data: "a\nevent: forged\r\nb")
    #expect(read(&stream) == "id: \(id(1))\nevent: gap\ndata: a\ndata: event: forged\ndata: b\n\n")
  }

  @Test func `a silent stream sends a comment 15 seconds after the last event`() {
    var stream = EventStream(history, at: start)
    _ = read(&stream)
    #expect(read(&stream, at: start + .seconds(14)) == "")
    history.append(name: "gap", data: "1")
    #expect(read(&stream, at: start + .seconds(14)).contains("gap"))
    #expect([28, 29, 30].map { read(&stream, at: start + .seconds($0)) } == ["", ":\n\n", ""])
  }

  @Test func `the status is sent at once and then at its interval, without an id`() {
    let latest = LatestStatus { "{}" }
    var stream = EventStream(history, status: (latest, .milliseconds(500)), at: start)
    #expect(read(&stream).hasSuffix("\n\nevent: status\ndata: {}\n\n"))
    // At 10 s, the statuses that were missed meanwhile are left out.
    let texts = [499, 510, 999, 1000, 10_000].map { read(&stream, at: start + .milliseconds($0)) }
    let status = "event: status\ndata: {}\n\n"
    #expect(texts == ["", status, "", status, status])
  }

  @Test func `a status is made once for all readers, and again when it is old`() {
    let made = Locked(0)
    let latest = LatestStatus {
      made.withLock {
        $0 += 1
        return "\($0)"
      }
    }
    for _ in 1...1000 { _ = latest.frame(at: start) }
    #expect(made.withLock { $0 } == 1)
    for (later, count) in [(99, 1), (100, 2)] as [(Int64, Int)] {
      _ = latest.frame(at: start + .milliseconds(later))
      #expect(made.withLock { $0 } == count)
    }
  }
}

@Suite struct GuardedStreamTests {
  private struct Silence: ResponseStream {
    mutating func next(at now: MonotonicTime) -> StreamStep { .nothing(until: now + .seconds(15)) }
  }

  @Test func `a guarded stream is polled again soon, whatever its stream requests`() {
    var stream = GuardedStream(Silence(), at: .init(nanoseconds: 0)) { nil }
    let step = stream.next(at: .init(nanoseconds: 0))
    #expect(step == .nothing(until: .init(nanoseconds: GuardedStream.interval.nanoseconds)))
  }

  /// A stream whose format has words.
  private struct Talking: ResponseStream {
    mutating func next(at now: MonotonicTime) -> StreamStep { .nothing(until: now + .seconds(15)) }
    func notice(of end: APIError) -> [UInt8] { Array(end.code.utf8) }
  }

  private func steps(of stream: any ResponseStream) -> [StreamStep] {
    let refusal = Locked<APIError?>(nil)
    var stream = GuardedStream(stream, at: .init(nanoseconds: 0)) { refusal.withLock { $0 } }
    refusal.withLock { $0 = APIError(401, "tokenExpired", "the token has expired") }
    return [1, GuardedStream.interval.nanoseconds, GuardedStream.interval.nanoseconds + 1].map {
      stream.next(at: .init(nanoseconds: $0))
    }
  }

  @Test func `a guarded stream ends when its reader loses the right to read`() {
    let interval = GuardedStream.interval.nanoseconds
    #expect(steps(of: Silence()) == [.nothing(until: .init(nanoseconds: interval)), .over, .over])
  }

  @Test func `a guarded stream says why it ends if it can`() {
    #expect(steps(of: Talking())[1...] == [.bytes(Array("tokenExpired".utf8)), .over])
  }
}
