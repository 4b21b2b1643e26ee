package import HoldfastMP4

/// Why a recording can't be repaired.
package enum RepairError: Error, Hashable, Sendable {
  case beingWritten(String)
  /// Its head can't be read, and there is none to take for it.
  case head(String, FragmentedFileError)
  case otherHead(String, FragmentedFileError)
  /// Not a single sample could be read.
  case nothingLeft(String)
  case exists(String)

  package var path: String {
    switch self {
    case .beingWritten(let path), .head(let path, _), .otherHead(let path, _), .nothingLeft(let path),
      .exists(let path):
      path
    }
  }

  package var why: String {
    switch self {
    case .beingWritten: "it is being written"
    case .head(_, let error), .otherHead(_, let error): "\(error)"
    case .nothingLeft: "no sample of it can be read"
    case .exists: "it is there already"
    }
  }

  /// What to do about it.
  package var remedy: String {
    switch self {
    case .beingWritten: "wait until the broadcast has ended"
    case .head:
      "without its head nobody knows how to decode it; add --like OTHER.mp4, a recording of the same settings"
    case .otherHead: "name a whole recording of the same settings with --like"
    case .nothingLeft: "if its head is damaged, add --like OTHER.mp4, a recording of the same settings"
    case .exists: "remove it, or choose another name with --output"
    }
  }
}
