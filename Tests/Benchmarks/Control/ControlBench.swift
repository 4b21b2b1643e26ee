import TestSupport

/// A broadcast's cost, event latency and lost pictures under a thousand event readers and many requests.
enum ControlBench {
  static func run(_ arguments: Arguments) throws -> Bool {
    let seconds = try arguments.number(0, default: 60)
    try needDescriptors(LoadedRun.readers + 200)
    return try LoadedRun(seconds: max(2, seconds), in: ScratchFolder()).run()
  }
}
