/// What counts as a hole in a track, for the recorder, the journal's gaps and `verify` alike.
package enum HoleRule {
  /// The distance beyond the usual one between two samples that is not a hole yet. Sound is continuous to
  /// the sample, except for rounding; pictures may be late.
  package static func slack(of track: TrackKind?, usual: MediaTime) -> MediaTime {
    switch track {
    case .audio: .milliseconds(2)
    case .video, nil: MediaTime(nanoseconds: usual.nanoseconds / 4 * 3)
    }
  }

  /// Pictures whose distances vary may be later, by this multiple of the median deviation.
  package static let jitterFactor: Int64 = 4

  /// The maximum distance between a hole and its place in the journal.
  package static let maxDistance = MediaTime.seconds(1)
  /// The maximum difference between the length of a hole and that in the journal.
  package static let maxDifference = MediaTime.milliseconds(250)
}
