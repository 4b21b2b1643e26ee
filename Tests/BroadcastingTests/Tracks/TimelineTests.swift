import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

private func at(_ milliseconds: Int64) -> MonotonicTime {
  MonotonicTime(nanoseconds: milliseconds * 1_000_000)
}

private func media(_ milliseconds: Int64) -> MediaTime { .milliseconds(milliseconds) }

private func part(_ from: Int64, _ until: Int64, media time: Int64, isAfterPause: Bool = false)
  -> Timeline.Part
{
  Timeline.Part(captured: at(from)..<at(until), media: media(time), isAfterPause: isAfterPause)
}

/// The timeline of a broadcast that has been live from the beginning.
private func live(_ tracks: Set<TrackKind>) throws -> Timeline {
  let line = try Timeline(tracks: tracks)
  line.run(from: at(0))
  return line
}

/// A live timeline with its first picture at 100 ms.
private func running() throws -> Timeline {
  let line = try live([.video, .audio])
  _ = line.place(sound: at(90)..<at(100))
  #expect(line.place(picture: at(100)) == .zero)
  return line
}

@Suite struct TimelineTests {
  @Test func `items captured before the broadcast goes live are left out`() throws {
    let line = try Timeline(tracks: [.video, .audio])
    #expect(line.place(sound: at(5)..<at(15)) == [])
    #expect(line.place(picture: at(10)) == nil)
    line.run(from: at(20))
    #expect(line.place(picture: at(15)) == nil)
    #expect(line.place(picture: at(33)) == .zero)
    #expect(line.place(picture: at(66)) == media(33))
  }

  @Test func `a timeline begins with the first picture that has matching sound`() throws {
    let line = try live([.video, .audio])
    #expect(line.place(picture: at(1)) == nil)
    #expect(line.place(sound: at(50)..<at(60)) == nil)
    #expect(line.place(picture: at(33)) == nil)
    #expect(line.place(picture: at(66)) == .zero)
    #expect(line.place(sound: at(50)..<at(60)) == [])
    #expect(line.place(sound: at(60)..<at(70)) == [part(66, 70, media: 0, isAfterPause: true)])
    #expect(line.place(sound: at(70)..<at(80)) == [part(70, 80, media: 4)])
  }

  @Test func `a sound-only timeline begins when the broadcast goes live`() throws {
    let line = try Timeline(tracks: [.audio])
    #expect(line.place(sound: at(5)..<at(15)) == [])
    line.run(from: at(20))
    #expect(line.place(sound: at(15)..<at(25)) == [part(20, 25, media: 0, isAfterPause: true)])
  }

  @Test func `a video-only timeline begins with the first picture`() throws {
    #expect(try live([.video]).place(picture: at(7)) == .zero)
  }

  @Test func `a timeline does not wait for a withdrawn track`() throws {
    let withoutSound = try live([.video, .audio])
    withoutSound.withdraw(.audio)
    #expect(withoutSound.place(picture: at(3)) == .zero)
    let withoutPicture = try live([.video, .audio])
    #expect(withoutPicture.place(sound: at(5)..<at(15)) == nil)
    withoutPicture.withdraw(.video)
    #expect(withoutPicture.place(sound: at(5)..<at(15)) == [part(5, 15, media: 0, isAfterPause: true)])
  }

  @Test func `a pause cuts both tracks at the next picture`() throws {
    let line = try running()
    line.pause(at: at(205))
    #expect(line.place(picture: at(200)) == media(100))
    #expect(line.place(sound: at(195)..<at(205)) == [part(195, 205, media: 95)])
    #expect(line.place(sound: at(205)..<at(225)) == nil)
    #expect(line.start != nil)
    #expect(line.place(picture: at(233)) == nil)
    #expect(line.start == nil && line.stoppedAt == media(133))
    #expect(line.place(sound: at(205)..<at(225)) == [part(205, 225, media: 105)])
    #expect(line.place(sound: at(225)..<at(245)) == [part(225, 233, media: 125)])
    #expect(line.place(picture: at(266)) == nil)
    #expect(line.place(sound: at(245)..<at(265)) == [])
  }

