import Foundation
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
        case .flushed: "flushed"
        case .continuedElsewhere: "elsewhere"
        case .finished: "finished"
        }
      events.withLock { $0.append(text) }
    }

    func wait(for text: String) -> Bool { eventually(within: 30, every: 2000) { all.contains(text) } }

    var all: [String] { events.withLock { $0 } }
  }

  private let folder = ScratchFolder()
  private let said = Said()
  private var path: String { folder.file("a.mp4") }

  private func packet(_ number: Int, isKeyframe: Bool = false) -> MediaPacket {
    SampleRecording.picture(Int64(number), isKeyframe: isKeyframe)
  }

  @Test func `everything written can be read after a pause, and later packets are appended`() throws {
    let recorder = try Recorder(.new(path), tracks: [.video]) { said.add($0) }
    recorder.offer(SampleRecording.video)
    for number in 0..<40 { recorder.offer(packet(number, isKeyframe: number % 30 == 0)) }
    recorder.flush()
    #expect(said.wait(for: "flushed"))
    #expect(try SampleRecording.times(path) == (0..<40).map { $0 * 3000 })
    for number in 40..<100 { recorder.offer(packet(number, isKeyframe: number == 40)) }
    recorder.flush()
    recorder.flush()
    recorder.finish()
    #expect(said.all == ["opened", "flushed", "flushed", "flushed", "finished"])
    #expect(try SampleRecording.times(path) == (0..<100).map { $0 * 3000 })
  }

  @Test func `an existing file is never overwritten`() throws {
    let path = try folder.write("precious", to: "a.mp4")
    let recorder = try Recorder(.new(path), tracks: [.video]) { said.add($0) }
    recorder.offer(SampleRecording.video)
    recorder.offer(packet(0, isKeyframe: true))
    recorder.finish()
    #expect(said.all.count == 1 && said.all[0].contains("File exists"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func `packets wait during a write, and those without room are reported as lost`() throws {
    var settings = RecorderSettings()
    settings.queue = .seconds(1)
    let release = try Wakeup()
    let recorder = try Recorder(.new(path), tracks: [.video], settings: settings) {
      said.add($0)
      // Until it is released, its thread writes nothing.
      if case .opened = $0 { _ = release.wait(until: .now + .seconds(30)) }
    }
    recorder.offer(SampleRecording.video)
    recorder.offer(packet(0, isKeyframe: true))
    #expect(said.wait(for: "opened"))
    for number in 1..<60 { recorder.offer(packet(number, isKeyframe: number % 25 == 0)) }
    #expect(recorder.queued >= .milliseconds(900) && recorder.queued <= .milliseconds(1100))
    release.signal()
    recorder.finish()
    let times = try SampleRecording.times(path)
    #expect(times == times.indices.map { Int64($0) * 3000 } && (30..<40).contains(times.count))
    #expect(said.all.contains("finished") && said.all.contains { $0.hasPrefix("lost video") })
  }
}
