import Foundation

/// The complete lines of a growing file, each read once.
struct GrowingLines: Sendable {
  private let path: String
  private var file: FileHandle?
  private var unfinished = Data()

  init(path: String) { self.path = path }

  /// The lines added since the last call.
  mutating func next() -> [String] {
    if file == nil { file = FileHandle(forReadingAtPath: path) }
    if let more = try? file?.readToEnd() { unfinished += more }
    guard let end = unfinished.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    defer { unfinished = Data(unfinished[(end + 1)...]) }
    return String(decoding: unfinished[...end], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
