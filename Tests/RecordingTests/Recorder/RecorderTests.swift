import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRecording

@Suite(.realTime) struct RecorderTests {
  /// What a recorder said, in order.
  private final class Said: Sendable {
    let events = Locked<[String]>([])

    func add(_ event: Recorder.Event) {
      let text =
        switch event {
        case .opened: "opened"
        case .lost(let loss): "lost \(loss.track.rawValue) \(loss.duration.milliseconds)"
        case .disk(let state): "disk \(state.name)"
        case .unfinished: "unfinished"
        case .failed(let error, _): "failed \(error.what)"
        case .paused: "paused"
        case .continuedElsewhere: "elsewhere"
        case .finished: "finished"
        }
      events.withLock { $0.append(text) }
    }

    /// False when it is not said within half a minute.
    func wait(for text: String) -> Bool {
      let deadline = MonotonicTime.now + .seconds(30)
      while !all.contains(text), .now < deadline { usleep(2000) }
      return all.contains(text)
    }

    var all: [String] { events.withLock { $0 } }
  }

  private let video = Track(
    codec: .h264,
    format: .video(VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)),
    headers: [1, 66, 0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0, 30, 9, 1, 0, 3, 0x68, 0xCE, 1], bitrate: 0)

  private func packet(_ number: Int64, isKeyframe: Bool = false) -> MediaPacket {
    let time = FrameRate.thirty.time(ofFrame: number)
    return MediaPacket(
      track: .video, decodeTime: time, presentationTime: time, duration: FrameRate.thirty.frameDuration,
      isKeyframe: isKeyframe, bytes: [0, 0, 0, 2, 0x65, UInt8(truncatingIfNeeded: number)])
  }

  @Test func `every packet is in the file, at its own time, from 0 on`() throws {
    let folder = try ScratchFolder()
    let said = Said()
    let recorder = try Recorder(.new(folder.file("a.mp4")), tracks: [.video]) { said.add($0) }
    recorder.offer(video)
    for number in 0..<100 { recorder.offer(packet(Int64(number), isKeyframe: number % 30 == 0)) }
    recorder.finish()
    #expect(said.all == ["opened", "finished"])
    var reader = try PacketReader(path: folder.file("a.mp4"), kind: .video)
    var times: [Int64] = []
    while let packet = try reader.next() { times.append(packet.decodeTime.ticks(timescale: 90_000)) }
    #expect(times == (0..<100).map { $0 * 3000 })
  }

  @Test func `after a pause everything so far can be read, and what comes later is appended`() throws {
    let folder = try ScratchFolder()
    let said = Said()
    let recorder = try Recorder(.new(folder.file("a.mp4")), tracks: [.video]) { said.add($0) }
    recorder.offer(video)
    for number in 0..<40 { recorder.offer(packet(Int64(number), isKeyframe: number % 30 == 0)) }
    recorder.pause()
    #expect(said.wait(for: "paused"))
    #expect(try times(folder.file("a.mp4")) == (0..<40).map { $0 * 3000 })
    for number in 40..<100 { recorder.offer(packet(Int64(number), isKeyframe: number == 40)) }
    recorder.pause()
    recorder.pause()
    recorder.finish()
    #expect(said.all == ["opened", "paused", "paused", "paused", "finished"])
    #expect(try times(folder.file("a.mp4")) == (0..<100).map { $0 * 3000 })
  }

  private func times(_ path: String) throws -> [Int64] {
    var reader = try PacketReader(path: path, kind: .video)
    var times: [Int64] = []
    while let packet = try reader.next() { times.append(packet.decodeTime.ticks(timescale: 90_000)) }
    return times
  }

  @Test(arguments: [false, true])
  func `nothing is made where nothing came`(isAnnounced: Bool) throws {
    let folder = try ScratchFolder()
    let said = Said()
    let recorder = try Recorder(.new(folder.file("a.mp4")), tracks: [.video]) { said.add($0) }
    if isAnnounced { recorder.offer(video) }
    recorder.finish()
    #expect(said.all.isEmpty)
    #expect(folder.recordings.isEmpty)
  }

  @Test func `a file that exists is never written over`() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("precious", to: "a.mp4")
    let said = Said()
    let recorder = try Recorder(.new(path), tracks: [.video]) { said.add($0) }
    recorder.offer(video)
    recorder.offer(packet(0, isKeyframe: true))
    recorder.finish()
    #expect(said.all.count == 1 && said.all[0].contains("File exists"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func `behind what found no room the picture goes on with a keyframe`() throws {
    let folder = try ScratchFolder()
    let said = Said()
    var settings = RecorderSettings()
    settings.queue = .seconds(1)
    let release = try Wakeup()
    let recorder = try Recorder(.new(folder.file("a.mp4")), tracks: [.video], settings: settings) {
      said.add($0)
      // Until it is released, its thread writes nothing.
      if case .opened = $0 { _ = release.wait(until: .now + .seconds(30)) }
    }
    recorder.offer(video)
    recorder.offer(packet(0, isKeyframe: true))
    #expect(said.wait(for: "opened"))
    for number in 1..<60 { recorder.offer(packet(Int64(number), isKeyframe: number % 25 == 0)) }
    #expect(recorder.queued >= .milliseconds(900) && recorder.queued <= .milliseconds(1100))
    release.signal()
    let deadline = MonotonicTime.now + .seconds(30)
    while recorder.queued > .zero, .now < deadline { usleep(2000) }
    for number in 60..<100 { recorder.offer(packet(Int64(number), isKeyframe: number % 25 == 0)) }
    recorder.finish()
    #expect(said.all.contains("finished"))
    var reader = try PacketReader(path: folder.file("a.mp4"), kind: .video)
    var numbers: [Int64] = []
    while let packet = try reader.next() { numbers.append(packet.decodeTime.ticks(timescale: 90_000) / 3000) }
    let kept = Array(numbers.prefix { $0 < 60 })
    #expect(kept == Array(0..<Int64(kept.count)) && kept.count < 40)
    #expect(numbers.dropFirst(kept.count) == Array(75..<100)[...])
    #expect(said.all.contains { $0.hasPrefix("lost video") })
  }
}
