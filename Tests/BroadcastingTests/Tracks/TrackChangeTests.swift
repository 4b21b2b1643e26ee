import Foundation
import HoldfastBroadcasting
import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMarks
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// Tracks that are muted and switched to other sources on air, checked in real recordings.
@Suite(.realTime) struct TrackChangeTests {
  /// How far sound and picture may be apart, in milliseconds.
  private static let offsetLimit = 20.0

  /// Two seconds of the test signals, as a file: what a busy machine loses of them is missing there, too.
  private func file(_ size: PictureSize = PictureSize(width: 320, height: 240)) throws -> RunningBroadcaster {
    let run = try RunningBroadcaster {
      $0.video.size = size
      $0.session.duration = .seconds(2)
    }
    #expect(run.wait { if case .ended = $0.state { true } else { false } })
    run.finish()
    return run
  }

  private func sources(_ run: RunningBroadcaster) -> [String] {
    run.told.compactMap { if case .source(_, let source) = $0 { source } else { nil } }
  }

  @Test func `muted tracks continue as black pictures and silence, in sync`() throws {
    let run = try RunningBroadcaster()
    #expect(run.play(1.5))
    for track in [TrackKind.video, .audio] { try run.broadcaster.mute(track, true) }
    #expect(run.play(1.5))
    #expect(run.broadcaster.tracks[.audio]?.isMuted == true)
    #expect(run.wait { $0.snapshot.audioPeak.map { $0 < -100 } ?? false })
    for track in [TrackKind.video, .audio] { try run.broadcaster.mute(track, false) }
    #expect(run.play(2))
    run.finish()
    let mutes = run.told.compactMap { if case .mute(_, let isMuted) = $0 { isMuted } else { nil } }
    #expect(mutes == [true, true, false, false])
    let signal = try RecordedSignal(path: run.recording)
    let black = try #require(signal.longestRun { $0.isBlack })
    let silence = try #require(signal.silence)
    #expect(black.upperBound - black.lowerBound >= 1.4)
    #expect(
      abs(silence.lowerBound - black.lowerBound) < 0.06 && abs(silence.upperBound - black.upperBound) < 0.06)
    #expect(signal.pictures.count { $0.isBlack } == signal.pictures.count { black.contains($0.time) })
    #expect(signal.isRising)
    #expect(signal.longestStep < 0.05 + run.lost.video, "\(signal.longestStep)")
    let marks = try RecordingMarks(path: run.recording)
    let offset = try #require(marks.report.offset)
    #expect(max(abs(offset.minimum), abs(offset.maximum)) <= Self.offsetLimit, "\(marks.summary)")
  }

  @Test func `a track muted before going live stays muted across an interruption`() throws {
    let run = try RunningBroadcaster { $0.session.preview = true }
    #expect(run.wait { $0.state == .previewing })
    try run.broadcaster.mute(.audio, true)
    run.broadcaster.handle(.command(.start))
    #expect(run.play(1))
    run.broadcaster.handle(.command(.interrupt))
    #expect(run.wait { if case .interrupted = $0.state { true } else { false } })
    run.broadcaster.handle(.command(.resume))
    #expect(run.play(1))
    run.finish()
    #expect(try RecordedSignal(path: run.recording).peaks.allSatisfy { $0.peak < 0.0005 })
  }

  @Test func `switching from test signals to a file and back leaves no hole`() throws {
    let clip = try file()
    let run = try RunningBroadcaster()
    #expect(run.play(1.5))
    let first = try run.noting {
      try run.broadcaster.switchSource(.video(.file(clip.recording)))
      #expect(run.play(0.5))
      try run.broadcaster.switchSource(.audio(.file(clip.recording)))
    }
    #expect(run.broadcaster.tracks[.video]?.source == "file:\(clip.recording)")
    #expect(run.play(3))
    let second = try run.noting {
      try run.broadcaster.switchSource(.video(.test))
      try run.broadcaster.switchSource(.audio(.test))
    }
    #expect(run.play(2.5))
    run.finish()
    #expect(sources(run) == ["file:\(clip.recording)", "file:\(clip.recording)", "test", "tone"])
    let signal = try RecordedSignal(path: run.recording)
    #expect(signal.isRising)
    #expect(signal.longestStep < 0.1 + clip.lost.video + run.lost.video, "\(signal.longestStep)")
    let silence = signal.silence.map { $0.upperBound - $0.lowerBound } ?? 0
    #expect(silence < 0.06 + clip.lost.audio + run.lost.audio)
    let marks = try RecordingMarks(path: run.recording)
    // The file's sound finds its place beside the file's picture, though it was switched to later.
    let offsets = marks.report.offsets.filter {
      !first.contains($0.time.seconds) && !second.contains($0.time.seconds)
    }
    #expect(offsets.contains { $0.time.seconds > first.upperBound && $0.time.seconds < second.lowerBound })
    #expect(offsets.contains { $0.time.seconds > second.upperBound })
    #expect(offsets.allSatisfy { abs($0.milliseconds) <= Self.offsetLimit }, "\(offsets)")
    #expect(abs(marks.audioSeconds - (marks.pictureTimes.last ?? 0)) < 0.1)
  }

  @Test func `pictures of another shape are fitted with bars into the existing size`() throws {
    let clip = try file(PictureSize(width: 240, height: 320))
    let run = try RunningBroadcaster()
    #expect(run.play(1))
    try run.broadcaster.switchSource(.video(.file(clip.recording)))
    // The media time by which `play` waits is a quarter of a second old at most.
    #expect(run.play(2.75))
    run.finish()
    let signal = try RecordedSignal(path: run.recording)
    #expect(signal.size == PictureSize(width: 320, height: 240))
    let barred = try #require(signal.longestRun { $0.hasBars })
    #expect(barred.upperBound - barred.lowerBound >= 2.4)
    #expect(signal.longestStep < 0.1 + clip.lost.video + run.lost.video)
  }

  @Test func `a switch to an impossible source changes nothing`() throws {
    let run = try RunningBroadcaster()
    #expect(run.play(0.5))
    for source in [VideoSelection.file("/nowhere.mp4"), .device("/dev/nowhere")] {
      let error = #expect(throws: ChangeError.self) { try run.broadcaster.switchSource(.video(source)) }
      #expect(error?.kind == .notFound)
    }
    let off = #expect(throws: ChangeError.self) { try run.broadcaster.switchSource(.audio(.off)) }
    #expect(off?.kind == .notPossible)
    #expect(run.play(0.5))
    run.finish()
    #expect(sources(run).isEmpty)
    #expect(try RecordedSignal(path: run.recording).longestStep < 0.05 + run.lost.video)
  }

  @Test func `a preview picture is made on request, and is black when video is muted`() throws {
    let run = try RunningBroadcaster { $0.session.preview = true }
    #expect(run.wait { $0.previewPicture() != nil })
    let first = try #require(run.broadcaster.previewPicture())
    #expect(run.wait { ($0.previewPicture()?.number ?? 0) > first.number + 1 })
    #expect(first.jpeg.starts(with: [0xff, 0xd8]) && first.jpeg.suffix(2) == [0xff, 0xd9])
    try run.broadcaster.mute(.video, true)
    let muted = (run.broadcaster.previewPicture()?.number ?? 0) + 2
    #expect(run.wait { ($0.previewPicture()?.number ?? 0) >= muted })
    let black = try #require(run.broadcaster.previewPicture())
    #expect(black.jpeg.count < first.jpeg.count / 2)
    run.finish()
  }

  @Test func `a switched source stays in use for the next broadcast`() throws {
    let clip = try file()
    let run = try RunningBroadcaster()
    #expect(run.play(0.5))
    try run.broadcaster.switchSource(.video(.file(clip.recording)))
    run.broadcaster.handle(.command(.background))
    #expect(run.wait { $0.state == .backgrounded })
    run.broadcaster.handle(.command(.foreground))
    #expect(run.play(1))
    #expect(run.broadcaster.tracks[.video]?.source == "file:\(clip.recording)")
    run.finish()
    #expect(run.folder.recordings.count == 2)
  }

  /// Ends by itself once, which a source that is captured should not.
  private final class OwnPictures: VideoSource {
    private let picture = TestPicture(
      format: VideoFormat(size: PictureSize(width: 320, height: 240), frameRate: .thirty))
    private let hasEnded = Locked(false)

    var format: VideoFormat { picture.format }
    var pixelFormat: PixelFormat { picture.pixelFormat }
    let summary = "own"

    func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError) {
      let isSecond = hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return hasEnded
      }
      if isSecond { return try picture.run(until: stop, deliver: deliver) }
      do {
        deliver(CapturedFrame(try Frame(black: format.size, format: pixelFormat), captureTime: .now))
      } catch {
        throw CaptureError(.unsuitable, .video, device: "own", what: "\(error)", hint: "none")
      }
    }
  }

  @Test func `a program's own sources go on air and can replace other sources`() throws {
    let pictures = OwnPictures()
    let own = Supplied(pictures as any VideoSource, of: pictures, name: "own")
    let run = try RunningBroadcaster { $0.video.source = .supplied(own) }
    #expect(run.play(1))
    try run.broadcaster.switchSource(.audio(.supplied(Supplied(TestTone(), of: pictures, name: "ours"))))
    try run.broadcaster.switchSource(.video(.supplied(own)))
    #expect(run.play(1.5))
    run.finish()
    #expect(sources(run) == ["supplied:ours", "supplied:own"])
    let devices = run.told.compactMap { if case .device(.video, let state, _) = $0 { state } else { nil } }
    #expect(devices == [.open, .lost, .back])
    #expect(try RecordingMarks(path: run.recording).pictureTimes.count > 30)
  }
}
