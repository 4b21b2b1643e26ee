import HoldfastMediaModel

/// The end of a process's output.
struct OutputTail: Sendable {
  let limit: Int
  private var kept: [UInt8] = []

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func add(_ bytes: some Collection<UInt8>) {
    kept += bytes.suffix(limit)
    if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
  }

  var bytes: [UInt8] { Array(kept.suffix(limit)) }

  /// The last nonblank line, without control characters.
  var lastLine: String? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    let texts = lines.reversed().lazy.map { String(decoding: $0, as: UTF8.self).printable }
    return texts.first { text in text.contains { $0 != " " } }
  }
}
