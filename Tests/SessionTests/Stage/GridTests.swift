import HoldfastMediaModel
import TestRandomness
import TestTraits
import Testing

@testable import HoldfastSession

@Suite(.computing) struct GridTests {
  private typealias Capacity = Session.Stage.Capacity

  @Test func `rows and columns follow how many are shown`() {
    var stage = TestStage()
    let shapes = (1...12).map { number in
      stage.join(number)
      let shape = stage[.twelve].shown.shape
      return "\(shape.rows)x\(shape.columns)"
    }
    #expect(
      shapes == ["1x1", "1x2", "2x2", "2x2", "2x3", "2x3", "3x3", "3x3", "3x3", "3x4", "3x4", "3x4"])
  }

  @Test func `who comes back finds its place, and nobody else moves`() {
    var stage = TestStage(joining: 12)
    stage.leave(3, 8)
    #expect(stage.shown(.twelve) == [1, 2, nil, 4, 5, 6, 7, nil, 9, 10, 11, 12])
    stage.join(8)
    stage.join(3)
    #expect(stage.shown(.twelve) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  }

  @Test func `holes are filled last, but before the grid grows`() {
    var stage = TestStage(joining: 5)
    stage.leave(2)
    stage.join(6)
    #expect(stage.shown(.twelve) == [1, nil, 3, 4, 5, 6])
    stage.join(7)
    #expect(stage.shown(.twelve) == [1, 7, 3, 4, 5, 6])
    stage.join(2)
    #expect(stage.shown(.twelve) == [1, 7, 3, 4, 5, 6, 2])
  }

  @Test func `a speaker replaces who has been visible and quiet for longest`() {
    var stage = TestStage(joining: 6)
    #expect(stage.shown(.four) == [1, 2, 3, 4])
    stage.speak(1)
    stage.speak(5)
    #expect(stage.shown(.four) == [1, 5, 3, 4])
    stage.speak(2)
    #expect(stage.shown(.four) == [1, 5, 2, 4])
    #expect(stage.shown(.one) == [2])
    #expect(stage.shown(.six) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `when more have spoken than there are places, the newest stay`() {
    var stage = TestStage(joining: 9)
    for speaker in 1...9 { stage.speak(speaker) }
    #expect(Set(stage.shown(.four)) == [6, 7, 8, 9])
  }

  @Test func `who waits comes in when a place is free, without having to speak`() {
    var stage = TestStage(joining: 6)
    stage.leave(2)
    #expect(stage.shown(.four) == [1, 6, 3, 4])
    stage.leave(1)
    #expect(stage.shown(.four) == [5, 6, 3, 4])
  }

  @Test func `who has spoken comes in first, then who has a picture`() {
    var stage = TestStage(joining: 6)
    stage.join(7, hasPicture: false)
    stage.speak(5)
    stage.speak(1)
    for number in 2...4 { stage.leave(number) }
    #expect(Set(stage.shown(.four)) == [1, 5, 6, 7])
    #expect(stage.shown(.four).firstIndex(of: 6)! < stage.shown(.four).firstIndex(of: 7)!)
  }

  @Test(arguments: 0..<UInt64(LongTests.count(40, long: 200)))
  func `nobody who is visible moves, and nobody waits while there is room`(seed: UInt64) {
    var choice = SplitMix64(seed: seed)
    var stage = TestStage()
    for step in 0..<400 {
      let before = stage
      let number = Int.random(in: 1...20, using: &choice)
      switch Int.random(in: 0..<5, using: &choice) {
      case 0, 1: stage.join(number, hasPicture: .random(using: &choice))
      case 2: stage.leave(number)
      case 3: stage.speak(number)
      default: stage.wait()
      }
      for capacity in Session.Stage.Capacity.allCases {
        let problem = stage.problem(capacity, since: before)
        #expect(problem == nil, "SEED=\(seed), step \(step), \(capacity)")
        if problem != nil { return }
      }
    }
  }
}

/// A stage and whoever may be on it, by their numbers.
private struct TestStage {
  private var stage = Session.Stage()
  private var present: [Int: Session.Stage.Performer] = [:]
  private var speaker: Int?
  private var now = WallTime(nanoseconds: 0)

  init(joining count: Int = 0) {
    for number in 0..<count { join(number + 1) }
  }

  subscript(capacity: Session.Stage.Capacity) -> Session.Stage.Grid { stage[capacity] }

  mutating func join(_ number: Int, hasPicture: Bool = true) {
    change { test in
      guard test.present[number] == nil else { return }
      test.present[number] = Session.Stage.Performer(
        id: SessionStory.id(number), hasPicture: hasPicture, joinedAt: test.now)
    }
  }

  mutating func leave(_ numbers: Int...) {
    change { test in
      for number in numbers {
        test.present[number] = nil
        if test.speaker == number { test.speaker = nil }
      }
    }
  }

  mutating func speak(_ number: Int) {
    change { test in
      guard test.present[number] != nil else { return }
      if let old = test.speaker { test.present[old]?.speaks = false }
      test.speaker = number
      test.present[number]?.speaks = true
    }
  }

  mutating func wait() { change { _ in } }

  private mutating func change(_ body: (inout Self) -> Void) {
    now = now + .seconds(1)
    if let speaker { present[speaker]?.spokeAt = now }
    body(&self)
    if let speaker { present[speaker]?.spokeAt = now }
    _ = stage.follow(Array(present.values), at: now)
    #expect(stage.follow(present.values.reversed(), at: now).isEmpty, "looking twice changes something twice")
  }

  func shown(_ capacity: Session.Stage.Capacity) -> [Int?] {
    stage[capacity].shown.places.map { id in present.first { $0.value.id == id }?.key }
  }

  func problem(_ capacity: Session.Stage.Capacity, since before: Self) -> String? {
    let (old, new) = (before.shown(capacity), shown(capacity))
    let visible = new.compactMap(\.self)
    if Set(visible).count != visible.count { return "somebody is shown twice" }
    if new.count > capacity.rawValue { return "more places than there may be" }
    if Set(visible).count < min(present.count, capacity.rawValue) {
      return "somebody waits while there is room"
    }
    if let speaker, !visible.contains(speaker) { return "the speaker is not shown" }
    for (place, number) in old.enumerated() {
      guard let number, let now = new.firstIndex(of: number) else { continue }
      if now != place { return "\(number) moved from \(place) to \(now)" }
    }
    let gone = Set(old.compactMap(\.self)).subtracting(visible).filter { present[$0] != nil }
    if gone.count > 1 { return "\(gone) had to go" }
    if let one = gone.first, speaker.map({ old.contains($0) }) ?? true || one == speaker {
      return "\(one) had to go for nobody"
    }
    return nil
  }
}
