internal import HoldfastMediaModel

/// The name under which the server knows us, from its Session header: `12345678;timeout=60`.
struct RTSPSession: Hashable, Sendable {
  let id: String
  let timeout: MediaTime?

  private static let longest = 256

  init?(_ header: String) {
    let parts = header.split(separator: ";").map(\.trimmed)
    guard let id = parts.first, !id.isEmpty, id.utf8.count <= Self.longest else { return nil }
    self.id = id
    let seconds = parts.dropFirst().first { $0.lowercased().hasPrefix("timeout=") }
      .flatMap { UInt32($0.dropFirst("timeout=".count)) }
    timeout = seconds.map { .seconds(Int64($0)) }
  }
}
