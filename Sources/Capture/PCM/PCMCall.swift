internal import Dispatch
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Runs a call that the sound system may never come back from, and waits for it no longer than `limit`: nil
/// when that is over. The call then goes on by itself, as nothing can end it, and its result is dropped.
func bounded<Value: Sendable>(by limit: MediaTime, _ call: @escaping @Sendable () -> Value) -> Value? {
  let answer = BoundedQueue<Value>(capacity: 1)
  DispatchQueue.global().async { _ = answer.offer(call()) }
  return answer.take(until: .now + limit)
}
