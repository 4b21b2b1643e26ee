package import HoldfastMediaModel
package import HoldfastPlatform

/// The journal of a recording, which another process may still be writing.
package struct RecordingJournal: Hashable, Sendable {
  package let path: String
  let journal: Journal

  /// The part of the media timeline that a file contains; `end` is nil for the last file.
  package typealias Span = (origin: MediaTime, end: MediaTime?)

  private static let sizeLimit = 64 << 20
  private static let fileEnd = ".jsonl"

  package init(path: String) throws(SystemError) {
    self.path = path
    journal = Journal(try FileDescriptor.contents(of: path, limit: Self.sizeLimit))
  }

  /// The journal that names the recording, searched for in the state folder of its broadcaster.
  package static func find(for recording: String, environment: [String: String]) -> RecordingJournal? {
    guard let name = RecordingName(RecordingName.original(of: fileName(of: recording)))?.broadcaster,
      let folder = try? JournalPath.resolve(name: name, environment: environment)
    else { return nil }
    // The latest first; a recording that was moved is still found by its name.
    let names = fileNames(in: folder).reversed().filter { $0.hasSuffix(fileEnd) }
    for isExact in [true, false] {
      for name in names {
        guard let found = try? RecordingJournal(path: "\(folder)/\(name)") else { continue }
        if found.span(of: recording, isExact: isExact) != nil { return found }
      }
    }
    return nil
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
    var origin: MediaTime?
    for record in journal.records {
      switch record.entry {
      // A file that keeps its gaps is named again after each; the first entry has its origin.
      case .recording(let path, _, let begins) where isMeant(path): origin = origin ?? begins
      case .recording(_, _, let begins):
        if let origin { return (origin, begins) }
      case .began(let beginning) where beginning.recording.map(isMeant) ?? false: origin = .zero
      case .began, .live, .outputAccepted, .interrupted, .resumed, .gap, .checkpoint, .session,
        .muted, .gate, .backgrounded, .ended:
        break
      }
    }
    return origin.map { ($0, nil) }
  }
}
