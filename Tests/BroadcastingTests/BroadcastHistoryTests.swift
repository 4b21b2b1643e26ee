import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastRecording
import Testing

@Suite struct BroadcastHistoryTests {
  private func wall(_ second: Int64) -> WallTime { WallTime(nanoseconds: second * 1_000_000_000) }

  private let live = BroadcastEvent.live(publishType: .record)

  private func interrupted(_ cause: Lifecycle.Cause) -> BroadcastEvent {
    .interrupted(cause: cause, resumableUntil: wall(99))
  }

  private func history(_ events: (Int64, BroadcastEvent)...) -> [String] {
    var history = BroadcastHistory()
    for (second, event) in events {
      history.handle(EventLine(at: wall(second), broadcast: "b1", event: event))
    }
    return history.spans.map { span in
      let cause = span.cause.map { " \($0)" } ?? ""
      let output = span.output.map { " at \($0)" } ?? ""
      let end = span.to.map { String($0.nanoseconds / 1_000_000_000) } ?? ""
      return "\(span.kind.rawValue)\(cause)\(output) \(span.from.nanoseconds / 1_000_000_000)-\(end)"
    }
  }

  private func gap(_ cause: Gap.Cause, _ from: Int64, _ to: Int64, at output: String? = nil) -> BroadcastEvent
  {
    .gap(
      Gap(
        cause, output: output, wallFrom: wall(from), wallTo: wall(to), mediaAt: .zero,
        lostVideo: .seconds(to - from)))
  }

  @Test func `a broadcast is a sequence of spans, and the last one is open`() {
    #expect(
      history(
        (1, .starting), (2, live), (5, interrupted(.user)), (8, gap(.user, 5, 8)),
        (8, .resumed(publishType: .append, gap: .seconds(3))), (9, .backgrounded))
        == ["live 2-5", "interrupted user 5-8", "live 8-9", "backgrounded 9-"])
  }

  @Test func `a changed cause begins a new span`() {
    #expect(
      history((2, live), (5, interrupted(.user)), (6, interrupted(.system)))
        == ["live 2-5", "interrupted user 5-6", "interrupted system 6-"])
  }

  @Test func `a step of the clock moves what lies before it`() {
    #expect(
      history((1, live), (5, interrupted(.user)), (6, .clock(by: .seconds(-3))))
        == ["live -2-2", "interrupted user 2-"])
  }

  @Test func `a loss at a single output is a gap of that output`() {
    let spans = history((2, live), (9, gap(.network, 4, 8, at: "main")))
    #expect(spans == ["gap network at main 4-8", "live 2-"])
  }

  @Test func `the end of a broadcast closes its last span`() {
    let end = BroadcastEvent.ended(reason: .stopped, duration: .seconds(7), gaps: 0)
    #expect(history((2, live), (9, end)) == ["live 2-9"])
  }

  @Test func `old spans are forgotten, and their number is limited`() {
    var history = BroadcastHistory()
    for second in 0..<100_000 as Range<Int64> {
      let event = second % 2 == 0 ? live : .interrupted(cause: .user, resumableUntil: wall(0))
      history.handle(EventLine(at: wall(second), broadcast: "b1", event: event))
    }
    #expect(history.spans.count <= 200)
    history.handle(EventLine(at: wall(1_000_000), broadcast: "b1", event: .backgrounded))
    history.handle(EventLine(at: wall(1_100_000), broadcast: "b1", event: live))
    #expect(history.spans.count == 2)
  }
}
