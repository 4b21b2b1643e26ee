import Glibc
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPlatform

@Suite(.realTime) struct LineWriterTests {
  private let folder = ScratchFolder()
  private let troubles = Locked<[LineWriter.Trouble]>([])

  private func writer(_ descriptor: consuming FileDescriptor, capacity: Int = 4096) throws -> LineWriter {
    try LineWriter(name: "lines", descriptor, capacity: capacity) { [troubles] trouble in
      troubles.withLock { $0.append(trouble) }
    }
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try FileDescriptor.contents(of: folder.file(name), limit: 1 << 24), as: UTF8.self)
  }

  private func offer(_ lines: some Sequence<Int>, to writer: LineWriter) {
    for line in lines { writer.write("\(line)\n") { "lost \($0)\n" } }
  }

  @Test func `lines arrive in order, also in a further file`() throws {
    let writer = try writer(try .create(folder.file("a"), .appending))
    offer(1...3, to: writer)
    #expect(eventually { (try? text("a")) == "1\n2\n3\n" })
    writer.replace(by: try .create(folder.file("b"), .appending))
    offer(4...5, to: writer)
    writer.finish(within: .seconds(30))
    #expect(try text("b") == "4\n5\n")
  }

  @Test func `a reader that stalls blocks nobody; what it misses is counted`() throws {
    let ends = try pipe()
    defer { close(ends.reading) }
    let writer = try writer(FileDescriptor(owning: ends.writing), capacity: 10)
    // A pipe holds 64 KiB.
    let filler = String(repeating: "x", count: 60_000)
    var next = 0
    while writer.lost < 8 {
      writer.write("\(next) \(filler)\n") { "lost \($0)\n" }
      next += 1
    }
    #expect(troubles.withLock { $0 } == [.tooSlow])
    var received: [UInt8] = []
    while writer.lost > 0 {
      received += try read(ends.reading)
      offer(next...next, to: writer)
      next += 1
    }
    // What is queued now ends with this.
    let end = Array("\(next - 1)\n".utf8)
    while !received.suffix(end.count).elementsEqual(end) { received += try read(ends.reading) }
    writer.finish(within: .seconds(30))
    let lines = String(decoding: received, as: UTF8.self).split(separator: "\n")
    let lost = lines.filter { $0.hasPrefix("lost") }.compactMap { Int($0.dropFirst(5)) }.reduce(0, +)
    let whole = lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(lost > 0 && whole.count + lost == next)
    #expect(whole == whole.sorted())
  }

  @Test func `what was queued before a flush is written after it`() throws {
    let writer = try writer(try .create(folder.file("a"), .appending))
    for last in 1...20 {
      offer(last...last, to: writer)
      writer.flush(within: .seconds(60))
      #expect(try text("a").hasSuffix("\(last)\n"))
    }
  }

  @Test func `a flush does not wait for a reader that stalls`() throws {
    let ends = try pipe()
    defer { close(ends.reading) }
    let writer = try writer(FileDescriptor(owning: ends.writing))
    offer(0..<40_000, to: writer)
    writer.flush(within: .milliseconds(50))
    #expect(!(try read(ends.reading)).isEmpty)
    writer.finish(within: .milliseconds(50))
  }

  @Test func `the end does not wait for a reader that stalls`() throws {
    let ends = try pipe()
    defer { close(ends.reading) }
    let writer = try writer(FileDescriptor(owning: ends.writing))
    offer(0..<40_000, to: writer)
    let start = MonotonicTime.now
    writer.finish(within: .milliseconds(50))
    #expect(MonotonicTime.now - start < .seconds(20))
    #expect(!(try read(ends.reading)).isEmpty)
  }

  @Test func `a descriptor that refuses is told once, then how many it has cost`() throws {
    let writer = try writer(try .create("/dev/full", .appending))
    offer(1...3, to: writer)
    #expect(eventually { troubles.withLock { $0.count } == 1 })
    #expect(eventually { writer.lost == 3 })
    writer.replace(by: try .create(folder.file("a"), .appending))
    offer(4...5, to: writer)
    writer.finish(within: .seconds(30))
    #expect(try text("a") == "lost 3\n4\n5\n")
    #expect(troubles.withLock { $0 } == [.failed(SystemError(operation: "write", code: ENOSPC))])
  }

  @Test func `a reader that has gone is told`() throws {
    surviveFailedWrites()
    let ends = try pipe()
    close(ends.reading)
    let writer = try writer(FileDescriptor(owning: ends.writing))
    offer(1...2, to: writer)
    writer.finish(within: .seconds(30))
    #expect(troubles.withLock { $0 } == [.failed(SystemError(operation: "write", code: EPIPE))])
  }

  private func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try check("pipe") { Glibc.pipe(&ends) }
    return (ends[0], ends[1])
  }

  private func read(_ descriptor: Int32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    return Array(bytes[..<(try check("read") { Glibc.read(descriptor, &bytes, bytes.count) })])
  }
}
