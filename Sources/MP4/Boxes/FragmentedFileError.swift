/// Why a file is not one that can be continued, or that anything can be said of.
package enum FragmentedFileError: Error, Hashable, Sendable {
  case damaged(String)
  /// Not fragmented MP4, or its head is not whole.
  case foreign(String)
  /// It claims more than any recording of ours has.
  case tooLarge(String)
  /// It could not be read.
  case unreadable(String)
}

extension FragmentedFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged(let what): "damaged: \(what)"
    case .foreign(let what): "not fragmented MP4: \(what)"
    case .tooLarge(let what): "too large: \(what)"
    case .unreadable(let what): what
    }
  }
}
