internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Where the files of a recording go.
struct RecordingFiles: Sendable {
  let directory: String
  let name: String

  /// `NAME-20261121T042210Z`, what the file of a broadcast that goes live at `instant` is called.
  static func stem(name: String, at instant: WallTime) -> String {
    "\(name)-\(instant.compact)"
  }

  /// A path that begins now, and that nothing stands at.
  func next() -> String {
    let stem = Self.stem(name: name, at: WallTime.now)
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }
    return names.map { "\(directory)/\($0).mp4" }.first { !fileExists($0) } ?? "\(directory)/\(stem).mp4"
  }
}
