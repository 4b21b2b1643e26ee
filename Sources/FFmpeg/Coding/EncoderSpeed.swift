/// How much time an encoder may take; a faster one needs more bits for the same picture.
package enum EncoderSpeed: String, Hashable, Sendable, CaseIterable {
  case usual = "veryfast"
  case faster = "superfast"
  case fastest = "ultrafast"

  package func isFaster(than other: EncoderSpeed) -> Bool {
    let all = Self.allCases
    return (all.firstIndex(of: self) ?? 0) > (all.firstIndex(of: other) ?? 0)
  }

  /// x264's options. All speeds make the same headers, so that one can follow another within a track.
  var x264: [(name: String, value: String)] {
    [("preset", rawValue), ("coder", "cabac"), ("8x8dct", "1"), ("weightp", "simple")]
  }
}
