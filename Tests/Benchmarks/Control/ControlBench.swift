import HoldfastPlatform
import TestSupport

/// `bench-control [SECONDS]`: a broadcast's cost, event latency and lost pictures under a thousand event
/// readers and many requests.
@main enum ControlBench {
  static func main() {
    Measurement.run("bench-control [SECONDS]") { numbers in
      guard raiseDescriptorLimit(to: 2048) >= 1200 else {
        throw TestFailure("this shell allows too few open files (ulimit -n)")
      }
      return try LoadedRun(seconds: max(2, numbers.number(0, default: 60)), in: ScratchFolder()).run()
    }
  }
}
