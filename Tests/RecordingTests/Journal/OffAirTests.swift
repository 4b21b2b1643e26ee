import HoldfastMediaModel
import HoldfastRecording
import TestSupport
import Testing

/// What a start does after the user has taken an earlier process off air.
@Suite struct OffAirTests {
  private static func unfinished(_ last: JournalEntry) throws -> UnfinishedBroadcast {
    try JournalSample.unfinished([(9, .checkpoint(.seconds(8))), (10, last)])
  }

  private static let interrupted = OffAirRecord(isBackgrounded: false, since: JournalSample.instant(10))
  private static let backgrounded = OffAirRecord(isBackgrounded: true, since: JournalSample.instant(10))

  private func recovery(
    _ unfinished: UnfinishedBroadcast?, _ record: OffAirRecord?, at seconds: Double,
    _ policy: AfterCrash = .withinWindow, isTypedAtTerminal: Bool = false, word: LastWord? = nil
  ) -> Recovery {
    Recovery(
      unfinished.map { [$0] } ?? [], lastWord: word ?? record.map(LastWord.offAir),
      .init(
        now: JournalSample.instant(seconds), window: .seconds(120), policy: policy,
        isTypedAtTerminal: isTypedAtTerminal))
  }

  @Test(
    arguments: [("user", interrupted), ("device", interrupted), ("user", nil)] as [(String, OffAirRecord?)])
  func `a broadcast that the user interrupted waits, also behind another cause, or by its journal alone`(
    cause: String, record: OffAirRecord?
  ) throws {
    let found = recovery(try Self.unfinished(.interrupted(cause, at: 9)), record, at: 40)
    #expect(found.resumed != nil && found.offAir == Self.interrupted)
    #expect(found.offAir?.windowLeft(of: .seconds(120), at: JournalSample.instant(40)) == .seconds(90))
  }

  @Test(arguments: [(9.0, true), (10, false), (11, false)])
  func `the user's return counts though the journal has not noted it`(since: Double, isOffAir: Bool) throws {
    let word = LastWord.onAir(since: JournalSample.instant(since))
    let found = recovery(try Self.unfinished(.interrupted("user", at: 9)), nil, at: 40, word: word)
    #expect(found.resumed != nil && found.offAir == (isOffAir ? Self.interrupted : nil))
  }

  @Test(arguments: ["device", "system"])
  func `a cause that ends by itself keeps nobody off air`(cause: String) throws {
    let found = recovery(try Self.unfinished(.interrupted(cause, at: 9)), nil, at: 40)
    #expect(found.resumed != nil && found.offAir == nil)
    let late = recovery(try Self.unfinished(.interrupted(cause, at: 9)), nil, at: 400)
    #expect(late.resumed == nil && late.offAir == nil)
  }

  @Test func `once the window has closed the broadcast is finished, and nothing begins`() throws {
    let found = recovery(try Self.unfinished(.interrupted("user", at: 9)), Self.interrupted, at: 400)
    #expect(found.resumed == nil && found.finished.count == 1 && found.offAir == Self.interrupted)
    #expect(found.offAir?.windowLeft(of: .seconds(120), at: JournalSample.instant(400)) == nil)
  }

  @Test(arguments: [20.0, 100_000])
  func `the background has no window`(seconds: Double) throws {
    let found = recovery(try Self.unfinished(.backgrounded), Self.backgrounded, at: seconds)
    #expect(found.resumed == nil && found.offAir == Self.backgrounded)
    #expect(recovery(nil, Self.backgrounded, at: seconds).offAir == Self.backgrounded)
  }

  @Test func `a broadcast that was killed on its way to the background is finished`() throws {
    let found = recovery(try Self.unfinished(.checkpoint(.seconds(9))), Self.backgrounded, at: 20)
    #expect(found.resumed == nil && found.finished.count == 1 && found.offAir == Self.backgrounded)
  }

  @Test func `a person at a terminal begins a new broadcast, but not within the window`() throws {
    let broadcast = try Self.unfinished(.interrupted("user", at: 9))
    #expect(recovery(broadcast, Self.interrupted, at: 40, isTypedAtTerminal: true).offAir == Self.interrupted)
    let late = recovery(broadcast, Self.interrupted, at: 400, isTypedAtTerminal: true)
    #expect(late.offAir == nil && late.overridden == Self.interrupted)
    #expect(recovery(nil, Self.backgrounded, at: 20, isTypedAtTerminal: true).overridden == Self.backgrounded)
  }

  @Test func `the policy new begins a new broadcast, told as such`() throws {
    let found = recovery(try Self.unfinished(.interrupted("user", at: 9)), Self.interrupted, at: 40, .new)
    #expect(found.resumed == nil && found.offAir == nil && found.overridden == Self.interrupted)
  }

  @Test func `a crash while on air keeps nobody off air`() throws {
    let found = recovery(try Self.unfinished(.resumed(mediaAt: .seconds(9))), nil, at: 40)
    #expect(found.resumed != nil && found.offAir == nil && found.overridden == nil)
  }

  @Test(arguments: [
    LastWord.offAir(interrupted), .offAir(backgrounded), .onAir(since: JournalSample.instant(10)),
  ])
  func `the last word is read as it was kept`(word: LastWord) throws {
    let scratch = ScratchFolder()
    let folder = try JournalFolder(name: "hall", path: scratch.file("hall"))
    #expect(folder.lastWord == nil)
    try folder.keep(.offAir(OffAirRecord(isBackgrounded: true, since: JournalSample.instant(3))))
    try folder.keep(word)
    #expect(folder.lastWord == word)
    #expect(try folder.broadcasts().isEmpty)
  }
}
