import HoldfastMediaModel
import TestRandomness
import TestSupport
import Testing

@testable import HoldfastRecording

/// The invariants of every random life of a disk.
@Suite struct DiskGuardWalkTests {
  /// A guard, and what somebody who obeys it knows.
  private struct Life: Hashable {
    var story = DiskStory()
    var reported = "writing"
    var writes = true
    var isFileOpen = true
    var awaits: MonotonicTime?

    /// The first promise that `event` breaks.
    mutating func take(_ event: DiskGuard.Event, after time: MediaTime) -> String? {
      let wrote = writes
      for action in story.handle(event, after: time) {
        switch action {
        case .report(let state):
          if state.name == reported { return "reported twice: \(reported)" }
          reported = state.name
        case .finishFile:
          if !isFileOpen { return "ended a file that is not open" }
          isFileOpen = false
          writes = false
        case .retry(let wait):
          if wait < .milliseconds(250) || wait > .seconds(30) { return "waits \(wait)" }
          awaits = story.now + wait
          writes = false
        case .resume:
          if wrote { return "resumes, though it writes" }
          let isDue = awaits.map { $0 <= story.now } ?? false
          if !isDue, event != DiskStory.atEnd { return "resumes before its time" }
          (writes, isFileOpen, awaits) = (true, true, nil)
        }
      }
      let holds = story.disk.reported.isSuspended
      if !holds, !writes { return "reported to be \(reported), and writes nothing" }
      if !writes, awaits == nil { return "nothing will wake it" }
      return nil
    }
  }

  private static let steps: [(event: DiskGuard.Event, time: MediaTime)] = DiskStory.events.flatMap { event in
    [MediaTime.zero, .seconds(1), .seconds(11)].map { (event.event, $0) }
  }

  @Test func `four events in a row never break a disk guard's invariants`() throws {
    var lives: Set<Life> = [Life()]
    for _ in 0..<4 {
      var next: Set<Life> = []
      for life in lives {
        for step in Self.steps {
          var life = life
          if let problem = life.take(step.event, after: step.time) {
            throw TestFailure("\(problem): \(step.event) in \(life)")
          }
          next.insert(life)
        }
      }
      lives = next
    }
    #expect(lives.count > 1000)
  }

  @Test(arguments: 0..<20)
  func `a long random life never breaks a disk guard's invariants`(seed: UInt64) throws {
    var randomness = SplitMix64(seed: seed)
    var life = Life()
    for _ in 0..<20_000 {
      let step = Self.steps[Int(randomness.next() % UInt64(Self.steps.count))]
      let time = MediaTime(nanoseconds: step.time.nanoseconds / Int64(1 + randomness.next() % 8))
      if let problem = life.take(step.event, after: time) {
        throw TestFailure("\(problem): \(step.event) in \(life)")
      }
    }
  }

  /// A disk that others fill and clear within seconds, around every limit there is.
  @Test(arguments: 0..<20)
  func `a disk at its limit does not change state back and forth`(seed: UInt64) {
    var randomness = SplitMix64(seed: seed)
    var story = DiskStory()
    var reported: [DiskState] = []
    for limit in [256, 320, 512] {
      for _ in 0..<600 {
        let free = (limit << 20) + Int(randomness.next() % (20 << 20)) - (10 << 20)
        for action in story.handle(.measured(free: free, bytesPerSecond: 1), after: .seconds(1)) {
          if case .report(let state) = action { reported.append(state) }
          if action == .resume { story.handle(.succeeded) }
        }
      }
    }
    // Low and full, resumed once, and low until the end.
    #expect(reported.count <= 3)
  }
}
