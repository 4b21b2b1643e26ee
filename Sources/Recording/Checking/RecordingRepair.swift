package import HoldfastMP4
internal import HoldfastPlatform

/// Makes a recording whole again, as far as it is there.
package struct RecordingRepair: Sendable {
  package enum Target: Hashable, Sendable {
    /// `NAME-repaired.mp4`.
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
  /// Another recording, whose head is taken.
  let like: String?

  package init(path: String, target: Target, like: String? = nil) {
    self.path = path
    self.target = target
    self.like = like
  }

  package func run() throws -> Outcome {
    let recording = try OpenRecording(path: path)
    guard !recording.isBeingWritten else { throw RepairError.beingWritten(path) }
    let head = try self.head(of: recording)
    let found = RecordingInspection(recording.bytes, head: head) { (_) throws(Never) in }
    guard found.keptSamples > 0 else { throw RepairError.nothingLeft(path) }
    let isHeadReplaced = (try? RecordingHead(recording.bytes)) != head.0
    if found.needsNoRepair, !isHeadReplaced { return .notNeeded(found) }
    switch target {
    case .beside: return try write(recording, head, found, to: Self.pathBeside(path))
    case .file(let path): return try write(recording, head, found, to: path)
    case .inPlace:
      if found.isWholeUntilItsEnd, !isHeadReplaced { return try finish(found) }
      return try replace(recording, head, found)
    }
  }

  private func head(of recording: OpenRecording) throws -> (RecordingHead, start: Int?) {
    let other = try like.map { try Self.otherHead($0) }
    do throws(FragmentedFileError) {
      return try RecordingHead.of(recording.bytes, like: other)
    } catch {
      throw RepairError.head(path, error)
    }
  }

  private static func otherHead(_ path: String) throws -> RecordingHead {
    let other = try OpenRecording(path: path)
    do throws(FragmentedFileError) {
      return try RecordingHead(other.bytes)
    } catch {
      throw RepairError.otherHead(path, error)
    }
  }

  static func pathBeside(_ path: String) -> String {
    let end = ".mp4"
    let stem = path.hasSuffix(end) ? String(path.dropLast(end.count)) : path
    return "\(stem)-repaired\(end)"
  }

  // MARK: - Writing

  private func write(
    _ recording: OpenRecording, _ head: (RecordingHead, start: Int?), _ found: RecordingInspection,
    to path: String
  ) throws -> Outcome {
    guard !fileExists(path) else { throw RepairError.exists(path) }
    let unfinished = path + ".part"
    let bytes = try make(unfinished, recording, head, found)
    do {
      try moveFile(unfinished, toNew: path)
    } catch {
      removeFile(unfinished)
      throw error
    }
    return .repaired(path: path, bytes: bytes, found)
  }

  private func replace(
    _ recording: OpenRecording, _ head: (RecordingHead, start: Int?), _ found: RecordingInspection
  ) throws -> Outcome {
    let real = try realPath(path)
    let unfinished = real + ".part"
    let bytes = try make(unfinished, recording, head, found)
    do {
      try checkIsUnchanged(found)
      try moveFile(unfinished, over: real)
    } catch {
      removeFile(unfinished)
      throw error
    }
    return .repaired(path: path, bytes: bytes, found)
  }

  /// To look at a long recording takes a while, in which a broadcast may have gone on with it.
  private func checkIsUnchanged(_ found: RecordingInspection) throws {
    let now = try OpenRecording(path: path)
    guard !now.isBeingWritten, now.size == found.size else { throw RepairError.beingWritten(path) }
  }

  /// What is torn is cut off and the index added: whatever happens meanwhile, all whole fragments stay.
  private func finish(_ found: RecordingInspection) throws -> Outcome {
    let real = try realPath(path)
    try checkIsUnchanged(found)
    let file = try FileDescriptor.openForUpdating(real, isThere: true)
    try file.truncate(to: found.wholeLength)
    return .repaired(path: path, bytes: try FragmentedFile.finish(real), found)
  }

  /// Writes the whole repaired recording; how long it is. A failure leaves nothing.
  private func make(
    _ path: String, _ recording: OpenRecording, _ head: (RecordingHead, start: Int?),
    _ found: RecordingInspection
  ) throws -> Int {
    guard !fileExists(path) else { throw RepairError.exists(path) }
    let file = try FileDescriptor.create(path, .new)
    do {
      file.takeRights(of: recording.file)
      var copy = RecordingCopy(of: recording.bytes)
      let index = RecordingIndex(
        at: head.0.bytes.count, tracks: head.0.tracks, expected: found.tracks.compactMap(\.end).max())
      _ = try RepairedRecording.make(of: recording.bytes, head: head, room: index.emptyBoxes) { piece in
        try copy.add(piece) { bytes, offset in try file.write(bytes, at: offset) }
      }
      try copy.writeRest { bytes, offset in try file.write(bytes, at: offset) }
      return try FragmentedFile.finish(path)
    } catch {
      removeFile(path)
      throw error
    }
  }
}

/// Puts pieces one behind another, and gives them on in larger ones.
private struct RecordingCopy {
  private let source: RecordingBytes
  private var waiting: [UInt8] = []
  private var written = 0

  private static let pieceLength = 1 << 20

  init(of source: RecordingBytes) {
    self.source = source
  }

  mutating func add(
    _ piece: RepairedRecording.Piece, write: (_ bytes: [UInt8], _ offset: Int) throws -> Void
  ) throws {
    switch piece {
    case .new(let bytes): try append(bytes, write)
    case .copy(let range):
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceLength) {
        try append(try source.all(start..<min(range.upperBound, start + Self.pieceLength)), write)
      }
    }
  }

  mutating func writeRest(_ write: (_ bytes: [UInt8], _ offset: Int) throws -> Void) throws {
    try write(waiting, written)
    written += waiting.count
    waiting = []
  }

  private mutating func append(_ bytes: [UInt8], _ write: ([UInt8], Int) throws -> Void) throws {
    waiting += bytes
    if waiting.count >= Self.pieceLength { try writeRest(write) }
  }
}
