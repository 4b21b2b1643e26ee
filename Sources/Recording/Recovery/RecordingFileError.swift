import Glibc
import HoldfastFFmpeg
package import HoldfastPlatform

/// Why a recording cannot be verified, repaired or exported.
package struct RecordingFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable, CaseIterable {
    case notFound
    /// Nothing in the file can be used, or it does not match the other parts.
    case unusable
    /// The target exists, the recording is being written, or the journal does not name it.
    case misuse
    case disk
    case cancelled
    /// Any other failure.
    case system
  }

  package let kind: Kind
  /// The file or option concerned.
  package let what: String
  package let reason: String
  package let hint: String

  package init(_ kind: Kind, _ what: String, _ reason: String, hint: String) {
    self.kind = kind
    self.what = what
    self.reason = reason
    self.hint = hint
  }

  package init(reading path: String, _ error: SystemError) {
    if error.isLink {
      self.init(link: path)
      return
    }
    self.init(
      error.isNotFound ? .notFound : .unusable, path, error.reason,
      hint: error.isNotFound ? "check the file name" : "check its permissions")
  }

  /// For root, see `FolderWalk`.
  private init(link path: String) {
    self.init(
      .unusable, path, "a symbolic link on the way to it is not followed, as another user may have placed it",
      hint: "name the file by a path without that link")
  }

  package static func taken(_ path: String) -> RecordingFileError {
    RecordingFileError(.misuse, path, "the file already exists", hint: "choose another name, or remove it")
  }

  package static func stopped(_ path: String) -> RecordingFileError {
    RecordingFileError(.cancelled, path, "stopped", hint: "no file was written")
  }

  package init(unusable path: String, _ reason: String) {
    self.init(.unusable, path, reason, hint: "use a recording made by Holdfast")
  }

  package init(writing path: String, _ error: any Error) {
    let code = (error as? SystemError)?.code ?? (error as? FFmpegError)?.systemCode
    let reason = (error as? SystemError)?.reason ?? (error as? FFmpegError)?.reason ?? "\(error)"
    if (error as? SystemError)?.isLink == true {
      self.init(link: path)
    } else if (error as? FFmpegError)?.isCancelled == true {
      self.init(.cancelled, path, "stopped", hint: "no file was written")
    } else if code == EEXIST {
      self.init(.misuse, path, "it already exists", hint: "choose another name, or remove it")
    } else if code == EWOULDBLOCK {
      self.init(
        .misuse, path, "another process is writing it", hint: "wait until that ends, or choose another name")
    } else if let code {
      let isFull = [ENOSPC, EDQUOT, EFBIG].contains(code)
      self.init(.disk, path, reason, hint: isFull ? "free some space" : "choose another folder")
    } else {
      self.init(.system, path, "\(error)", hint: "choose the other container, .mkv or .mp4")
    }
  }

  package var description: String { "\(what): \(reason); \(hint)" }
}
