public import Holdfast
import HoldfastPlatform

extension SourceStop {
  /// A stop for the test of a source, and the function that requests it.
  public static func make() throws -> (stop: SourceStop, request: @Sendable () -> Void) {
    let wakeup = try Wakeup()
    return (SourceStop(inner: wakeup), { wakeup.signal() })
  }
}
