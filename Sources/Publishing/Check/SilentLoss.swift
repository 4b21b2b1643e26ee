/// What servers that name themselves accept, and then drop silently.
enum SilentLoss {
  private static let known: [(name: String, kind: String, warning: String)] = [
    ("SRS", "rtmp", "SRS silently drops AV1 received over RTMP: use --codec h264 or --codec hevc"),
    (
      "lal", "rtsp",
      "lal silently drops pictures of more than one slice received over RTSP: publish to it over RTMP"
    ),
  ]

  /// Nil for a server that does not name itself, or of which nothing is known.
  static func warning(ofServer name: String?, over kind: String) -> String? {
    guard let name else { return nil }
    return known.first { $0.kind == kind && name.starts(with: $0.name) }?.warning
  }
}
