import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastStores

/// The stores of a hub's threads, each used by one at a time. A store may be a connection; all show the same sessions.
package final class StorePool: Sendable {
  private let make: @Sendable () -> any Store & Sendable
  private let idle = Locked<[any Store & Sendable]>([])

  package init(_ make: @escaping @Sendable () -> any Store & Sendable) {
    self.make = make
  }

  package func with<Result, Failure: Error>(
    _ body: (inout any Store & Sendable) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var store = idle.withLock { $0.popLast() } ?? make()
    defer { idle.withLock { [store] in $0.append(store) } }
    return try body(&store)
  }
}
