/// The media of a session description (RFC 4566).
enum SessionDescription {
  /// The control of each medium, in order: `streamid=0`, or a complete URL.
  static func controls(in text: String) -> [String] {
    var controls: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("m=") {
        controls.append("streamid=\(controls.count)")
      } else if line.hasPrefix("a=control:"), !controls.isEmpty {
        controls[controls.count - 1] = line.dropFirst("a=control:".count).trimmed
      }
    }
    return controls
  }

  /// The URL of a medium. Appended after the base's query, because servers cut it off there.
  static func resolve(_ control: String, base: String) -> String {
    if control.isEmpty || control == "*" { return base }
    if control.contains("://") { return control }
    return base.hasSuffix("/") || control.hasPrefix("/") ? base + control : "\(base)/\(control)"
  }
}
