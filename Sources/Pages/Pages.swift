import HoldfastCPages

/// The web pages and the descriptions of the APIs, embedded in the program. They hold no secret and need no authentication.
package enum Pages {
  package struct File: Sendable {
    package let path: String
    package let contentType: String
    package let bytes: [UInt8]
  }

  /// Of a box.
  package static let box = page("Box", at: "/", below: "/")

  /// Of a session. The page itself has an empty path: its address ends with the session's name.
  package static let session = page("Session", at: "", below: "/page/")

  /// OpenAPI's description of a broadcast's API.
  package static let controlAPI = bytes(of: "Control/API/openapi.json")

  /// The same of a hub's.
  package static let hubAPI = bytes(of: "Hub/API/openapi.json")

  /// The HTML of a folder at `address`, its other files and those that both pages share below `prefix`.
  private static func page(_ folder: String, at address: String, below prefix: String) -> [File] {
    embedded.compactMap { path, bytes in
      let parts = path.split(separator: "/").map(String.init)
      guard parts[0] == "Pages", [folder, "Shared"].contains(parts[1]), let name = parts.last,
        let suffix = name.split(separator: ".").last, let type = contentTypes[String(suffix)]
      else { return nil }
      return File(path: suffix == "html" ? address : prefix + name, contentType: type, bytes: Array(bytes))
    }
  }

  private static let contentTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  private static func bytes(of path: String) -> [UInt8] {
    embedded.first { $0.path == path }.map { Array($0.bytes) } ?? []
  }

  /// All embedded files, by their paths below Sources.
  private static var embedded: [(path: String, bytes: UnsafeBufferPointer<UInt8>)] {
    UnsafeBufferPointer(start: cpages_table(), count: cpages_count).map {
      (String(cString: $0.path), UnsafeBufferPointer(start: $0.bytes, count: $0.count))
    }
  }
}
