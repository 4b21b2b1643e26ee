import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

@Suite struct WallTimelineTests {
  private var scene = WallScene()

  @Test mutating func `a recording without interruptions is one piece, from when its media began`() throws {
    for second in 0..<10 { scene.add(.media(Double(second), at: Double(second) + 0.4)) }
    #expect(try scene.places(until: 9.5) == "0-9.5@0.4")
    #expect(scene.timeline.isExact && scene.timeline.clockSteps.isEmpty)
  }

  @Test mutating func `media begins with the first picture, not with a checkpoint before it`() throws {
    scene.add(.media(0, at: 0.4), .media(0.5, at: 1), .media(1.5, at: 2))
    #expect(try scene.places(until: 9) == "0-9@0.5")
  }

  @Test mutating func `a sleep between the first two checkpoints is a sleep`() throws {
    scene.add(.media(0, at: 0.4), .media(1, at: 61.4))
    #expect(try scene.places(until: 9) == "0-1@0.4 1-9@61.4")
    #expect(try scene.pieces(until: 9).last?.standstill?.cause == "sleep")
  }

  @Test mutating func `a compacted journal, with one checkpoint left, says the same`() throws {
    scene.add(.media(86_400, at: 86_400.4))
    #expect(try scene.places(until: 86_401) == "0-86401@0.4")
  }

  @Test mutating func `what follows an interruption is at its own wall time`() throws {
    scene.add(
      .media(0, at: 0.4), .pause(at: 5, from: 5.4, to: 8.5), .pause("device", at: 7.25, from: 10.75, to: 100))
    #expect(try scene.places(until: 9) == "0-5@0.4 5-7.25@8.5 7.25-9@100")
    let pieces = try scene.pieces(until: 9)
    #expect(pieces.map { $0.standstill?.cause } == [nil, "user", "device"])
    #expect(pieces[1].standstill?.length == .milliseconds(3100))
  }

  @Test mutating func `an interruption within an interruption is one standstill, of the last cause`() throws {
    scene.add(
      .media(0, at: 0), .entry(5, .interrupted("user", at: 5)), .entry(7, .interrupted("device", at: 5)),
      .entry(9, .resumed(mediaAt: .seconds(5))))
    #expect(try scene.places(until: 8) == "0-5@0 5-8@9")
    #expect(try scene.pieces(until: 8).last?.standstill?.cause == "device")
  }

  @Test mutating func `a checkpoint right before or after an interruption's entries changes nothing`() throws
  {
    scene.add(
      .media(0, at: 0), .entry(5, .interrupted("user", at: 5)),
      // The picture at which media time stops has not come yet.
      .media(5.02, at: 5.02),
      // Media time runs again, and the entry is still to be written.
      .media(5.05, at: 9.02), .entry(8.99, .resumed(mediaAt: MediaTime(seconds: 5.02))), .media(6.03, at: 10))
    #expect(try scene.places(until: 8) == "0-5.02@0 5.02-8@8.99")
    #expect(try scene.pieces(until: 8).last?.standstill?.cause == "user")
  }

  @Test mutating func `an interruption whose end has no readable entry ends with the next checkpoint`() throws
  {
    scene.add(.media(0, at: 0), .entry(5, .interrupted("user", at: 5)), .media(5.5, at: 9.5))
    #expect(try scene.places(until: 8) == "0-5@0 5-8@9")
  }

  @Test mutating func `an interruption that lasts leaves one piece`() throws {
    scene.add(.media(0, at: 0), .entry(5, .interrupted("user", at: 5)))
    #expect(try scene.places(until: 5) == "0-5@0")
  }

  @Test(arguments: [true, false])
  mutating func `a broadcast that was resumed after a crash continues when its first picture came`(
    isAnnounced: Bool
  ) throws {
    // The last checkpoint is later than what reached the disk.
    scene.add(.media(0, at: 0), .media(6, at: 6))
    if isAnnounced { scene.add(.entry(5.2, .interrupted("crash", at: 5.2))) }
    scene.add(.entry(21, .resumed(mediaAt: MediaTime(seconds: 5.2))), .media(6.2, at: 22))
    #expect(try scene.places(until: 9) == "0-5.2@0 5.2-9@21")
    #expect(try scene.pieces(until: 9).last?.standstill?.cause == "crash")
  }

  @Test mutating func `pieces that a crash took with the end of the file are gone`() throws {
    scene.add(.media(0, at: 0), .pause(at: 5, from: 5, to: 8), .pause("crash", at: 4, from: 4, to: 30))
    #expect(try scene.places(until: 9) == "0-4@0 4-9@30")
  }

