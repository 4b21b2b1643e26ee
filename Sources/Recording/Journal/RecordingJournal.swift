package import HoldfastMediaModel
package import HoldfastPlatform

/// The journal of a recording, read while another process may be writing it.
package struct RecordingJournal: Hashable, Sendable {
  package let path: String
  let journal: Journal

  private static let sizeLimit = 64 << 20
  private static let fileEnd = ".jsonl"

  package init(path: String) throws(SystemError) {
    self.path = path
    journal = Journal(try FileDescriptor.contents(of: path, limit: Self.sizeLimit))
  }

  /// The one that names the recording, in the state folder of the name that stands in its file name.
  package static func find(for recording: String, environment: [String: String]) -> RecordingJournal? {
    guard let name = broadcaster(of: recording),
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

  /// The stretch of the media time line that lies in the file; nil where the journal doesn't name it. The end of the last
  /// file is not told.
  package func stretch(of recording: String) -> (origin: MediaTime, end: MediaTime?)? {
    stretch(of: recording, isExact: true) ?? stretch(of: recording, isExact: false)
  }

  private func stretch(of recording: String, isExact: Bool) -> (origin: MediaTime, end: MediaTime?)? {
    let real = (try? realPath(recording)) ?? absolutePath(recording)
    func isMeant(_ path: String) -> Bool {
      if isExact { return path == real || path == absolutePath(recording) }
      return Self.fileName(path) == Self.original(Self.fileName(recording))
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

// MARK: - Names

extension RecordingJournal {
  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// What a repaired recording was called before.
  private static func original(_ file: String) -> String {
    let end = "-repaired.mp4"
    return file.hasSuffix(end) ? file.dropLast(end.count) + ".mp4" : file
  }

  /// `NAME` of `NAME-20261121T042210Z.mp4` or of a further part of it.
  static func broadcaster(of recording: String) -> String? {
    let file = original(fileName(recording))
    guard let dot = file.lastIndex(of: ".") else { return nil }
    var parts = file[..<dot].split(separator: "-", omittingEmptySubsequences: false)
    if let last = parts.last, !last.isEmpty, last.allSatisfy(\.isNumber) { parts.removeLast() }
    guard let time = parts.popLast(), time.count == 16, time.last == "Z", !parts.isEmpty else { return nil }
    let name = parts.joined(separator: "-")
    return name.isEmpty ? nil : name
  }

  /// `NAME-…Z-2.mp4` behind `NAME-…Z.mp4`; nil where the name is not a recording's.
  static func nextPart(of recording: String) -> String? {
    guard broadcaster(of: recording) != nil, let dot = recording.lastIndex(of: ".") else { return nil }
    let (stem, end) = (recording[..<dot], recording[dot...])
    guard !stem.hasSuffix("Z"), let dash = stem.lastIndex(of: "-"),
      let number = Int(stem[stem.index(after: dash)...])
    else { return stem + "-2" + end }
    return "\(stem[..<dash])-\(number &+ 1)\(end)"
  }
}
