import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRecording

@Suite(.realTime) struct RecorderTests {
  private let folder = ScratchFolder()
  private let reports = Reports<Recorder.Event>()
  private var path: String { folder.file("a.mp4") }
  private var finished: Recorder.Event { .finished(path: path, bytes: fileSize(path)) }

  @Test func `everything written can be read after a pause, and later packets are appended`() throws {
    let recorder = try Recorder(.new(path), tracks: [.video]) { reports.add($0) }
    recorder.offer(SampleRecording.video)
    for number in Int64(0)..<40 { recorder.offer(picture(number, isKeyframe: number % 30 == 0)) }
    recorder.flush()
    #expect(reports.wait { $0.contains(.flushed) })
    #expect(try SampleRecording.times(path) == (0..<40).map { $0 * 3000 })
    for number in Int64(40)..<100 { recorder.offer(picture(number, isKeyframe: number == 40)) }
    recorder.flush()
    recorder.flush()
    recorder.finish()
    #expect(reports.all == [.opened(path: path), .flushed, .flushed, .flushed, finished])
    #expect(try SampleRecording.times(path) == (0..<100).map { $0 * 3000 })
  }

  @Test func `an existing file is never overwritten`() throws {
    let path = try folder.write("precious", to: "a.mp4")
    let recorder = try Recorder(.new(path), tracks: [.video]) { reports.add($0) }
    recorder.offer(SampleRecording.video)
    recorder.offer(picture(0, isKeyframe: true))
    recorder.finish()
    #expect(reports.all.count == 1)
    guard case .failed(let error, bytes: 0) = reports.all.first else { throw TestFailure("\(reports.all)") }
    #expect(error.what.contains("File exists"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func `packets wait during a write, and those without room are reported as lost`() throws {
    var settings = RecorderSettings()
    settings.queue = .seconds(1)
    let release = try Wakeup()
    let recorder = try Recorder(.new(path), tracks: [.video], settings: settings) {
      reports.add($0)
      // Until it is released, its thread writes nothing.
      if case .opened = $0 { _ = release.wait(until: .now + .seconds(30)) }
    }
    recorder.offer(SampleRecording.video)
    recorder.offer(picture(0, isKeyframe: true))
    #expect(reports.wait { $0.contains(.opened(path: path)) })
    for number in Int64(1)..<60 { recorder.offer(picture(number, isKeyframe: number % 25 == 0)) }
    #expect(recorder.queued >= .milliseconds(900) && recorder.queued <= .milliseconds(1100))
    release.signal()
    recorder.finish()
    let times = try SampleRecording.times(path)
    #expect(times == times.indices.map { Int64($0) * 3000 } && (30..<40).contains(times.count))
    #expect(reports.all.contains(finished))
    #expect(reports.all.contains { if case .lost(let loss) = $0 { loss.track == .video } else { false } })
  }
}
