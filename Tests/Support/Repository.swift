import Foundation

package enum Repository {
  private static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  package static func path(_ name: String) -> String { root.appendingPathComponent(name).path }
}
