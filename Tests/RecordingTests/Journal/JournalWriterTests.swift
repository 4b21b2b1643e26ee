import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct JournalWriterTests {
  private func folder(_ scratch: ScratchFolder) throws -> JournalFolder {
    try JournalFolder(name: "hall", path: scratch.file("hall"))
  }

  @Test func `what is written is read back in order`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    var writer = try folder.begin("a")
    let records = JournalSample.records(JournalSample.everyEntry)
    for record in records { try writer.write(record.entry, at: record.instant) }
    #expect(try folder.journal(of: "a").records == records)
  }

  @Test func `a journal that was torn goes on behind the tear`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    let records = JournalSample.records([JournalSample.beginning, .live(.record), .resumed(mediaAt: .zero)])
    let bytes = JournalSample.bytes(Array(records.prefix(2)))
    try Data(bytes.dropLast(10)).write(to: URL(fileURLWithPath: "\(folder.path)/a.jsonl"))
    var writer = try folder.resume("a")
    try writer.write(records[2].entry, at: records[2].instant)
    let journal = try folder.journal(of: "a")
    #expect(journal.records == [records[0], records[2]])
    #expect(journal.garbledLines == 1)
  }

  @Test func `checkpoints come once a second at the most`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    var writer = try folder.begin("a")
    for number in 0..<40 {
      let second = Double(number) / 4
      try writer.write(.checkpoint(MediaTime(seconds: second)), at: JournalSample.instant(second))
    }
    #expect(try folder.journal(of: "a").records.map(\.entry) == (0..<10).map { .checkpoint(.seconds($0)) })
  }

  @Test func `hours of checkpoints stay small, and the last one is there`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
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
    #expect(largest <= JournalWriter.thinningInterval + 4096)
    let journal = try folder.journal(of: "a")
    #expect(journal.records.first?.entry == JournalSample.beginning)
    #expect(journal.records.last?.entry == .checkpoint(.seconds(20_001)))
    #expect(journal.records.filter { $0.entry == .gap(JournalSample.gap) }.count == 4)
    #expect(journal.garbledLines == 0)
  }

  @Test func `of tracks that are muted again and again the last word stays`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    var writer = try folder.begin("a")
    try writer.write(JournalSample.beginning, at: JournalSample.instant(0))
    try writer.write(.live(.record), at: JournalSample.instant(0))
    for second in 1...5000 {
      let instant = JournalSample.instant(Double(second))
      try writer.write(.checkpoint(.seconds(Int64(second))), at: instant)
      try writer.write(.muted(second.isMultiple(of: 2) ? [] : [.audio]), at: instant, sync: false)
    }
    try writer.write(.muted([.video]), at: JournalSample.instant(5001), sync: false)
    let size = try FileDescriptor.contents(of: writer.path, limit: 1 << 30).count
    #expect(size <= JournalWriter.thinningInterval + 4096)
    #expect(try UnfinishedBroadcast(folder.journal(of: "a"))?.muted == [.video])
  }

  @Test func `a mute after which nothing came before a crash says when that was`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    var writer = try folder.begin("a")
    try writer.write(.muted([.audio]), at: JournalSample.instant(1))
    try writer.write(.resumed(mediaAt: .seconds(1)), at: JournalSample.instant(2))
    for second in 3...2000 {
      try writer.write(.checkpoint(.seconds(Int64(second))), at: JournalSample.instant(Double(second)))
    }
    try writer.write(.muted([]), at: JournalSample.instant(2001))
    #expect(try GapMap(folder.journal(of: "a")).interruptions.first?.from == JournalSample.instant(1))
  }

  @Test func `a crash stays where it was, when the checkpoints before it go`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    var writer = try folder.begin("a")
    for second in 1...3000 {
      let entry =
        second == 100 ? JournalEntry.resumed(mediaAt: .seconds(97)) : .checkpoint(.seconds(Int64(second)))
      guard !(98..<100).contains(second) else { continue }
      try writer.write(entry, at: JournalSample.instant(Double(second)))
    }
    let journal = try folder.journal(of: "a")
    #expect(journal.records.count < 2000)
    #expect(GapMap(journal).interruptions.map(\.from) == [JournalSample.instant(97)])
  }

  @Test func `when it is full, gaps are refused, and what decides a resume is not`() throws {
    let scratch = try ScratchFolder()
    let folder = try folder(scratch)
    let line = [UInt8](repeating: 0x78, count: 1 << 20) + [0x0A]
    let count = JournalWriter.sizeLimit / line.count + 1
    try Data((0..<count).flatMap { _ in line }).write(to: URL(fileURLWithPath: "\(folder.path)/a.jsonl"))
    var writer = try folder.resume("a")
    var refusal: JournalError?
    do { try writer.write(.gap(JournalSample.gap)) } catch { refusal = error }
    #expect(refusal?.kind == .full)
    try writer.write(.ended(reason: "stopped"))
    #expect(try folder.journal(of: "a").isEnded)
  }

  @Test func `a written line outlives a kill, without having been synced`() async throws {
    let scratch = try ScratchFolder()
    let path = scratch.file("hall")
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

  @Test func `what a full disk refused is there when there is room again`() async throws {
    let scratch = try ScratchFolder()
    let path = scratch.file("hall")
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let folder = try JournalFolder(name: "hall", path: path)
      var writer = try folder.begin("a")
      let records = JournalSample.records([
        JournalSample.beginning, .live(.record),
        .interrupted(cause: "user", mediaAt: .zero, resumableUntil: nil),
        .checkpoint(.zero), .gap(JournalSample.gap), .resumed(mediaAt: .zero),
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
      #expect(refused == 4)
      #expect(journal.records == [records[0], records[1], records[2], records[5]])
      #expect(journal.garbledLines == 0)
    }
  }
}
