import HoldfastMediaModel
import Testing

@testable import HoldfastRecording

/// To which file a packet goes, and at which time.
@Suite struct RecordingFilesTests {
  /// A file, and the next one from 2 s on.
  private func cut(after standstill: MediaTime = .zero) -> RecordingFiles {
    var files = RecordingFiles(.new("a.mp4"))
    _ = files.opened(.new("a.mp4"), at: "a.mp4", origin: .zero, [:], SampleRecording.tracks)
    _ = files.written(QueuedPacket(packet: SampleRecording.picture(0), standstill: .zero), bytes: 1)
    let keyframe = QueuedPacket(packet: SampleRecording.picture(60), standstill: standstill)
    files.prepare(.next, at: keyframe)
    _ = files.opened(.next, at: "b.mp4", origin: .seconds(2), [:], SampleRecording.tracks)
    return files
  }

  @Test func `sound goes to the file in which it begins, so that it is never cut short`() {
    let files = cut()
    for (time, isLate) in [(1979, true), (1985, true), (1999, true), (2000, false), (2010, false)]
      as [(Int64, Bool)]
    {
      let packet = sound(at: .milliseconds(time))
      #expect(files.placement(of: packet).isLate == isLate, "\(time)")
      let shifted = files.shifted(QueuedPacket(packet: packet, standstill: .zero), isLate: isLate)
      #expect(shifted.decodeTime == .milliseconds(isLate ? time : time - 2000))
    }
  }

  @Test func `sound from behind an interruption is not late in the file before it`() {
    let files = cut(after: .seconds(5))
    // It begins before the interruption and ends behind it.
    let late = QueuedPacket(packet: sound(at: .milliseconds(1990)), standstill: .seconds(5))
    #expect(files.shifted(late, isLate: true).decodeTime == .milliseconds(1990))
    let next = QueuedPacket(packet: sound(at: .milliseconds(2011)), standstill: .seconds(5))
    #expect(files.shifted(next, isLate: false).decodeTime == .milliseconds(11))
  }

  @Test func `a further part begins with a keyframe, and sound from before it is lost`() {
    var files = RecordingFiles(.new("a.mp4"))
    _ = files.opened(.new("a.mp4"), at: "a.mp4", origin: .zero, [:], SampleRecording.tracks)
    _ = files.opened(.part(of: "a.mp4"), at: "a-2.mp4", origin: .seconds(2), [:], SampleRecording.tracks)
    #expect(!files.accepts(sound(at: .milliseconds(2000))) && !files.accepts(SampleRecording.picture(61)))
    let keyframe = SampleRecording.picture(75)
    #expect(files.accepts(keyframe))
    _ = files.written(QueuedPacket(packet: keyframe, standstill: .zero), bytes: 1)
    #expect(!files.accepts(sound(at: .milliseconds(1990))) && files.accepts(sound(at: .milliseconds(2000))))
  }
}
