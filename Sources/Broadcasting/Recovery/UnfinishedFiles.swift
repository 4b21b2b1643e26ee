import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// The newest files of an unfinished broadcast, as a crash or a power cut has left them.
struct UnfinishedFiles {
  /// In the order in which they were begun, each once.
  private let files: [UnfinishedBroadcast.Recording]
  private let broadcast: UnfinishedBroadcast

  /// Files at the end of the journal that are looked at.
  private static let maxFiles = 4
  /// A larger file is never taken for an empty one.
  private static let maxEmptySize = 32 << 20

  init(of broadcast: UnfinishedBroadcast) {
    self.broadcast = broadcast
    var files: [UnfinishedBroadcast.Recording] = []
    for file in broadcast.recordings where !files.contains(where: { $0.path == file.path }) {
      files.append(file)
    }
    self.files = files.suffix(Self.maxFiles)
  }

  /// All but `current` that exist and lack their end.
  func torn(but current: String?) -> [String] {
    files.map(\.path).filter { path in
      guard current.map(absolutePath) != path, fileExists(path), let known = try? FragmentedFile(endOf: path)
      else {
        return false
      }
      return !known.isFinished && known.fragments > 0
    }
  }

  enum Outcome: Hashable {
    case repaired(String)
    case removed(String)
    case renamed(String, to: String)
  }

  /// Gives a file its head that a power cut took, if another one of the broadcast has the same, and removes a file
  /// without any sample. One that only lacks samples stays if `keepsHeads`: it may be continued.
  func cleanUp(keepsHeads: Bool) -> [Outcome] {
    files.map(\.path).filter(fileExists).compactMap { path in
      if let known = try? FragmentedFile(endOf: path) {
        guard known.fragments == 0, !keepsHeads else { return nil }
      } else if let other = files.map(\.path).first(where: { $0 != path && Self.isReadable($0) }),
        (try? RecordingRepair(path: path, target: .inPlace, like: other).run()) != nil
      {
        return .repaired(path)
      }
      guard Self.isEmpty(path) else { return nil }
      return Self.remove(path)
    }
  }

  private static func isReadable(_ path: String) -> Bool { (try? FragmentedFile(endOf: path)) != nil }

  private static func remove(_ path: String) -> Outcome {
    if let file = try? FileDescriptor.openForReading(path), file.isOnFAT, (try? file.size()) == 0 {
      // FAT fails to free clusters that it does not know yet.
      let name = path + ".empty"
      try? FilePlace(path).move(to: FilePlace(name), replaces: true)
      return .renamed(path, to: name)
    }
    removeFile(path)
    try? synchronizeDirectory(of: path)
    return .removed(path)
  }

  /// Whether nothing in the file can be part of a fragment.
  private static func isEmpty(_ path: String) -> Bool {
    guard let bytes = try? FileDescriptor.contents(of: path, limit: maxEmptySize) else { return false }
    return !bytes.contains(Array("moof".utf8))
  }

  /// What is missing between the end of a file and the beginning of the next one, and in no gap of the journal.
  func seamLosses() -> [Gap] {
    let known = broadcast.gapMap.gaps + broadcast.gapMap.openLosses.map(\.gap)
    return zip(files, files.dropFirst()).compactMap { file, next in
      guard fileExists(next.path), let end = try? FragmentedFile(endOf: file.path) else { return nil }
      let origin = broadcast.origin(of: end, announcedAs: file.path)
      func lost(_ kind: TrackKind) -> MediaTime {
        guard let time = end.end(of: kind), next.origin > origin + time + Self.seamSlack else { return .zero }
        return next.origin - origin - time
      }
      let (video, audio) = (lost(.video), lost(.audio))
      let length = max(video, audio)
      let start = next.origin - length
      guard length > .zero,
        !known.contains(where: {
          $0.isOfRecording && $0.mediaAt < next.origin && $0.mediaAt + $0.extent > start
        })
      else { return nil }
      return Gap(
        .crash, id: 0, output: Gap.recording, wallFrom: broadcast.instant(of: start).wall,
        wallTo: broadcast.instant(of: next.origin).wall, mediaAt: start, lostVideo: video, lostAudio: audio)
    }
  }

  /// Sound may end a packet early, and a picture last a little longer.
  private static let seamSlack = MediaTime.milliseconds(45)
}
