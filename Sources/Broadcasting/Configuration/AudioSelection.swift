/// Where the sound comes from.
package enum AudioSelection: Hashable, Sendable {
  /// The microphone if there is one, else the test tone.
  case automatic
  case off
  /// By ALSA's name or by identity; nil for the first one.
  case microphone(String?)
  case tone
  case file(String)

  /// Reads `auto`, `off`, `mic`, `mic:DEVICE`, `tone` or `file:PATH`.
  package init?(_ text: String) {
    guard let source = WrittenSource(text) else { return nil }
    switch (source.kind, source.place) {
    case ("auto", nil): self = .automatic
    case ("off", nil): self = .off
    case ("mic", let device): self = .microphone(device)
    case ("tone", nil): self = .tone
    case ("file", .some(let path)): self = .file(path)
    case (_, _): return nil
    }
  }

  package var isFile: Bool {
    switch self {
    case .file: true
    case .automatic, .off, .microphone, .tone: false
    }
  }
}

extension AudioSelection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .automatic: "auto"
    case .off: "off"
    case .microphone(nil): "mic"
    case .microphone(.some(let device)): "mic:\(device)"
    case .tone: "tone"
    case .file(let path): "file:\(path)"
    }
  }
}
