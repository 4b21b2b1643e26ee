import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastService

@Suite struct ProgressWatchTests {
  private typealias Part = ProgressWatch.Part

  private static func at(_ seconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: seconds * 1_000_000_000)
  }

  /// With a limit of ten seconds, and these parts expected from 0 s on.
  private static func watch(_ parts: Part...) -> ProgressWatch {
    var watch = ProgressWatch(limit: .seconds(10))
    for part in parts { watch.expect(part, at: at(0)) }
    return watch
  }

  private static func stalled(_ part: Part, _ seconds: Int64) -> ProgressWatch.Stalled {
    ProgressWatch.Stalled(part: part, length: .seconds(seconds))
  }

  @Test func `nothing is expected of a part that was never mentioned`() {
    var watch = Self.watch()
    #expect(watch.check(at: Self.at(1_000_000)) == .moving(again: false))
  }

  @Test(arguments: ProgressWatch.Part.allCases)
  func `each expected part can stall`(part: ProgressWatch.Part) {
    var watch = Self.watch(part)
    #expect(watch.check(at: Self.at(11)) == .stalled([Self.stalled(part, 11)], isNew: true))
  }

  @Test(arguments: [(9, true), (10, true), (11, false)])
  func `a part is stalled when it takes longer than the limit`(seconds: Int64, isMoving: Bool) {
    var watch = Self.watch(.encoder)
    #expect((watch.check(at: Self.at(seconds)) == .moving(again: false)) == isMoving)
  }

  /// What is done with the encoder, when, and how long it has been stalled when it is checked.
  struct Story: Sendable {
    let steps: [(Step, Int64)]
    let checked: Int64
    var stalled: Int64?
  }

  enum Step { case expect, report, unexpect }

  @Test(arguments: [
    // A report counts from its time on, and a late one takes nothing back.
    Story(steps: [(.report, 8)], checked: 18),
    Story(steps: [(.report, 8), (.report, 5)], checked: 18),
    // Being expected once more is not a movement.
    Story(steps: [(.expect, 8)], checked: 11, stalled: 11),
    // A report does not end a rest, and the time at rest does not count.
    Story(steps: [(.unexpect, 0), (.report, 1)], checked: 100),
    Story(steps: [(.unexpect, 0), (.expect, 100)], checked: 110),
    Story(steps: [(.unexpect, 0), (.expect, 100)], checked: 111, stalled: 11),
  ])
  func `a part's last movement decides whether it is stalled`(story: Story) {
    var watch = Self.watch(.encoder)
    for (step, seconds) in story.steps {
      switch step {
      case .expect: watch.expect(.encoder, at: Self.at(seconds))
      case .report: watch.report(.encoder, at: Self.at(seconds))
      case .unexpect: watch.unexpect(.encoder)
      }
    }
    let expected = story.stalled.map {
      ProgressWatch.Verdict.stalled([Self.stalled(.encoder, $0)], isNew: true)
    }
    #expect(watch.check(at: Self.at(story.checked)) == expected ?? .moving(again: false))
  }

  @Test func `one part's movement does not count for another`() {
    var watch = Self.watch(.recorder, .encoder)
    watch.report(.recorder, at: Self.at(8))
    #expect(watch.check(at: Self.at(11)) == .stalled([Self.stalled(.encoder, 11)], isNew: true))
  }

  @Test func `nothing is expected of a part at rest`() {
    var watch = Self.watch(.encoder, .main)
    watch.unexpect(.encoder)
    watch.report(.main, at: Self.at(100))
    #expect(watch.check(at: Self.at(101)) == .moving(again: false))
  }

  @Test func `a stalled part counts as new only once`() {
    var watch = Self.watch(.encoder)
    _ = watch.check(at: Self.at(11))
    #expect(watch.check(at: Self.at(12)) == .stalled([Self.stalled(.encoder, 12)], isNew: false))
  }

  @Test func `another part that stalls counts as new`() {
    var watch = Self.watch(.encoder, .recorder)
    watch.report(.recorder, at: Self.at(5))
    _ = watch.check(at: Self.at(11))
    let verdict = watch.check(at: Self.at(16))
    #expect(verdict == .stalled([Self.stalled(.encoder, 16), Self.stalled(.recorder, 11)], isNew: true))
  }

  @Test func `no part counts as newly stalled when one of two stalled parts moves again`() {
    var watch = Self.watch(.encoder, .recorder)
    _ = watch.check(at: Self.at(11))
    watch.report(.recorder, at: Self.at(12))
    #expect(watch.check(at: Self.at(13)) == .stalled([Self.stalled(.encoder, 13)], isNew: false))
  }

  @Test func `the recovery of a stalled part is reported once`() {
    var watch = Self.watch(.encoder)
    _ = watch.check(at: Self.at(11))
    watch.report(.encoder, at: Self.at(12))
    let verdicts = [watch.check(at: Self.at(13)), watch.check(at: Self.at(14))]
    #expect(verdicts == [.moving(again: true), .moving(again: false)])
  }

  @Test func `a part that is put to rest is no longer stalled`() {
    var watch = Self.watch(.encoder)
    _ = watch.check(at: Self.at(11))
    watch.unexpect(.encoder)
    #expect(watch.check(at: Self.at(12)) == .moving(again: true))
  }

  @Test func `every short sequence of steps stalls as its last movement says`() {
    enum Step: CaseIterable { case expected, reported, unexpected, nothing }
    var stories: [[Step]] = [[]]
    for _ in 0..<6 { stories = stories.flatMap { story in Step.allCases.map { story + [$0] } } }
    // Each step takes four seconds, so two are within the limit, and three are not.
    let wrong = stories.first { story in
      var watch = Self.watch()
      var lastMove: Int64?
      for (step, time) in zip(story, stride(from: Int64(0), to: .max, by: 4)) {
        switch step {
        case .expected:
          watch.expect(.main, at: Self.at(time))
          lastMove = lastMove ?? time
        case .reported:
          watch.report(.main, at: Self.at(time))
          lastMove = lastMove.map { _ in time }
        case .unexpected:
          watch.unexpect(.main)
          lastMove = nil
        case .nothing: break
        }
      }
      let end = Int64(story.count) * 4
      let isStalled = lastMove.map { end - $0 > 10 } ?? false
      let told = if case .stalled = watch.check(at: Self.at(end)) { true } else { false }
      return told != isStalled
    }
    #expect(wrong == nil)
  }

  @Test func `a stalled part is described in plain words`() {
    #expect(Self.stalled(.encoder, 12).description == "the encoder has made no progress for 12 s")
  }
}
