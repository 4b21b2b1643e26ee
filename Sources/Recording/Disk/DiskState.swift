internal import HoldfastPlatform

/// How the disk of the recording is, as it is told.
package enum DiskState: Hashable, Sendable {
  case writing
  /// There will not be room for long.
  case low
  /// It takes the data, but more slowly than it comes.
  case slow
  /// There is no room: the recording waits for some.
  case full
  /// It refuses to be written, with this error code: the recording waits until it takes data again.
  case failed(code: Int32)

  /// As event lines write it, a stable interface.
  package var name: String {
    switch self {
    case .writing: "writing"
    case .low: "low"
    case .slow: "slow"
    case .full: "full"
    case .failed: "failed"
    }
  }

  /// The reason that the system gives; nil where there is none.
  package var cause: String? {
    switch self {
    case .failed(let code): SystemError(operation: "", code: code).reason
    case .writing, .low, .slow, .full: nil
    }
  }

  /// Nothing is recorded.
  package var isHolding: Bool {
    switch self {
    case .full, .failed: true
    case .writing, .low, .slow: false
    }
  }
}
