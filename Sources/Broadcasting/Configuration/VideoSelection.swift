/// Where the picture comes from.
package enum VideoSelection: Hashable, Sendable {
  /// The camera if there is one, else the test picture.
  case automatic
  case off
  /// By device file or by identity; nil for the first one.
  case camera(String?)
  case test
  case file(String)

  /// Reads `auto`, `off`, `camera`, `camera:DEVICE`, `test` or `file:PATH`.
  package init?(_ text: String) {
    guard let source = WrittenSource(text) else { return nil }
    switch (source.kind, source.place) {
    case ("auto", nil): self = .automatic
    case ("off", nil): self = .off
    case ("camera", let device): self = .camera(device)
    case ("test", nil): self = .test
    case ("file", .some(let path)): self = .file(path)
    case (_, _): return nil
    }
  }

  package var isFile: Bool {
    switch self {
    case .file: true
    case .automatic, .off, .camera, .test: false
    }
  }
}

extension VideoSelection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .automatic: "auto"
    case .off: "off"
    case .camera(nil): "camera"
    case .camera(.some(let device)): "camera:\(device)"
    case .test: "test"
    case .file(let path): "file:\(path)"
    }
  }
}
