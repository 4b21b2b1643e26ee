import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct JournalThreadTests {
  private final class Told: Sendable {
    let errors = Locked<[JournalError.Kind]>([])
    var kinds: [JournalError.Kind] { errors.withLock { $0 } }
  }

  @Test func `a transition can be read when the call returns`() throws {
    let scratch = try ScratchFolder()
    let folder = try JournalFolder(name: "hall", path: scratch.file("hall"))
    let told = Told()
    let thread = try JournalThread(try folder.begin("a"), timeout: .seconds(60)) { error in
      told.errors.withLock { $0.append(error.kind) }
    }
    thread.write(JournalSample.beginning, at: JournalSample.instant(0))
    let read = try folder.journal(of: "a").records.map(\.entry)
    thread.finish()
    #expect(read == [JournalSample.beginning])
    #expect(told.kinds == [])
  }

  @Test func `all that was given is there at the end`() throws {
    let scratch = try ScratchFolder()
    let folder = try JournalFolder(name: "hall", path: scratch.file("hall"))
    let thread = try JournalThread(try folder.begin("a"), timeout: .seconds(60)) { _ in }
    let records = JournalSample.records(JournalSample.everyEntry)
    for record in records { thread.write(record.entry, at: record.instant) }
    thread.finish()
    #expect(try folder.journal(of: "a").records == records)
  }

  @Test func `a disk that hangs is waited for once, and told`() throws {
    let scratch = try ScratchFolder()
    let folder = try JournalFolder(name: "hall", path: scratch.file("hall"))
    let told = Told()
    let thread = try JournalThread(try folder.begin("a"), timeout: .milliseconds(20)) { error in
      told.errors.withLock { $0.append(error.kind) }
    }
    let records = JournalSample.records([JournalSample.beginning, .live(.record), .backgrounded])
    // As long as this is held, nothing reaches the disk.
    thread.writer.withLock { _ in
      for record in records { thread.write(record.entry, at: record.instant) }
    }
    thread.finish()
    #expect(told.kinds == [.slow])
    #expect(try folder.journal(of: "a").records == records)
  }
}
