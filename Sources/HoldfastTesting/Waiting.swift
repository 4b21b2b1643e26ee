internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Runs a body that blocks beside the tasks' threads, which it must not hold up.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  let thread = ThreadSlot()
  defer { thread.join() }
  return await withCheckedContinuation { done in
    do throws(SystemError) {
      try thread.start(name: "test") { done.resume(returning: body()) }
    } catch {
      done.resume(returning: body())
    }
  }
}

extension Duration {
  var mediaTime: MediaTime { MediaTime(seconds: self / .seconds(1)) }
}
