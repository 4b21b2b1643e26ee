package import HoldfastMediaModel

/// How far a session has come whose time is limited, as a journal holds it.
package struct JournaledSession: Hashable, Sendable {
  /// Since it went live.
  package var elapsed: MediaTime
  /// What of that does not count.
  package var uncounted: MediaTime
  /// How long it may last.
  package var length: MediaTime
  /// What it was extended by, by the request's id. An entry has those alone that no earlier one has.
  package var requests: [String: MediaTime]

  package init(
    elapsed: MediaTime, uncounted: MediaTime, length: MediaTime, requests: [String: MediaTime] = [:]
  ) {
    self.elapsed = elapsed
    self.uncounted = uncounted
    self.length = length
    self.requests = requests
  }

  /// So many requests fit on a line, whatever their ids.
  private static let maxOnALine = 50

  /// The same in as many parts as there have to be lines for it.
  package var parts: [JournaledSession] {
    let all = requests.sorted { $0.key < $1.key }
    guard all.count > Self.maxOnALine else { return [self] }
    return stride(from: 0, to: all.count, by: Self.maxOnALine).map { start in
      var part = self
      let some = all[start..<min(start + Self.maxOnALine, all.count)]
      part.requests = Dictionary(uniqueKeysWithValues: some.map { ($0.key, $0.value) })
      return part
    }
  }
}