  @Test mutating func `a recording that lost all its media in a crash begins with what came after it`() throws
  {
    scene.add(.media(0, at: 0), .pause("crash", at: 0, from: 0, to: 30))
    #expect(try scene.places(until: 9) == "0-9@30")
    #expect(try scene.pieces(until: 9)[0].standstill == nil)
  }

  @Test mutating func `after a reboot the wall time is that of the new boot`() throws {
    scene.add(
      .media(0, at: 0), .entry(5, .interrupted("crash", at: 5)),
      .entry(95, .resumed(mediaAt: .seconds(5)), boot: "boot-2"))
    #expect(try scene.places(until: 9) == "0-5@0 5-9@95")
  }

  @Test mutating func `a clock that was set gives all instants of its boot their time by the new setting`()
    throws
  {
    scene.add(
      .media(0, at: 0), .pause(at: 5, from: 5, to: 8), .media(6, at: 9, step: 3600),
      .pause(at: 7, from: 10, to: 12, step: 3600))
    #expect(try scene.places(until: 9) == "0-5@3600 5-7@3608 7-9@3612")
    let steps = scene.timeline.clockSteps
    #expect(steps.map(\.by) == [.seconds(3600)] && steps[0].at == JournalSample.instant(9, step: 3600).wall)
  }

  @Test mutating func `a clock that drifts by less than a tenth of a second was not set`() {
    for second in (0..<10).map(Double.init) { scene.add(.media(second, at: second, step: second * 0.05)) }
    #expect(scene.timeline.clockSteps.isEmpty)
  }

  @Test mutating func `a setting before a reboot does not move what was captured after it`() throws {
    scene.add(
      .media(0, at: 0), .media(1, at: 1, step: 60), .entry(5, .interrupted("crash", at: 5), step: 60),
      .entry(200, .resumed(mediaAt: .seconds(5)), boot: "boot-2"))
    #expect(try scene.places(until: 9) == "0-5@60 5-9@200")
  }

  @Test mutating func `a clock that went back across a reboot lays what follows behind what was before`()
    throws
  {
    scene.add(
      .media(0, at: 0), .entry(5, .interrupted("crash", at: 5)),
      .entry(9, .resumed(mediaAt: .seconds(5)), boot: "boot-2", step: -100))
    #expect(try scene.places(until: 9) == "0-5@0 5-9@5")
    #expect(try scene.pieces(until: 9)[1].standstill?.length == .seconds(-96))
  }

  @Test mutating func `sleep without an entry moves what comes after the next checkpoint`() throws {
    for second in 0..<5 { scene.add(.media(Double(second), at: Double(second))) }
    scene.add(.media(5, at: 605), .media(6, at: 606))
    #expect(try scene.places(until: 9) == "0-5@0 5-9@605")
    #expect(try scene.pieces(until: 9).last?.standstill?.cause == WallTimeline.sleep)
  }

  @Test mutating func `two journals of one boot have one clock, which the later one knows`() throws {
    var other = scene
    scene.add(.media(0, at: 1))
    other.add(.media(0, at: 2), .media(10, at: 12, step: -3))
    #expect(try scene.places(until: 9, others: [other.journal]) == "0-9@-2")
    #expect(try other.places(until: 9, others: [scene.journal]) == "0-9@-1")
  }

  @Test mutating func `without boot ids the journal's own wall times count`() throws {
    scene.add(.media(0, at: 1, boot: nil), .pause(at: 5, from: 6, to: 8, boot: nil, step: 10))
    #expect(try scene.places(until: 9) == "0-5@1 5-9@18")
  }

  @Test func `a journal that was cut before its first checkpoint knows the beginning about`() throws {
    #expect(try scene.places(until: 9) == "0-9@0" && !scene.timeline.isExact)
    var later = scene
    later.add(.pause("crash", at: 5, from: 5, to: 30))
    #expect(later.timeline.isExact)
    var never = scene
    never.records.removeLast()
    #expect(try never.places(until: 9) == "")
  }

  @Test mutating func `an interruption that the file keeps divides nothing`() throws {
    scene.add(
      .media(0, at: 0.5), .pause(at: 5, from: 5.5, to: 8.5), .file(WallScene.file, at: 8.5, origin: -3))
    #expect(try scene.places(until: 12) == "0-12@0.5")
    // The next one is closed up, by a process without `--keep-gaps`.
    scene.add(.pause(at: 7, from: 10.5, to: 20.5))
    #expect(try scene.places(until: 12) == "0-10@0.5 10-12@20.5")
  }

