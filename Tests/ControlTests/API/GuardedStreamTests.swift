import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastControl

@Suite struct GuardedStreamTests {
  private struct Silence: ResponseStream {
    mutating func next(at now: MonotonicTime) -> StreamStep { .nothing(until: now + .seconds(15)) }
  }

  @Test func `it is looked at again soon, whatever its stream says`() {
    var stream = GuardedStream(Silence(), at: .init(nanoseconds: 0)) { true }
    #expect(
      stream.next(at: .init(nanoseconds: 0))
        == .nothing(until: .init(nanoseconds: GuardedStream.interval.nanoseconds)))
  }

  @Test func `it ends when its reader may read no more`() {
    let mayRead = Locked(true)
    var stream = GuardedStream(Silence(), at: .init(nanoseconds: 0)) { mayRead.withLock { $0 } }
    mayRead.withLock { $0 = false }
    #expect(stream.next(at: .init(nanoseconds: 1)) != .over)
    #expect(stream.next(at: .init(nanoseconds: GuardedStream.interval.nanoseconds)) == .over)
  }
}
