public import Foundation

/// A folder of a test's own, gone when the test is.
public final class ScratchFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  public var path: String { url.path }

  public func file(_ name: String) -> String { url.appendingPathComponent(name).path }

  public func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    return file(name)
  }

  /// The recordings in it, the oldest first.
  public var recordings: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".mp4") }.sorted().map(file)
  }
}
