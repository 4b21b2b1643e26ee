import MediaModel
import Testing

@testable import Broadcasting

private func at(_ milliseconds: Int64) -> MonotonicTime {
  MonotonicTime(nanoseconds: milliseconds * 1_000_000)
}

/// Of a broadcast that has been live from the beginning.
private func live(_ tracks: Set<TrackKind>) throws -> TimeOrigin {
  let origin = try TimeOrigin(tracks: tracks)
  origin.goLive(at: at(0))
  return origin
}

@Suite struct TimeOriginTests {
  @Test func `nothing that was captured before the broadcast went live counts`() throws {
    let origin = try TimeOrigin(tracks: [.video, .audio])
    #expect(origin.soundTaken(from: at(5)) == nil)
    #expect(origin.pictureTaken(at: at(10)) == nil)
    origin.goLive(at: at(20))
    #expect(origin.pictureTaken(at: at(15)) == nil)
    #expect(origin.pictureTaken(at: at(33)) == at(33))
  }

  @Test func `sound alone begins when the broadcast goes live`() throws {
    let origin = try TimeOrigin(tracks: [.audio])
    #expect(origin.soundTaken(from: at(5)) == nil)
    origin.goLive(at: at(20))
    #expect(origin.soundTaken(from: at(5)) == at(20))
  }

  @Test func `is the first picture that has sound to go with it`() throws {
    let origin = try live([.video, .audio])
    #expect(origin.pictureTaken(at: at(0)) == nil)
    #expect(origin.soundTaken(from: at(50)) == nil)
    #expect(origin.pictureTaken(at: at(33)) == nil)
    #expect(origin.pictureTaken(at: at(66)) == at(66))
    #expect(origin.soundTaken(from: at(50)) == at(66))
    #expect(origin.pictureTaken(at: at(100)) == at(66))
  }

  @Test func `sound alone begins with itself`() throws {
    #expect(try live([.audio]).soundTaken(from: at(7)) == at(7))
  }

  @Test func `pictures alone begin with the first`() throws {
    #expect(try live([.video]).pictureTaken(at: at(7)) == at(7))
  }

  @Test func `nobody waits for a track that has been withdrawn`() throws {
    let withoutSound = try live([.video, .audio])
    withoutSound.withdraw(.audio)
    #expect(withoutSound.pictureTaken(at: at(3)) == at(3))
    let withoutPicture = try live([.video, .audio])
    #expect(withoutPicture.soundTaken(from: at(5)) == nil)
    withoutPicture.withdraw(.video)
    #expect(withoutPicture.soundTaken(from: at(15)) == at(5))
  }
}

@Suite struct RateLimitTests {
  private func passed(source: Int, wanted: Int, pictures: Int, jitter: [Int64] = [0]) throws -> Int {
    let sourceRate = try #require(FrameRate(numerator: source, denominator: 1))
    let wantedRate = try #require(FrameRate(numerator: wanted, denominator: 1))
    var limit = RateLimit(source: sourceRate, wanted: wantedRate)
    return (0..<pictures).filter { number in
      let time = MonotonicTime(nanoseconds: 0) + sourceRate.time(ofFrame: Int64(number))
      return limit.allows(time + .milliseconds(jitter[number % jitter.count]))
    }.count
  }

  @Test(arguments: [
    (60, 30, 300), (50, 25, 300), (60, 25, 250), (120, 30, 150), (30, 30, 600), (25, 30, 600),
  ])
  func `lets the wanted rate through and no picture of a slower source is lost`(
    source: Int, wanted: Int, expected: Int
  ) throws {
    #expect(abs(try passed(source: source, wanted: wanted, pictures: 600) - expected) <= 1)
  }

  @Test func `jitter of the camera changes nothing`() throws {
    #expect(abs(try passed(source: 60, wanted: 30, pictures: 600, jitter: [0, 3, -3, 2]) - 300) <= 1)
  }
}
