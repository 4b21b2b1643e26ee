package import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform

/// Makes a damaged recording playable, with all of its samples that are intact.
package struct RecordingRepair: Sendable {
  package enum Target: Hashable, Sendable {
    case beside
    case file(String)
    case inPlace
  }

  package enum Outcome: Hashable, Sendable {
    case notNeeded(RecordingInspection)
    case repaired(path: String, bytes: Int, RecordingInspection)
  }

  let path: String
  let target: Target
  /// A recording with the same settings, whose head replaces a damaged one.
  let like: String?

  package init(path: String, target: Target, like: String? = nil) {
    self.path = path
    self.target = target
    self.like = like
  }

  package func run() throws -> Outcome {
    let place = try FilePlace(path, followsLink: true)
    let recording = try OpenRecording(at: place)
    guard !recording.isBeingWritten else { throw Self.beingWritten(path) }
    let head = try self.head(of: recording)
    let found = RecordingInspection(recording.bytes, head: head) { (_) throws(Never) in }
    guard found.keptSamples > 0 else {
      throw RecordingFileError(
        .unusable, path, "none of its samples are readable",
        hint: "if its head is damaged, add --like OTHER.mp4, a recording with the same settings")
    }
    let isHeadReplaced = (try? RecordingHead(recording.bytes)) != head
    if found.needsNoRepair, !isHeadReplaced { return .notNeeded(found) }
    let target: String
    switch self.target {
    case .inPlace:
      let bytes =
        try found.isWholeUntilItsEnd && !isHeadReplaced
        ? finish(recording, at: place, found) : write(recording, head, found, to: place, replaces: true)
      return .repaired(path: path, bytes: bytes, found)
    case .beside: target = RecordingName.repaired(path)
    case .file(let path): target = path
    }
    guard !isTaken(target) else { throw Self.exists(target) }
    let bytes = try write(recording, head, found, to: try FilePlace(target))
    return .repaired(path: target, bytes: bytes, found)
  }

  private func head(of recording: OpenRecording) throws -> RecordingHead {
    let other = try like.map { path in
      try Self.head(
        of: try OpenRecording(path: path), at: path,
        hint: "use an undamaged recording with the same settings for --like")
    }
    return try Self.head(
      of: recording, like: other, at: path,
      hint:
        "it can't be decoded without its head; add --like OTHER.mp4, a recording with the same settings"
    )
  }

  private static func head(
    of recording: OpenRecording, like other: RecordingHead? = nil, at path: String, hint: String
  ) throws(RecordingFileError) -> RecordingHead {
    try mapError(RecordingHead(recording.bytes, like: other)) { (error: FragmentedFileError) in
      RecordingFileError(.unusable, path, "\(error)", hint: hint)
    }
  }

  private static func exists(_ path: String) -> RecordingFileError {
    RecordingFileError(
      .misuse, path, "it already exists", hint: "remove it, or choose another name with --output")
  }

  private static func beingWritten(_ path: String) -> RecordingFileError {
    RecordingFileError(.misuse, path, "it is being written", hint: "wait until the broadcast has ended")
  }

  // MARK: - Writing

  /// Throws if a broadcast has resumed the recording while it was read, or another file is in its place.
  private func checkIsUnchanged(_ recording: OpenRecording, at place: borrowing FilePlace) throws {
    let now = try FileDescriptor.openForReading(place)
    guard !now.hasWriter, try FileStamp(of: now) == recording.stamp else { throw Self.beingWritten(path) }
  }

  /// Truncates the torn end and adds the index. A crash on the way costs no complete fragment.
  private func finish(
    _ recording: OpenRecording, at place: borrowing FilePlace, _ found: RecordingInspection
  ) throws -> Int {
    try checkIsUnchanged(recording, at: place)
    let file = try FileDescriptor.openForUpdating(place, mustExist: true)
    guard try FileStamp(of: file) == recording.stamp else { throw Self.beingWritten(path) }
    try file.truncate(to: found.wholeLength)
    let length = try FragmentedFile.finish(file)
    if let note = RepairedRecording.note(in: recording.bytes, from: found.headLength) {
      try file.write([note])
    }
    return length
  }

  /// Writes the repaired recording beside `target`, then moves it there; returns its size.
  private func write(
    _ recording: OpenRecording, _ head: RecordingHead, _ found: RecordingInspection,
    to target: borrowing FilePlace, replaces: Bool = false
  ) throws -> Int {
    var unfinished = try mapError(UnfinishedFile(for: target)) { (error: SystemError) in
      RecordingFileError(writing: target.path, error)
    }
    unfinished.file.takeRights(of: recording.file)
    let index = RecordingIndex(
      at: head.bytes.count, tracks: head.tracks, expected: found.tracks.compactMap(\.end).max())
    var copy = RecordingCopy(source: recording.bytes)
    _ = try RepairedRecording.make(of: recording.bytes, head: head, space: index.emptyBoxes) { piece in
      try copy.add(piece, to: unfinished.file)
    }
    try copy.writeRest(to: unfinished.file)
    let bytes = try FragmentedFile.finish(unfinished.file)
    if replaces { try checkIsUnchanged(recording, at: target) }
    try unfinished.finish(replaces: replaces)
    return bytes
  }
}

/// Collects pieces into larger writes.
private struct RecordingCopy {
  let source: RecordingBytes
  var waiting: [UInt8] = []
  var written = 0

  private static let pieceLength = 1 << 20

  mutating func add(_ piece: RepairedRecording.Piece, to file: borrowing FileDescriptor) throws {
    switch piece {
    case .new(let bytes): try append(bytes, to: file)
    case .copy(let range):
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceLength) {
        try append(try source.all(start..<min(range.upperBound, start + Self.pieceLength)), to: file)
      }
    }
  }

  private mutating func append(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws {
    waiting += bytes
    if waiting.count >= Self.pieceLength { try writeRest(to: file) }
  }

  mutating func writeRest(to file: borrowing FileDescriptor) throws {
    try file.write(waiting, at: written)
    written += waiting.count
    waiting = []
  }
}