  @Test(arguments: [8, 33]) func `a pause ends both tracks with the sound packet nearest to the picture`(
    interval: Int64
  ) throws {
    let line = try Timeline(tracks: [.video, .audio], framesPerPacket: 1024)
    line.run(from: at(0))
    _ = line.place(sound: at(90)..<at(100))
    #expect(line.place(picture: at(100)) == .zero)
    for round in 1...100 {
      let (pause, media) = (at(Int64(round) * 1000), line.stoppedAt)
      let newest = pause - .milliseconds(Int64(round) % interval + 1)
      #expect(line.place(picture: newest) != nil)
      line.pause(at: pause)
      let picture = newest + .milliseconds(interval + 1)
      let running = try #require(line.start)
      #expect(line.place(picture: picture) == nil)
      let end = line.stoppedAt
      #expect(end.ticks(timescale: 48_000) % 1024 == 0 && end > media)
      let moved = end - (running.mediaTime + (picture - running.at))
      #expect(moved > .milliseconds(-min(interval + 1, 13)) && moved < .milliseconds(14), "\(moved)")
      line.run(from: pause + .milliseconds(500))
      #expect(line.place(picture: pause + .milliseconds(510)) == end)
    }
  }

  @Test func `media time continues where it stopped, with the next picture`() throws {
    let line = try running()
    line.pause(at: at(205))
    #expect(line.place(picture: at(233)) == nil)
    line.run(from: at(5000))
    #expect(line.place(picture: at(4990)) == nil)
    #expect(line.place(sound: at(5000)..<at(5020)) == nil)
    #expect(line.place(picture: at(5010)) == media(133))
    #expect(line.place(picture: at(5043)) == media(166))
    #expect(line.place(sound: at(5000)..<at(5020)) == [part(5010, 5020, media: 133, isAfterPause: true)])
  }

  @Test func `late sound still gets its correct place`() throws {
    let line = try running()
    line.pause(at: at(200))
    #expect(line.place(picture: at(200)) == nil)
    line.run(from: at(300))
    #expect(line.place(picture: at(300)) == media(100))
    #expect(
      line.place(sound: at(190)..<at(310))
        == [part(190, 200, media: 90), part(300, 310, media: 100, isAfterPause: true)])
  }

  @Test func `a pause does not wait for pictures that don't come`() throws {
    let line = try running()
    line.pause(at: at(205))
    line.pauseWithoutPicture()
    #expect(line.start == nil && line.stoppedAt == media(105))
    #expect(line.place(sound: at(195)..<at(215)) == [part(195, 205, media: 95)])
  }

  @Test(arguments: [false, true])
  func `pictures that a slow encoder takes after the stop belong before it`(isResumed: Bool) throws {
    let line = try running()
    line.pause(at: at(205))
    line.pauseWithoutPicture()
    if isResumed { line.run(from: at(300)) }
    #expect(line.place(picture: at(166)) == media(66) && line.place(picture: at(199)) == media(99))
    #expect(line.place(picture: at(205)) == nil && line.stoppedAt == media(105))
  }

  @Test func `a pause before the first picture leaves media time at zero`() throws {
    let line = try live([.video])
    line.pause(at: at(5))
    #expect(line.start == nil && line.stoppedAt == .zero)
    line.run(from: at(50))
    #expect(line.place(picture: at(60)) == .zero)
  }

  @Test func `media time stays exact over a hundred pauses`() throws {
    let line = try running()
    var expected = MediaTime.zero
    for round in 1...100 {
      let start = Int64(round) * 1000
      line.pause(at: at(start))
      #expect(line.place(picture: at(start + 10)) == nil)
      if round == 1 { expected = media(910) } else { expected = expected + media(610) }
      #expect(line.stoppedAt == expected)
      line.run(from: at(start + 400))
      #expect(line.place(picture: at(start + 400)) == expected)
    }
  }

  @Test func `a resumed broadcast continues where it was, while its lanes count from a base`() throws {
    let line = try Timeline(tracks: [.video, .audio], start: media(5000), base: media(4950))
    #expect(line.mediaTime(at: at(70)) == media(5000))
    line.run(from: at(90))
    _ = line.place(sound: at(90)..<at(100))
    #expect(line.place(picture: at(100)) == media(50))
    #expect(line.place(sound: at(100)..<at(110)) == [part(100, 110, media: 50, isAfterPause: true)])
    #expect(line.mediaTime(at: at(133)) == media(5033) && line.start?.at == at(100))
  }

  @Test func `the start after a pause says when media time last stopped`() throws {
    let line = try running()
    #expect(try #require(line.start).lastEnd == nil)
    line.pause(at: at(150))
    #expect(line.place(picture: at(166)) == nil)
    #expect(line.start == nil && line.mediaTime(at: at(300)) == media(66))
    line.run(from: at(400))
    #expect(line.place(picture: at(433)) == media(66))
    #expect(line.start == MediaStart(at: at(433), mediaTime: media(66), lastEnd: at(166)))
  }
}
