package import HoldfastMP4
package import HoldfastMediaModel
internal import HoldfastPlatform

extension Recorder {
  /// Where a recording is written.
  package enum Place: Hashable, Sendable {
    /// To a file that is not there yet, in which `origin` is 0.
    case new(String, origin: MediaTime = .zero)
    /// Behind what another process has left of it. Where the tracks are other ones now, or the file has gone, the
    /// recording goes on in a file beside it, in which `origin` is 0. In the file itself `fileOrigin` is. What is not known
    /// of it yet is read when it is opened.
    case continuing(String, FragmentedFile?, fileOrigin: MediaTime = .zero, origin: MediaTime)

    package var path: String {
      switch self {
      case .new(let path, _), .continuing(let path, _, _, _): path
      }
    }

    /// What lies here on the media time line is at 0 in the file.
    var fileOrigin: MediaTime {
      switch self {
      case .new(_, let origin): origin
      case .continuing(_, _, let fileOrigin, _): fileOrigin
      }
    }

    /// Where the next part of the recording goes: `NAME-2.mp4` beside `NAME.mp4`.
    package var nextPart: String {
      let end = ".mp4"
      let stem = path.hasSuffix(end) ? String(path.dropLast(end.count)) : path
      let numbers = sequence(first: 2) { $0 + 1 }.lazy
      let paths = numbers.map { "\(Self.withoutNumber(stem))-\($0)\(end)" }
      return paths.first { !fileExists($0) } ?? path
    }

    /// `NAME-20261121T042210Z-2` is part 2 of what is without its number.
    private static func withoutNumber(_ stem: String) -> String {
      guard let dash = stem.lastIndex(of: "-"), stem[..<dash].hasSuffix("Z"),
        Int(stem[stem.index(after: dash)...]) != nil
      else { return stem }
      return String(stem[..<dash])
    }
  }
}
