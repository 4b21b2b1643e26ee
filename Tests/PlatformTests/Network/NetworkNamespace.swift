import Glibc
import HoldfastPlatform
import TestSupport

/// A thread in a network of its own, in which it may change what it likes.
enum NetworkNamespace {
  /// Only who may administrate the machine can have one.
  static let isPermitted: Bool = (try? run { true }) ?? false

  struct NotPermitted: Error {}

  /// Runs `body` on a thread of its own; the threads and commands it starts are in the same network.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let result = Locked<Swift.Result<Result, any Error>?>(nil)
    let thread = try WorkerThread(name: "namespace") {
      let outcome = Swift.Result { () throws -> Result in
        guard isolateThisThread() else { throw NotPermitted() }
        return try body()
      }
      result.withLock { $0 = outcome }
    }
    thread.join()
    guard let outcome = result.withLock({ $0 }) else { throw NotPermitted() }
    return try outcome.get()
  }

  /// unshare(CLONE_NEWNET), which Swift can't import.
  private static func isolateThisThread() -> Bool {
    guard let symbol = dlsym(nil, "unshare") else { return false }
    return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(0x4000_0000) == 0
  }

  /// `ip` with these arguments, in the network of this thread.
  static func ip(_ arguments: String) throws {
    guard system("ip \(arguments)") == 0 else { throw TestFailure("ip \(arguments)") }
  }
}
