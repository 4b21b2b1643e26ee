/// The names of the media in a session description (RFC 4566).
enum SessionDescription {
  /// One for each medium, in their order: `streamid=0`, or a whole URL.
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

  /// The URL of a medium. It goes behind all of the base, also behind a query: that is what servers cut off again.
  static func resolve(_ control: String, base: String) -> String {
    if control.isEmpty || control == "*" { return base }
    if control.contains("://") { return control }
    return base.hasSuffix("/") || control.hasPrefix("/") ? base + control : "\(base)/\(control)"
  }
}
