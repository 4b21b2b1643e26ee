internal import Glibc
internal import HoldfastPlatform

/// Why a recording can't be written.
package struct RecordingError: Error, Hashable, Sendable {
  package let path: String
  package let what: String
  /// What to do about it.
  package let hint: String

  package init(path: String, _ error: any Error) {
    self.path = path
    what = "\(error)"
    switch (error as? SystemError)?.code {
    case ENOSPC, EDQUOT, EFBIG: hint = "make room, or choose another folder with --record"
    case .some: hint = "choose another folder with --record"
    case nil: hint = "try other codecs or another source"
    }
  }
}

extension RecordingError: CustomStringConvertible {
  package var description: String { "\(path): \(what); \(hint)" }
}
