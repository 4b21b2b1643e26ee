internal import MediaModel
internal import Platform

/// The journal of a recording, read while another process may be writing it.
struct RecordingJournal: Sendable {
  let path: String
  let journal: Journal

  private static let sizeLimit = 64 << 20

  init(path: String) throws(SystemError) {
    self.path = path
    journal = Journal(try FileDescriptor.contents(of: path, limit: Self.sizeLimit))
  }

  /// The one that names the recording at `recording`, in the folder of the broadcaster that its own name tells; nil where
  /// there is none.
  init?(of recording: String, environment: [String: String]) {
    guard let name = Self.broadcaster(of: recording),
      let folder = try? JournalPlace.path(name: name, environment: environment)
    else { return nil }
    for file in fileNames(in: folder).reversed() where file.hasSuffix(".jsonl") {
      guard let found = try? RecordingJournal(path: "\(folder)/\(file)") else { continue }
      if found.names(recording) {
        self = found
        return
      }
    }
    return nil
  }

  /// Where the beginning of the file `recording` lies on the media time line; nil where the journal doesn't name it.
  /// Its file name decides: files are moved, and the name has the time in it.
  func origin(of recording: String) -> MediaTime? {
    var origin: MediaTime?
    for record in journal.records {
      switch record.entry {
      case .recording(let path, _, let its) where Self.fileName(path) == Self.fileName(recording):
        origin = its
      case .began(let beginning) where beginning.recording.map(Self.fileName) == Self.fileName(recording):
        origin = .zero
      case .recording, .began, .live, .outputAccepted, .interrupted, .resumed, .gap, .checkpoint,
        .backgrounded, .ended:
        break
      }
    }
    return origin
  }

  private func names(_ recording: String) -> Bool { origin(of: recording) != nil }

  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// `NAME` of `NAME-20261121T042210Z.mp4` and `NAME-20261121T042210Z-2.mp4`.
  static func broadcaster(of recording: String) -> String? {
    var parts = fileName(recording).split(separator: ".", omittingEmptySubsequences: false).dropLast()
      .joined(separator: ".").split(separator: "-", omittingEmptySubsequences: false)[...]
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
