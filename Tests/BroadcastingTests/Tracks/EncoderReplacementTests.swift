import Testing

@testable import HoldfastBroadcasting

@Suite struct EncoderReplacementTests {
  @Test(
    arguments: [
      ("without a request the encoder stays", [], [(false, nil), (true, nil)]),
      ("a lower bitrate replaces it at once, and only once", [700], [(false, 700), (true, nil)]),
      (
        "a higher bitrate waits for a keyframe that comes anyway, and the last request counts", [1100, 1200],
        [(false, nil), (true, 1200), (true, nil)]
      ),
      ("a request for what it has withdraws an earlier one", [1200, 1000], [(true, nil)]),
      ("a lower request after a higher one takes effect at once", [1200, 600], [(false, 600), (true, nil)]),
    ] as [(String, [Int], [(isKeyframe: Bool, bitrate: Int?)])])
  func `an encoder of 1000 bits per second is replaced`(
    title: String, requests: [Int], pictures: [(isKeyframe: Bool, bitrate: Int?)]
  ) {
    var replacement = EncoderReplacement(bitrate: 1000)
    for bitrate in requests { replacement.request(bitrate, reason: "weak") }
    for picture in pictures {
      let next = replacement.next(isKeyframe: picture.isKeyframe)
      #expect(next == picture.bitrate.map { .init(bitrate: $0, reason: "weak") })
    }
    #expect(replacement.bitrate == pictures.compactMap(\.bitrate).last ?? 1000)
  }
}
