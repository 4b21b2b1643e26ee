import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// The reported condition of a recording's disk.
package enum DiskState: Hashable, Sendable {
  case writing
  case low
  /// The disk is slower than the media.
  case slow
  /// Recording continues when `required` bytes are free; `free` is nil where a write has failed instead.
  case full(free: Int?, required: Int)
  /// Writes fail with this error code; the recording waits until they succeed.
  case failed(code: Int32)

  /// The name in event lines, a stable interface.
  package var name: String {
    switch self {
    case .writing: "writing"
    case .low: "low"
    case .slow: "slow"
    case .full: "full"
    case .failed: "failed"
    }
  }

  package var cause: String? {
    switch self {
    case .failed(let code): SystemError(operation: "", code: code).reason
    case .writing, .low, .slow, .full: nil
    }
  }

  /// The cause of a loss while the disk is in this state.
  var gapCause: Gap.Cause {
    switch self {
    case .failed(code: ENOENT): .fileGone
    case .failed: .diskFailed
    case .full: .disk
    case .writing, .low, .slow: .diskTooSlow
    }
  }

  package var isSuspended: Bool {
    switch self {
    case .full, .failed: true
    case .writing, .low, .slow: false
    }
  }
}
