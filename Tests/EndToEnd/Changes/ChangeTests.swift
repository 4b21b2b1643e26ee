import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// Muting and switching of sources in a live broadcast with a real server.
@Suite(.longRealTime) struct ChangeTests {
  private let folder = ScratchFolder()

  /// A file with two seconds of the test signals, whose soft sound differs from the tone.
  private func clip(volume: Double = 0.05) throws -> String {
    let place = ScratchFolder()
    let path = try FinishedBroadcast.whole(["--size", "320x180", "--duration", "2s"], in: place)
    let options = "-i \(path) -c:v copy -af volume=\(volume) -c:a aac"
    return try Tool.ffmpeg(options, to: folder.file("soft.mkv"))
  }

  /// The peak of the sound from `start` to `end`.
  private func peak(_ signal: RecordedSignal, _ start: Double, _ end: Double) -> Float {
    signal.peaks.filter { (start...end).contains($0.time) }.map(\.peak).max() ?? 0
  }

  @Test func `muted tracks are black and silent, also on the server`() throws {
    let scene = try ChangeScene(in: folder)
    scene.play(1.5)
    try scene.tell("mute")
    try scene.tell("mute", "video")
    scene.play(1.5)
    #expect(try scene.isMuted("audio") && scene.isMuted("video"))
    try scene.tell("unmute")
    try scene.tell("unmute", "video")
    scene.play(2)
    try scene.finishWhole()
    let told = scene.subject.events("mute").map { "\($0["track"] ?? "") \($0["muted"] as? Bool == true)" }
    #expect(told == ["audio true", "video true", "audio false", "video false"])
    for path in scene.files {
      let signal = try RecordedSignal(path: path)
      let black = try #require(signal.longestRun { $0.isBlack })
      let silence = try #require(signal.silence)
      #expect(black.upperBound - black.lowerBound > 1.2 && silence.upperBound - silence.lowerBound > 1.2)
      // The commands run one after the other.
      #expect(silence.lowerBound < black.lowerBound)
      #expect(signal.pictures.count { $0.isBlack } == signal.pictures.count { black.contains($0.time) })
      #expect((signal.pictures.last?.time ?? 0) - black.upperBound > 1 && black.lowerBound > 1)
    }
  }

