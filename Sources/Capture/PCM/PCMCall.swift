internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Runs a call that may never return, because the sound server hangs, on a thread of its own. Nil when it has not returned
/// within `limit`: nothing can end such a call, so its thread is left to itself and its result is dropped.
func bounded<Value: Sendable>(by limit: MediaTime, _ call: @escaping @Sendable () -> Value) -> Value? {
  let result = Promise<Value>()
  guard let thread = try? WorkerThread(name: "pcm-call", { result.fulfil(call()) }) else { return nil }
  thread.abandon()
  return result.take(until: .now + limit)
}
