import Foundation
import HoldfastPlatform
import TestSupport

/// `bench-control [SECONDS]`: a broadcast under the load of a thousand readers of events and of many requests: what it
/// costs, how late they are, and whether a picture is missing.
@main enum ControlBench {
  static func main() {
    let number = CommandLine.arguments.dropFirst().map { Int($0) }
    guard number.count <= 1, !number.contains(nil), let seconds = number.first ?? 60, seconds >= 2 else {
      print("usage: bench-control [SECONDS]")
      exit(64)
    }
    do {
      guard raiseDescriptorLimit(to: 2048) >= 1200 else {
        throw WireClient.Failure(description: "this shell allows too few open files (ulimit -n)")
      }
      exit(try LoadedRun(seconds: seconds, in: ScratchFolder()).run() ? 0 : 1)
    } catch {
      print("bench-control: \(error)")
      exit(1)
    }
  }
}
