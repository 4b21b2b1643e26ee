import HoldfastMediaModel
import TestSupport
import Testing

@Suite struct EventLinesTests {
  @Test func `changes of an output are found by its port`() throws {
    let lines = try EventLines(
      """
      {"at":"2026-11-21T04:22:10.123Z","event":"output","id":1,"url":"rtmp://127.0.0.1:1935/live/…","state":"stalled"}
      {"at":"2026-11-21T04:22:11.000Z","event":"output","id":2,"url":"srt://127.0.0.1:19350","state":"closed"}
      {"at":"2026-11-21T04:22:13.623Z","event":"output","id":1,"url":"rtmp://127.0.0.1:1935/live/…",\
      "state":"waiting","cause":"timedOut"}
      """)
    let changes = lines.outputChanges(to: 1935, wallToMonotonic: -1_763_000_000)
    #expect(changes.map { [$0.state, $0.cause] } == [["stalled", nil], ["waiting", "timedOut"]])
    let between = changes[1].at - changes[0].at
    #expect(abs(between.seconds - 3.5) < 0.001)
  }
}
