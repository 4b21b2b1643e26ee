import HoldfastMediaModel
import HoldfastPlatform

/// The files in which broadcasts of a name are recorded.
struct RecordingPaths: Sendable {
  let directory: String
  let name: String

  static func stem(name: String, at instant: WallTime) -> String {
    "\(name)-\(instant.compact)"
  }

  /// An unused path named after the current time.
  func next() -> String {
    let stem = Self.stem(name: name, at: WallTime.now)
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }
    return names.map { "\(directory)/\($0).mp4" }.first { !isTaken($0) } ?? "\(directory)/\(stem).mp4"
  }
}
