package import HoldfastMediaModel
package import HoldfastPlatform

/// The journal of a recording, read while another process may be writing it.
package struct RecordingJournal: Hashable, Sendable {
  package let path: String
  let journal: Journal

  /// What of the media time line lies in a file. The end of the last file is not known.
  package typealias Stretch = (origin: MediaTime, end: MediaTime?)

  private static let sizeLimit = 64 << 20
  private static let fileEnd = ".jsonl"

  package init(path: String) throws(SystemError) {
    self.path = path
    journal = Journal(try FileDescriptor.contents(of: path, limit: Self.sizeLimit))
  }

  /// The one that names the recording, in the state folder of the name that stands in its file name.
  package static func find(for recording: String, environment: [String: String]) -> RecordingJournal? {
    guard let name = RecordingName(RecordingName.original(of: fileName(of: recording)))?.broadcaster,
      let folder = try? JournalPlace.path(name: name, environment: environment)
    else { return nil }
    // The latest are the most likely ones, and a recording that has moved is known by its name.
    let names = fileNames(in: folder).reversed().filter { $0.hasSuffix(fileEnd) }
    for isExact in [true, false] {
      for name in names {
        guard let found = try? RecordingJournal(path: "\(folder)/\(name)") else { continue }
        if found.stretch(of: recording, isExact: isExact) != nil { return found }
      }
    }
    return nil
  }

  /// Nil where the journal doesn't name the file.
  package func stretch(of recording: String) -> Stretch? {
    stretch(of: recording, isExact: true) ?? stretch(of: recording, isExact: false)
  }

  private func stretch(of recording: String, isExact: Bool) -> Stretch? {
    let real = (try? realPath(recording)) ?? absolutePath(recording)
    func isMeant(_ path: String) -> Bool {
      if isExact { return path == real || path == absolutePath(recording) }
      return fileName(of: path) == RecordingName.original(of: fileName(of: recording))
    }
    var origin: MediaTime?
    for record in journal.records {
      switch record.entry {
      // One that keeps its gaps is named again behind each: where it begins is said first.
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
