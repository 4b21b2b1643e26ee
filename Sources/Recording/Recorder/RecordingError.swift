internal import Glibc
internal import Platform

/// Why a recording can't be written.
public struct RecordingError: Error, Hashable, Sendable {
  public let path: String
  public let what: String
  /// What to do about it.
  public let hint: String

  public init(path: String, _ error: any Error) {
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
  public var description: String { "\(path): \(what); \(hint)" }
}
