import HoldfastMediaModel

/// Decides whether a copied track follows its source to other headers: a value.
///
/// Each change costs the recording a file and outputs a connection. A source that keeps changing is followed only so often; in
/// between, what comes with other headers than the current ones is left out.
struct CopiedHeaders: Hashable, Sendable {
  enum Decision: Hashable {
    case pass
    /// The packet begins the track anew, once it is sent.
    case change
    /// It is left out; `until` is told once for each time that this begins.
    case leaveOut(until: MonotonicTime?)
  }

  /// What the receivers have.
  private(set) var track: Track
  private var hasSent = false
  private var changes: [MonotonicTime] = []
  private var isReported = false

  static let maxChanges = 5
  static let period = MediaTime.seconds(300)

  init(_ track: Track) { self.track = track }

  mutating func decide(_ new: Track, at now: MonotonicTime) -> Decision {
    guard !new.hasSameHeaders(as: track) else { return .pass }
    changes.removeAll { now - $0 >= Self.period }
    guard changes.count >= Self.maxChanges else { return .change }
    defer { isReported = true }
    return .leaveOut(until: isReported ? nil : changes[0] + Self.period)
  }

  /// A packet of `new` is about to be sent; returns whether the receivers need it announced.
  mutating func send(_ new: Track, at now: MonotonicTime) -> Bool {
    defer { hasSent = true }
    guard !new.hasSameHeaders(as: track) else { return false }
    track = new
    // Nothing has to begin anew for the first packet.
    if hasSent { changes.append(now) }
    isReported = false
    return true
  }
}

extension LaneDestination {
  /// The track begins anew; in mid-broadcast that is reported.
  func begin(_ track: Track, isFirst: Bool) {
    announce(track)
    if !isFirst { report(.trackChanged(track)) }
  }

  /// What comes with other headers than those of `track` is left out until then.
  func report(leavingOut track: Track, until limit: MonotonicTime, at now: MonotonicTime) {
    report(
      .note(
        "\(track.kind.rawValue): the source has changed its format or headers \(CopiedHeaders.maxChanges) times in "
          + "\(CopiedHeaders.period.wholeSeconds) s; what differs from \(track) is left out for the next "
          + "\((limit - now).wholeSeconds) s: check the camera or encoder, or use another encoder than copy"))
  }
}
