import HoldfastMediaModel
import Testing

@testable import HoldfastPlatform

@Suite struct WriterThreadTests {
  private let written = Locked<[Int]>([])
  private let gate = Locked(())

  private func thread(capacity: Int = 8) throws -> WriterThread<Int> {
    try WriterThread(name: "writer", capacity: capacity) { [written, gate] item in
      gate.withLock { _ in written.withLock { $0.append(item) } }
    }
  }

  @Test func `a writer that is waited for has written`() throws {
    let thread = try thread()
    #expect((thread.write(1, waiting: .seconds(60)), written.withLock { $0 }) == (.written, [1]))
    thread.finish()
  }

  @Test func `after one that is late nobody waits until one is written`() throws {
    let thread = try thread()
    gate.withLock { _ in
      #expect(thread.write(1, waiting: .milliseconds(10)) == .late)
      #expect(thread.write(2, waiting: .seconds(60)) == .queued)
    }
    thread.finish()
    #expect(written.withLock { $0 } == [1, 2])
  }

  @Test func `a writer that is full or finished drops`() throws {
    let thread = try thread(capacity: 1)
    gate.withLock { _ in
      let outcomes = (1...3).map { thread.write($0) }
      // The thread may take the first between any two.
      #expect(outcomes.first == .queued && outcomes.contains(.dropped))
    }
    thread.finish()
    #expect(thread.write(4) == .dropped && written.withLock { $0 }.first == 1)
  }
}