  @Test func `the picture switches to a file, a camera and the test picture without a gap`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let clip = try clip()
    let scene = try ChangeScene(camera: camera, in: folder)
    scene.play(2)
    var changes = [try scene.noting { try scene.tell("camera", "file:\(clip)") }]
    scene.play(1.5)
    changes.append(try scene.noting { try scene.tell("camera", "test") })
    scene.play(2)
    changes.append(try scene.noting { try scene.tell("camera", "camera:\(camera.path)") })
    #expect(try scene.track("video")["source"] as? String == "camera:\(camera.path)")
    scene.play(1.5)
    changes.append(try scene.noting { try scene.tell("camera", "test") })
    scene.play(3)
    // Pictures from the file do not match the tone.
    let elsewhere = [
      changes[0].lowerBound...changes[1].upperBound, changes[2].lowerBound...changes[3].upperBound,
    ]
    try scene.finishWhole(but: elsewhere)
    let sources = scene.subject.values("source", of: "source")
    #expect(sources == ["file:\(clip)", "test", "camera:\(camera.path)", "test"])
    for path in scene.files {
      let marks = try RecordingMarks(path: path)
      // The camera has no marks.
      let unmarked = marks.pictures.count { $0.mark == nil }
      let endsMarked = marks.pictures.suffix(30).allSatisfy { $0.mark != nil }
      #expect((30...150).contains(unmarked) && endsMarked, "\(unmarked)")
      #expect(!scene.offsets(in: marks, but: elsewhere + [0...changes[1].upperBound]).isEmpty)
    }
    #expect(folder.recordings.count == 1 && scene.server.publishes().map(\.type) == ["record"])
  }

  @Test func `the sound switches to a file and back to the tone without a gap`() throws {
    let clip = try clip()
    let scene = try ChangeScene(in: folder)
    scene.play(2)
    let first = try scene.noting { try scene.tell("microphone", "file:\(clip)") }
    scene.play(2)
    let second = try scene.noting { try scene.tell("microphone", "tone") }
    scene.play(2.5)
    try scene.finishWhole(but: [first.lowerBound...second.upperBound])
    for path in scene.files {
      let signal = try RecordedSignal(path: path)
      #expect(signal.silence.map { $0.upperBound - $0.lowerBound < 0.06 } ?? true)
      let soft = peak(signal, first.upperBound, second.lowerBound)
      #expect(soft > 0.001 && soft < peak(signal, 0, first.lowerBound) / 4)
      #expect(try !scene.offsets(in: RecordingMarks(path: path), but: [0...second.upperBound]).isEmpty)
    }
  }

  @Test func `an unusable source is refused, and the broadcast continues`() throws {
    let scene = try ChangeScene(in: folder)
    scene.play(1)
    // 77 on a machine without any sound card.
    let asked: [(word: String, source: String, statuses: [Int32])] = [
      ("camera", "file:/nowhere.mp4", [69]), ("camera", "camera:/dev/nowhere", [69]), ("camera", "off", [77]),
      ("camera", "nonsense", [64]), ("microphone", "mic:hw:99,0", [69, 77]),
      ("microphone", "file:/nowhere.mp4", [69]), ("microphone", "off", [77]), ("bitrate", "lots", [64]),
    ]
    for one in asked {
      let result = try scene.subject.ctl(one.word, one.source)
      #expect(one.statuses.contains(result.status), "\(one): \(result)")
    }
    scene.play(1)
    #expect(try scene.track("video")["source"] as? String == "test")
    try scene.finishWhole()
    #expect(scene.subject.events("source").isEmpty && scene.subject.events("interrupted").isEmpty)
  }

  @Test func `switches during and right before an interruption apply after it`() throws {
    let clip = try clip()
    let scene = try ChangeScene(in: folder)
    scene.play(1.5)
    let first = try scene.noting {
      try scene.tell("camera", "file:\(clip)")
      try scene.tell("interrupt")
    }
    #expect(scene.subject.reports("interrupted"))
    try scene.tell("resume")
    #expect(scene.subject.reports("resumed"))
    #expect(try scene.track("video")["source"] as? String == "file:\(clip)")
    scene.play(1)
    let second = try scene.noting {
      try scene.interruptAndResume(times: 2) { try scene.tell("camera", "test") }
    }
    scene.play(3)
    try scene.finishWhole(but: [first.lowerBound...second.upperBound], returns: 2)
    for marks in try scene.files.map(RecordingMarks.init) {
      #expect(!scene.offsets(in: marks, but: [0...second.upperBound]).isEmpty)
    }
    #expect(
      folder.recordings.count == 1 && scene.server.publishes().map(\.type) == ["record", "append", "append"])
  }

  @Test func `a switch during the preview applies from the first picture`() throws {
    let clip = try clip(volume: 1)
    let begin = MonotonicTime.now
    let scene = try ChangeScene(["--preview"], in: folder)
    #expect(scene.subject.reports("previewing"))
    try scene.tell("camera", "file:\(clip)")
    try scene.tell("microphone", "file:\(clip)")
    try scene.tell("start")
    scene.play(4)
    try scene.finishWhole()
    for path in scene.files {
      let marks = try RecordingMarks(path: path).pictures.compactMap(\.mark)
      #expect(marks.count > 30 && marks.allSatisfy { $0.captureTime < begin })
    }
  }

  @Test func `a camera switched to can be lost and return`() throws {
    let camera = try TestDevice.Camera(in: folder)
    let scene = try ChangeScene(camera: camera, in: folder)
    scene.play(1.5)
    try scene.tell("camera", "camera:\(camera.path)")
    scene.play(1)
    try camera.perform("lose")
    #expect(scene.subject.reports("device", "lost"), "\(scene.subject.log)")
    scene.play(1.5)
    try camera.perform("return")
    #expect(scene.subject.reports("device", "back"), "\(scene.subject.log)")
    scene.play(1)
    try scene.tell("camera", "test")
    scene.play(1)
    scene.subject.finish()
    #expect(scene.subject.events("interrupted").isEmpty && folder.recordings.count == 1)
    for path in scene.files {
      let signal = try RecordedSignal(path: path)
      #expect(
        signal.isRising
          && signal.longestStep < 0.5 + scene.subject.lines.picturesTooLate(of: "recording") / 30,
        "\(signal.longestStep)")
      #expect(try PacketTimes(path: path).isMonotone)
    }
  }

  @Test func `muted tracks stay muted across an interruption and a kill`() throws {
    let scene = try ChangeScene(in: folder)
    scene.play(1.5)
    try scene.tell("mute")
    try scene.tell("mute", "video")
    scene.play(1)
    try scene.interruptAndResume()
    scene.play(1.5)
    try scene.killAndRestart()
    #expect(scene.subject.reports("resumed", times: 2), "\(scene.subject.log)")
    scene.play(1)
    #expect(try scene.isMuted("audio") && scene.isMuted("video"))
    #expect(scene.subject.events("mute").count == 4)
    try scene.tell("unmute")
    scene.play(1)
    try scene.killAndRestart()
    #expect(scene.subject.reports("resumed", times: 3), "\(scene.subject.log)")
    scene.play(1)
    #expect(try !scene.isMuted("audio") && scene.isMuted("video"))
    scene.subject.finish()
    for path in scene.files {
      let signal = try RecordedSignal(path: path)
      let black = try #require(signal.longestRun { $0.isBlack })
      #expect(signal.pictures.last.map { $0.time == black.upperBound } == true, "\(black)")
      let silence = try #require(signal.silence)
      let length = silence.upperBound - silence.lowerBound
      #expect(length > 3 && silence.upperBound < black.upperBound - 1, "\(silence)")
    }
  }

  @Test func `a changed bitrate applies at once`() throws {
    let scene = try ChangeScene(["--bitrate", "1500k"], in: folder)
    scene.play(3)
    let change = try scene.noting { try scene.tell("bitrate", "100k") }
    scene.play(4)
    try scene.finishWhole()
    #expect(scene.subject.events("bitrate").contains { $0["bps"] as? Int == 100_000 }, "\(scene.subject.log)")
    let lines = try Tool.probe(scene.files[0], "packet=pts_time,size", of: "v")
    let packets = lines.compactMap { words -> (time: Double, bits: Double)? in
      let words = words.compactMap { Double($0) }
      return words.count == 2 ? (words[0], words[1] * 8) : nil
    }
    func rate(_ times: ClosedRange<Double>) -> Double {
      let bits = packets.filter { times.contains($0.time) }.reduce(0) { $0 + $1.bits }
      return bits / (times.upperBound - times.lowerBound)
    }
    let (before, after) = (rate(0.5...change.lowerBound), rate(change.upperBound...change.upperBound + 2))
    #expect(after < 150_000 && before > after * 1.5, "\(before) then \(after)")
  }
}
