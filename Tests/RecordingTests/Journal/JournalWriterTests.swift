import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct JournalWriterTests {
  private let scratch = ScratchFolder()
  private let folder: JournalFolder

  init() throws { folder = try JournalFolder(name: "hall", path: scratch.file("hall")) }

  /// A writer to which `entries` have been given, each at its second.
  private func write(_ entries: [(second: Int, JournalEntry)]) throws -> Journal {
    var writer = try folder.begin("a")
    for (second, entry) in entries {
      try writer.write(entry, at: JournalSample.instant(Double(second)), sync: false)
    }
    #expect(try FileDescriptor.contents(of: writer.path, limit: 1 << 30).count <= Self.maxSize)
    return try folder.journal(of: "a")
  }

  private static let maxSize = JournalWriter.compactionInterval + 4096

  private func checkpoints(_ seconds: ClosedRange<Int>) -> [(second: Int, JournalEntry)] {
    seconds.map { ($0, .checkpoint(.seconds(Int64($0)))) }
  }

  @Test func `entries written to a journal are read back in order`() throws {
    var writer = try folder.begin("a")
    let records = JournalSample.records(JournalSample.everyEntry)
    for record in records { try writer.write(record.entry, at: record.instant) }
    #expect(try folder.journal(of: "a").records == records)
  }

  @Test func `a torn journal is continued after the tear`() throws {
    let records = JournalSample.records([JournalSample.beginning, .live(.record), .resumed(mediaAt: .zero)])
    let bytes = JournalSample.bytes(Array(records.prefix(2)))
    try Data(bytes.dropLast(10)).write(to: URL(fileURLWithPath: "\(folder.path)/a.jsonl"))
    var writer = try folder.resume("a")
    try writer.write(records[2].entry, at: records[2].instant)
    let journal = try folder.journal(of: "a")
    #expect((journal.records, journal.garbledLines) == ([records[0], records[2]], 1))
  }

  @Test func `a journal with hours of checkpoints stays small, and keeps the last one`() throws {
    var writer = try folder.begin("a")
    try writer.write(JournalSample.beginning, at: JournalSample.instant(0))
    var largest = 0
    for second in 1...20_001 {
      try writer.write(.checkpoint(.seconds(Int64(second))), at: JournalSample.instant(Double(second)))
      if second % 5_000 == 0 {
        try writer.write(.gap(JournalSample.gap), at: JournalSample.instant(Double(second)))
      }
      if second % 500 == 0 {
        largest = max(largest, try FileDescriptor.contents(of: writer.path, limit: 1 << 30).count)
      }
    }
    #expect(largest <= Self.maxSize)
    let journal = try folder.journal(of: "a")
    let (first, last) = (journal.records.first?.entry, journal.records.last?.entry)
    #expect((first, last) == (JournalSample.beginning, .checkpoint(.seconds(20_001))))
    let gaps = journal.records.count { $0.entry == .gap(JournalSample.gap) }
    #expect((gaps, journal.garbledLines) == (4, 0))
  }

  @Test func `a journal keeps the last of many mute entries`() throws {
    let mutes = checkpoints(1...5000).flatMap { one -> [(second: Int, JournalEntry)] in
      [one, (one.second, .muted(one.second.isMultiple(of: 2) ? [] : [.audio]))]
    }
    let journal = try write(
      [(0, JournalSample.beginning), (0, .live(.record))] + mutes + [(5001, .muted([.video]))])
    #expect(UnfinishedBroadcast(journal)?.muted == [.video])
  }

  @Test func `a journal keeps that the picture was muted once`() throws {
    let journal = try write(
      [(0, JournalSample.beginning), (0, .live(.record)), (1, .muted([.video]))] + checkpoints(2...2)
        + [(3, .muted([]))] + checkpoints(4...3000))
    #expect(journal.records.count < 2000)
    #expect(journal.records.contains { $0.entry == .muted([.video]) })
    #expect(UnfinishedBroadcast(journal)?.muted == [])
  }

  @Test func `a mute entry before a crash marks the last sign of life`() throws {
    let journal = try write(
      [(1, .muted([.audio])), (2, .resumed(mediaAt: .seconds(1)))] + checkpoints(3...2000)
        + [(2001, .muted([]))])
    #expect(GapMap(journal).interruptions.first?.from == JournalSample.instant(1))
  }

  @Test func `a crash keeps its time when the checkpoints before it are removed`() throws {
    let journal = try write(
      checkpoints(1...97) + [(100, .resumed(mediaAt: .seconds(97)))] + checkpoints(101...3000))
    #expect(journal.records.count < 2000)
    #expect(GapMap(journal).interruptions.map(\.from) == [JournalSample.instant(97)])
  }

  @Test func `a full journal refuses gaps, but not the end of the broadcast`() throws {
    let line = [UInt8](repeating: 0x78, count: 1 << 20) + [0x0A]
    let count = JournalWriter.sizeLimit / line.count + 1
    try Data((0..<count).flatMap { _ in line }).write(to: URL(fileURLWithPath: "\(folder.path)/a.jsonl"))
    var writer = try folder.resume("a")
    let refusal = failure { () throws(JournalError) in try writer.write(.gap(JournalSample.gap)) }
    #expect(refusal?.kind == .full)
    try writer.write(.ended(.init(reason: "stopped")))
    #expect(try folder.journal(of: "a").isEnded)
  }

  @Test func `a line written to a journal survives a kill without a sync`() async throws {
    let path = scratch.file("other")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let folder = try JournalFolder(name: "hall", path: path)
      var writer = try folder.begin("a")
      for record in JournalSample.records(JournalSample.everyEntry) {
        try writer.write(record.entry, at: record.instant, sync: false)
      }
      kill(getpid(), SIGKILL)
    }
    let folder = try JournalFolder(name: "hall", path: path)
    #expect(try folder.journal(of: "a").records == JournalSample.records(JournalSample.everyEntry))
  }

  @Test func `essential entries that a full disk refused are written when there is room`() async throws {
    let path = scratch.file("other")
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let folder = try JournalFolder(name: "hall", path: path)
      var writer = try folder.begin("a")
      let records = JournalSample.records([
        JournalSample.beginning, .live(.record), .interrupted("user", at: 0), .checkpoint(.zero),
        .gap(JournalSample.gap), .resumed(mediaAt: .zero),
      ])
      try writer.write(records[0].entry, at: records[0].instant)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let unlimited = limit
      limit.rlim_cur = rlim_t(records[0].line.count + 50)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      var refused = 0
      for record in records[1..<5] {
        do throws(JournalError) { try writer.write(record.entry, at: record.instant) } catch { refused += 1 }
      }
      limit = unlimited
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try writer.write(records[5].entry, at: records[5].instant)
      let journal = try folder.journal(of: "a")
      #expect((refused, journal.garbledLines) == (4, 0))
      #expect(journal.records == [records[0], records[1], records[2], records[5]])
    }
  }

  // MARK: - On a thread of its own

  private let problems = Locked<[JournalFault]>([])

  private func thread(timeout: MediaTime = .seconds(60)) throws -> JournalThread {
    try JournalThread(try folder.begin("a"), timeout: timeout) { [problems] error in
      problems.withLock { $0.append(error.kind) }
    }
  }

  @Test func `a transition can be read in the journal when the call returns`() throws {
    let thread = try thread()
    thread.write(JournalSample.beginning, at: JournalSample.instant(0))
    let read = try folder.journal(of: "a").records.map(\.entry)
    thread.finish()
    #expect(read == [JournalSample.beginning] && problems.withLock { $0 } == [])
  }

  @Test func `all entries given to the journal's thread are there at the end`() throws {
    let thread = try thread()
    let records = JournalSample.records(JournalSample.everyEntry)
    for record in records { thread.write(record.entry, at: record.instant) }
    thread.finish()
    #expect(try folder.journal(of: "a").records == records)
  }

  @Test func `a hanging disk is waited for only once, and reported`() throws {
    let thread = try thread(timeout: .milliseconds(20))
    let records = JournalSample.records([JournalSample.beginning, .live(.record), .backgrounded])
    // As long as this is held, nothing reaches the disk.
    thread.writer.withLock { _ in
      for record in records { thread.write(record.entry, at: record.instant) }
    }
    thread.finish()
    #expect(problems.withLock { $0 } == [.slow])
    #expect(try folder.journal(of: "a").records == records)
  }
}
