import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

func pause(_ length: MediaTime) {
  if length > .zero { usleep(useconds_t(length.nanoseconds / 1000)) }
}

func pause(until moment: MonotonicTime) { pause(moment - .now) }

/// Calls `work` with each number up to `count`, `width` of them at a time; returns the results in order.
func inParallel<Result: Sendable>(
  _ count: Int, width: Int, _ work: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let results = Locked([Result?](repeating: nil, count: count))
  let next = Locked(0..<count)
  let threads = DispatchGroup()
  for _ in 0..<width {
    threads.enter()
    Thread {
      while let number = next.withLock({ $0.popFirst() }) {
        let result = work(number)
        results.withLock { $0[number] = result }
      }
      threads.leave()
    }.start()
  }
  threads.wait()
  return results.withLock { $0.compactMap(\.self) }
}
