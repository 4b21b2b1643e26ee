import Testing

@testable import HoldfastBroadcasting

@Suite struct EncoderReplacementTests {
  private func next(_ replacement: inout EncoderReplacement, isKeyframe: Bool = false) -> Int? {
    replacement.next(isKeyframe: isKeyframe)?.bitrate
  }

  @Test func `without a request the encoder stays`() {
    var replacement = EncoderReplacement(bitrate: 1000)
    #expect(next(&replacement) == nil && next(&replacement, isKeyframe: true) == nil)
  }

  @Test func `a lower bitrate replaces it at once, and only once`() {
    var replacement = EncoderReplacement(bitrate: 1000)
    replacement.request(700, reason: "weak")
    #expect(replacement.next(isKeyframe: false) == .init(bitrate: 700, reason: "weak"))
    #expect(next(&replacement, isKeyframe: true) == nil && replacement.bitrate == 700)
  }

  @Test func `a higher bitrate waits for a keyframe that comes anyway, and the last request counts`() {
    var replacement = EncoderReplacement(bitrate: 1000)
    replacement.request(1100, reason: "")
    replacement.request(1200, reason: "")
    #expect(next(&replacement) == nil)
    #expect(next(&replacement, isKeyframe: true) == 1200 && next(&replacement, isKeyframe: true) == nil)
  }

  @Test func `a request for what it has withdraws an earlier one`() {
    var replacement = EncoderReplacement(bitrate: 1000)
    replacement.request(1200, reason: "")
    replacement.request(1000, reason: "")
    #expect(next(&replacement, isKeyframe: true) == nil && replacement.bitrate == 1000)
  }

  @Test func `a lower request after a higher one takes effect at once`() {
    var replacement = EncoderReplacement(bitrate: 1000)
    replacement.request(1200, reason: "")
    replacement.request(600, reason: "")
    #expect(next(&replacement) == 600 && next(&replacement, isKeyframe: true) == nil)
  }
}
