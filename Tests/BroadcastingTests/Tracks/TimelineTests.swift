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

/// Lets the broadcast go live, with its first picture at 100 ms.
private func begin(_ line: Timeline) {
  line.run(from: at(0))
  _ = line.place(sound: at(90)..<at(100))
  #expect(line.place(picture: at(100)) == .zero)
}

/// A live timeline with its first picture at 100 ms.
private func running() throws -> Timeline {
  let line = try Timeline(tracks: [.video, .audio])
  begin(line)
  return line
}

@Suite struct TimelineTests {
  /// What happens to a timeline of both tracks, or of those that are named, and where it then places what it is given,
  /// in milliseconds: nil where that is left out, or unknown.
  enum Step {
    case tracks(Set<TrackKind>)
    /// With the first picture at 100 ms.
    case began
    case ran(from: Int64), paused(at: Int64), pausedWithoutPicture, withdrew(TrackKind)
    case picture(Int64, at: Int64?)
    case sound(Int64, Int64, [Timeline.Part]?)
    case isRunning, isStopped(at: Int64)
  }

  @Test(
    arguments: [
      Steps(
        "items captured before the broadcast goes live are left out", .sound(5, 15, []),
        .picture(10, at: nil), .ran(from: 20), .picture(15, at: nil), .picture(33, at: 0),
        .picture(66, at: 33)),
      Steps(
        "a timeline begins with the first picture that has matching sound", .ran(from: 0),
        .picture(1, at: nil), .sound(50, 60, nil), .picture(33, at: nil), .picture(66, at: 0),
        .sound(50, 60, []), .sound(60, 70, [part(66, 70, media: 0, isAfterPause: true)]),
        .sound(70, 80, [part(70, 80, media: 4)])),
      Steps(
        "a sound-only timeline begins when the broadcast goes live", .tracks([.audio]), .sound(5, 15, []),
        .ran(from: 20), .sound(15, 25, [part(20, 25, media: 0, isAfterPause: true)])),
      Steps(
        "a video-only timeline begins with the first picture", .tracks([.video]), .ran(from: 0),
        .picture(7, at: 0)),
      Steps(
        "a timeline does not wait for withdrawn sound", .ran(from: 0), .withdrew(.audio), .picture(3, at: 0)),
      Steps(
        "a timeline does not wait for withdrawn pictures", .ran(from: 0), .sound(5, 15, nil),
        .withdrew(.video), .sound(5, 15, [part(5, 15, media: 0, isAfterPause: true)])),
      Steps(
        "a pause cuts both tracks at the next picture", .began, .paused(at: 205), .picture(200, at: 100),
        .sound(195, 205, [part(195, 205, media: 95)]), .sound(205, 225, nil), .isRunning,
        .picture(233, at: nil), .isStopped(at: 133), .sound(205, 225, [part(205, 225, media: 105)]),
        .sound(225, 245, [part(225, 233, media: 125)]), .picture(266, at: nil), .sound(245, 265, [])),
      Steps(
        "media time continues where it stopped, with the next picture", .began, .paused(at: 205),
        .picture(233, at: nil), .ran(from: 5000), .picture(4990, at: nil), .sound(5000, 5020, nil),
        .picture(5010, at: 133), .picture(5043, at: 166),
        .sound(5000, 5020, [part(5010, 5020, media: 133, isAfterPause: true)])),
      Steps(
        "late sound still gets its correct place", .began, .paused(at: 200), .picture(200, at: nil),
        .ran(from: 300), .picture(300, at: 100),
        .sound(190, 310, [part(190, 200, media: 90), part(300, 310, media: 100, isAfterPause: true)])),
      Steps(
        "a pause does not wait for pictures that don't come", .began, .paused(at: 205), .pausedWithoutPicture,
        .isStopped(at: 105), .sound(195, 215, [part(195, 205, media: 95)])),
      Steps(
        "pictures that a slow encoder takes after the stop belong before it", .began, .paused(at: 205),
        .pausedWithoutPicture, .picture(166, at: 66), .picture(199, at: 99), .picture(205, at: nil),
        .isStopped(at: 105)),
      Steps(
        "pictures that a slow encoder takes after the return belong before the stop", .began,
        .paused(at: 205), .pausedWithoutPicture, .ran(from: 300), .picture(166, at: 66),
        .picture(199, at: 99), .picture(205, at: nil), .isStopped(at: 105)),
      Steps(
        "a pause before the first picture leaves media time at zero", .tracks([.video]), .ran(from: 0),
        .paused(at: 5), .isStopped(at: 0), .ran(from: 50), .picture(60, at: 0)),
    ] as [Steps<Step>])
  func `pictures and sound have their places on a timeline`(row: Steps<Step>) throws {
    var line = try Timeline(tracks: [.video, .audio])
    for (step, comment) in row.numbered {
      switch step {
      case .tracks(let tracks): line = try Timeline(tracks: tracks)
      case .began: begin(line)
      case .ran(let start): line.run(from: at(start))
      case .paused(let stop): line.pause(at: at(stop))
      case .pausedWithoutPicture: line.pauseWithoutPicture()
      case .withdrew(let track): line.withdraw(track)
      case .picture(let time, let place): #expect(line.place(picture: at(time)) == place.map(media), comment)
      case .sound(let from, let until, let parts):
        #expect(line.place(sound: at(from)..<at(until)) == parts, comment)
      case .isRunning: #expect(line.start != nil, comment)
      case .isStopped(let place): #expect(line.start == nil && line.stoppedAt == media(place), comment)
      }
    }
  }

  @Test(arguments: [8, 33]) func `a pause ends both tracks with the sound packet nearest to the picture`(
    interval: Int64
  ) throws {
    let line = try Timeline(tracks: [.video, .audio], framesPerPacket: 1024)
    begin(line)
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
