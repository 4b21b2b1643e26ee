import Glibc
import HoldfastMP4
package import HoldfastMediaModel
import HoldfastPlatform

/// Why a recording cannot be written.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let what: String
  package let hint: String
  /// The system error code; nil for any other error.
  let code: Int32?
  /// The file cannot be continued, even on a working disk.
  let isOfTheFile: Bool
  /// What the file got since the last sync may be lost.
  let isOfSync: Bool

  package init(path: String, _ error: any Error) {
    self.path = path
    what = "\(error)"
    code = (error as? SystemError)?.code
    isOfSync = (error as? SystemError)?.isOfSync ?? false
    isOfTheFile =
      error is MissingFile || error is ContinuationError
      || (error as? FragmentedFileError)?.isOfTheFile ?? false
    switch code {
    case ENOSPC, EDQUOT, EFBIG: hint = "free some space, or choose another folder"
    case EROFS, EIO: hint = Self.check(of: Mount(ofFolderOf: path), isReadOnly: code == EROFS)
    case .some: hint = "choose another folder"
    case nil: hint = "choose other codecs or another source"
    }
  }

  /// After a power cut a damaged FAT fails a write, and is read-only from then on.
  private static func check(of mount: Mount?, isReadOnly: Bool) -> String {
    let isFAT = mount?.type == "vfat"
    guard let mount, isFAT || isReadOnly, fileExists(mount.device) else {
      return isReadOnly
        ? "check its file system (fsck) and mount it again, or choose another folder"
        : "choose another folder"
    }
    let check = "run \(isFAT ? "fsck.fat -a" : "fsck") \(mount.device)"
    return "unmount \(mount.folder), \(check) and mount it again, or choose another folder"
  }

  /// The cause of what is lost because of it.
  package var gapCause: Gap.Cause { isOutOfSpace ? .disk : DiskState.failed(code: code ?? EIO).gapCause }

  var isOutOfSpace: Bool { code.map { SystemError(operation: "", code: $0).isOutOfSpace } ?? false }

  package var description: String { "\(path): \(what); \(hint)" }
}

struct MissingFile: Error, CustomStringConvertible {
  var description: String { "the file is gone" }
}

extension RecordingError {
  static func reserveReached(at path: String) -> RecordingError {
    RecordingError(path: path, SystemError(operation: "only the disk reserve is left", code: ENOSPC))
  }
}

extension SystemError {
  static func missing(_ path: String) -> SystemError { SystemError(operation: path, code: ENOENT) }
}

extension FragmentedFileError {
  /// The file is at fault, not its disk.
  fileprivate var isOfTheFile: Bool {
    switch self {
    case .damaged, .foreign, .tooLarge: true
    case .unreadable: false
    }
  }
}
