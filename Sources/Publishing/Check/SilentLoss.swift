/// What servers that name themselves accept, and then drop silently.
enum SilentLoss {
  private struct Entry {
    let name: String
    let kind: String
    let warning: String
  }

  private static let known = [
    Entry(
      name: "SRS", kind: "rtmp",
      warning: "SRS silently drops AV1 received over RTMP: use --codec h264 or --codec hevc"),
    Entry(
      name: "lal", kind: "rtsp",
      warning:
        "lal silently drops pictures of more than one slice received over RTSP: publish to it over RTMP"),
  ]

  /// Nil for a server that does not name itself, or of which nothing is known.
  static func warning(ofServer name: String?, over kind: String) -> String? {
    guard let name else { return nil }
    return known.first { $0.kind == kind && name.starts(with: $0.name) }?.warning
  }
}
