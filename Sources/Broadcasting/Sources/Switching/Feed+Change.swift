internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

extension Feed where Taken: ~Copyable {
  /// Another source takes the place of the one that there is as soon as it gives something; throws, and leaves all as it
  /// is, where it does not do so in time. What is returned waits for the old one's end, which may take a while.
  func change(to origin: Origin, until limit: MonotonicTime) throws(CaptureError) -> () -> Void {
    if state.withLock({ $0.receiver != nil && $0.machine.hasEnded }) {
      throw refusal("has come to its end", hint: "start another broadcast")
    }
    let run = try makeRun(origin, try origin.open())
    let isOpen = state.withLock { state in
      _ = state.machine.handle(.switchRequested(to: run.number))
      guard state.machine.isSwitching(to: run.number) else {
        state.origin = origin
        return false
      }
      state.runs[run.number] = run
      return true
    }
    guard isOpen else {
      run.hold(nil)
      return {}
    }
    var answer: CaptureError??
    do throws(CaptureError) {
      try startThread(of: run)
      answer = run.beginning.take(until: limit)
    } catch {
      answer = error
    }
    let silence = refusal("has given nothing yet", hint: "see whether it works elsewhere")
    handle(.switchAbandoned(silence))
    let (isOnAir, others) = state.withLock { state in
      let isOnAir = state.machine.number == run.number
      let others = state.runs.filter { ($0.key == run.number) != isOnAir }.map(\.value)
      for other in others { state.runs[other.number] = nil }
      return (isOnAir, others)
    }
    guard isOnAir else {
      run.stop.signal()
      run.thread.join()
      throw (answer ?? nil) ?? silence
    }
    return { for other in others { other.thread.join() } }
  }

  /// A change that is under way comes to nothing.
  func abandonChange() {
    handle(.switchAbandoned(refusal("is not wanted any more", hint: "ask again")))
  }
}
