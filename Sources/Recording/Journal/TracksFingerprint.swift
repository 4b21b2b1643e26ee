package import HoldfastMediaModel
internal import HoldfastPlatform

/// What tells whether a recording can be continued with the tracks that there are now: codecs, formats and headers,
/// digested.
package struct TracksFingerprint: Hashable, Sendable {
  package let text: String

  /// Reads what a journal says.
  package init(text: String) {
    self.text = text
  }

  /// The same for the same tracks in any order. A bitrate may change within a recording.
  package init(_ tracks: [Track]) {
    var bytes: [UInt8] = []
    for track in tracks.sorted(by: { $0.codec.rawValue < $1.codec.rawValue }) {
      let head =
        switch track.format {
        case .video(let format): "\(track.codec.rawValue) \(format.size)"
        case .audio(let format): "\(track.codec.rawValue) \(format.sampleRate) \(format.channels)"
        }
      // The length keeps one track's headers apart from the next one's head.
      bytes += Array("\(head) \(track.headers.count):".utf8) + track.headers
    }
    text = hexadecimal(sha256(bytes))
  }
}
