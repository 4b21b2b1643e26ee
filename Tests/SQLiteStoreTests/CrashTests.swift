import Foundation
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestRandomness
import TestStores
import Testing

@testable import HoldfastSQLiteStore

/// What is in the files at some moment, opened as after a crash.
@Suite struct CrashTests {
  /// Commands in a random order, each answered.
  private func command(_ store: inout TestStore, _ choice: inout SplitMix64) throws {
    let commands: [Session.Command] = [
      .lock, .unlock, .lockScreens, .unlockScreens, .limit(.seconds(.random(in: 1...80_000, using: &choice))),
    ]
    try store.command(.hall, commands.randomElement(using: &choice) ?? .lock)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `files copied between verbs have all that was answered`(seed: UInt64) throws {
    var choice = SplitMix64(seed: seed)
    var store = try TestStore()
    let lease = try store.join()
    for step in 1...60 {
      store.pass(.milliseconds(.random(in: 0...700, using: &choice)))
      if Bool.random(using: &choice) {
        try command(&store, &choice)
      } else {
        _ = try store.beat(lease, statistics: "\(step)", in: .hall)
      }
      // As a hub does several times a second.
      _ = try store.due(within: .zero)
      guard step.isMultiple(of: 5) else { continue }
      let kept = try store.open(store.crashed("crashed-\(step)"))
      let (now, then) = (try store.load(.hall, asking: nil), try kept.load(.hall, asking: nil))
      #expect((then.session, then.version, then.lastEvent) == (now.session, now.version, now.lastEvent))
      let forgotten = (now.beats[lease] ?? now.now) - (then.beats[lease] ?? now.now)
      #expect(forgotten <= .milliseconds(2700))
    }
  }

  /// A commit that was not answered may be there, whole, or not.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a log that breaks off anywhere in a commit ends with the commit before`(seed: UInt64) throws {
    var choice = SplitMix64(seed: seed)
    var store = try TestStore(joined: "anna")
    for step in 1...20 {
      let before = try store.load(.hall, asking: nil)
      let length = try size(store.path + "-wal")
      try command(&store, &choice)
      let after = try store.load(.hall, asking: nil)
      let copy = try store.crashed("crashed-\(step)")
      let whole = try size(copy + "-wal")
      guard whole > length else { continue }
      let cut = Int.random(in: length...whole, using: &choice)
      let log = try FileHandle(forUpdating: URL(fileURLWithPath: copy + "-wal"))
      try log.truncate(atOffset: UInt64(cut))
      try log.close()
      let kept = try store.open(copy).load(.hall, asking: nil)
      let expected = cut == whole ? after : before
      #expect(kept.session == expected.session)
      #expect(kept.version == expected.version)
      #expect(kept.lastEvent == expected.lastEvent)
    }
  }

  private func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
}
