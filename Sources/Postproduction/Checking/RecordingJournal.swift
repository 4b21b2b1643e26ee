package import HoldfastMediaModel
package import HoldfastPlatform
import HoldfastRecording

/// The journal of a recording, which another process may still be writing.
package struct RecordingJournal: Hashable, Sendable {
  package let path: String
  let journal: Journal

  /// The part of the media timeline that a file contains.
  package struct Span: Hashable, Sendable {
    /// The media time that is 0 in the file, at its beginning and after each interruption that it keeps.
    fileprivate(set) var origins: [MediaTime]
    /// Nil for the last file.
    fileprivate(set) var end: MediaTime?
    /// The path of the next file.
    fileprivate var next: String?

    package var origin: MediaTime { origins.first ?? .zero }
    /// The lengths in the file of the interruptions that it keeps.
    var standstills: [MediaTime] { zip(origins, origins.dropFirst()).map { $0 - $1 } }

    fileprivate mutating func add(_ origin: MediaTime) {
      // An origin may have been announced before a crash, with nothing written after it.
      while let last = origins.last, last < origin, origins.count > 1 { origins.removeLast() }
      if let last = origins.last, origin < last { origins.append(origin) }
      (end, next) = (nil, nil)
    }

    fileprivate mutating func close(at origin: MediaTime, before path: String) {
      guard end == nil else { return }
      (end, next) = (origin, path)
    }

    /// The next file's path if it is missing, also beside the file in `folder`. Retention deletes the oldest
    /// files, never one after a file that is left.
    func missingNext(in folder: String) -> String? {
      next.flatMap { fileExists($0) || fileExists("\(folder)/\(fileName(of: $0))") ? nil : $0 }
    }
  }

  private static let sizeLimit = 64 << 20
  private static let fileEnd = ".jsonl"

  package init(path: String) throws(SystemError) {
    self.path = path
    let file = try FileDescriptor.openForReading(path)
    let bytes = try file.bytes(min(try file.size(), Self.sizeLimit + 1), at: 0)
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(path) }
    journal = Journal(bytes)
  }

  /// The journal at a path that the user has given.
  static func named(_ path: String) throws(RecordingFileError) -> RecordingJournal {
    let journal = try mapError(RecordingJournal(path: path)) { (error: SystemError) in
      RecordingFileError(reading: path, error)
    }
    guard journal.journal.beginning != nil else {
      throw RecordingFileError(
        .unusable, path, "it is not a journal", hint: "use a Holdfast journal, ID.jsonl")
    }
    return journal
  }

  /// The journal that names the recording, searched for in the state folder of its broadcaster and beside it.
  package static func find(for recording: String, environment: [String: String]) -> RecordingJournal? {
    guard let name = RecordingName(RecordingName.original(of: fileName(of: recording)))?.broadcaster else {
      return nil
    }
    let folders = [try? JournalPath.resolve(name: name, environment: environment), folder(of: recording)]
    // The latest first; a recording that was moved is still found by its name.
    let paths = folders.compactMap(\.self).flatMap { folder in
      fileNames(in: folder).reversed().filter { $0.hasSuffix(fileEnd) }.map { "\(folder)/\($0)" }
    }
    for isExact in [true, false] {
      for path in paths {
        guard let found = try? RecordingJournal(path: path) else { continue }
        if found.span(of: recording, isExact: isExact) != nil { return found }
      }
    }
    return nil
  }

  /// Whether the pictures were muted at some time, so that some of them are black.
  var hasMutedPictures: Bool {
    journal.records.contains { record in
      if case .muted(let tracks) = record.entry { tracks.contains(.video) } else { false }
    }
  }

  /// Nil if the journal does not name the file.
  package func span(of recording: String) -> Span? {
    span(of: recording, isExact: true) ?? span(of: recording, isExact: false)
  }

  private func span(of recording: String, isExact: Bool) -> Span? {
    let real = (try? realPath(recording)) ?? absolutePath(recording)
    func isMeant(_ path: String) -> Bool {
      if isExact { return path == real || path == absolutePath(recording) }
      return fileName(of: path) == RecordingName.original(of: fileName(of: recording))
    }
    var span: Span?
    for record in journal.records {
      switch record.entry {
      // A file is also named again after a next one that could not be opened.
      case .recording(let path, _, let origin) where isMeant(path):
        if span == nil { span = Span(origins: [origin]) } else { span?.add(origin) }
      case .recording(let path, _, let origin): span?.close(at: origin, before: path)
      case .began(let beginning) where beginning.recording.map(isMeant) ?? false:
        span = Span(origins: [.zero])
      case .began, .live, .outputAccepted, .interrupted, .resumed, .gap, .losing, .checkpoint, .session,
        .muted, .gate, .backgrounded, .ended, .reported:
        break
      }
    }
    return span
  }
}