  @Test mutating func `each file of a broadcast has its own pieces`() throws {
    scene.add(
      .media(0, at: 0), .pause(at: 3, from: 3, to: 4), .file(WallScene.second, at: 6, origin: 5),
      .pause(at: 7, from: 8, to: 10))
    // Sound reaches a little beyond the cut.
    #expect(try scene.places(until: 5.02) == "0-3@0 3-5.02@4")
    #expect(try scene.places(of: WallScene.second, until: 4) == "0-2@6 2-4@10")
  }

  @Test mutating func `a file that begins with an interruption begins after it`() throws {
    scene.add(
      .media(0, at: 0), .entry(5, .interrupted("crash", at: 5)),
      .file(WallScene.second, tracks: "cd34", at: 30, origin: 5), .entry(30, .resumed(mediaAt: .seconds(5))))
    #expect(try scene.places(until: 5) == "0-5@0")
    #expect(try scene.places(of: WallScene.second, until: 3) == "0-3@30")
  }

  // MARK: - Anything

  @Test(arguments: 0..<200)
  func `every instant of a random broadcast is at its wall time`(seed: UInt64) throws {
    var randomness = SplitMix64(seed: seed)
    var scene = WallScene()
    // The true time and media time in seconds.
    var (now, media, boot) = (0.5, 0.0, 1)
    var truth: [(file: Double, at: Double)] = [(0, now)]
    scene.add(.media(0, at: now))
    for _ in 0..<Int.random(in: 0...12, using: &randomness) {
      let length = Double(Int.random(in: 1...40, using: &randomness)) / 4
      for second in 0..<Int(length) where Bool.random(using: &randomness) {
        scene.add(.media(media + Double(second), at: now + Double(second), boot: "\(boot)"))
      }
      (media, now) = (media + length, now + length)
      let pause = Double(Int.random(in: 1...400, using: &randomness)) / 4
      let isCrash = Bool.random(using: &randomness)
      if !isCrash || Bool.random(using: &randomness) {
        scene.add(.entry(now, .interrupted(isCrash ? "crash" : "user", at: media), boot: "\(boot)"))
      } else {
        scene.add(.media(media, at: now, boot: "\(boot)"))
      }
      now += pause
      if isCrash, Bool.random(using: &randomness) { boot += 1 }
      scene.add(.entry(now, .resumed(mediaAt: MediaTime(seconds: media)), boot: "\(boot)"))
      truth.append((media, now))
    }
    let pieces = try scene.pieces(until: media + 3)
    #expect(pieces.count == truth.count)
    for (piece, (file, at)) in zip(pieces, truth) {
      #expect(abs(piece.file.lowerBound.seconds - file) < 0.001)
      #expect(abs((piece.wall - JournalSample.instant(at).wall).milliseconds) < 1)
    }
  }

  @Test func `journals with any times in them give pieces in order, or none`() throws {
    var randomness = SplitMix64(seed: 11)
    let times: [Int64] = [0, 1, 1 << 20, 1 << 40, 1 << 61, (1 << 61) - 1]
    for _ in 0..<300 {
      var scene = WallScene()
      for _ in 0..<Int.random(in: 0...10, using: &randomness) {
        func time() -> MediaTime { MediaTime(nanoseconds: times.randomElement(using: &randomness) ?? 0) }
        let entries: [JournalEntry] = [
          .checkpoint(time()), .resumed(mediaAt: time()),
          .interrupted(cause: "crash", mediaAt: time(), resumableUntil: nil),
          .recording(path: "/r/" + WallScene.file, tracks: "", origin: .zero - time()),
          .recording(path: "/r/" + WallScene.second, tracks: "", origin: time()), .live(.record),
        ]
        let wall: Int64 = [0, 1 << 50, .max].randomElement(using: &randomness) ?? 0
        let instant = JournalInstant(
          wall: WallTime(nanoseconds: wall), sinceBoot: time(),
          bootID: ["a", "b", nil].randomElement(using: &randomness) ?? nil)
        if let entry = entries.randomElement(using: &randomness) {
          scene.records.append(JournalRecord(at: instant, entry))
        }
      }
      for name in [WallScene.file, WallScene.second] {
        let pieces = try scene.pieces(of: name, until: 1000)
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
          #expect(piece.wallEnd <= next.wall && piece.file.upperBound <= next.file.lowerBound)
        }
      }
    }
  }
}
