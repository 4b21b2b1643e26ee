import Dispatch
import Holdfast
import HoldfastTesting
import TestTraits
import Testing

/// Pictures of a program that hangs: its source neither delivers nor stops.
private final class BlockedSource: PictureSource {
  let name = "grid"
  let size = PictureSize(width: 64, height: 64)
  let frameRate: FrameRate = 25
  let end = DispatchSemaphore(value: 0)

  func run(until stop: SourceStop, deliver: (Picture) -> Void) { end.wait() }
}

@Suite(.realTime) struct BlockedSourceTests {
  @Test func `a broadcast whose source hangs ends, and says so`() async throws {
    let source = BlockedSource()
    var configuration = Configuration()
    configuration.video.source = .source(source)
    configuration.audio.source = .testTone
    configuration.recording.directory = nil
    let broadcaster = try Broadcaster(configuration, sinks: [CollectingSink()])
    let error = await #expect(throws: BroadcastError.self) { try await broadcaster.run() }
    #expect(error?.kind == .device && error?.what.contains("delivered nothing within 5 s") == true)
    source.end.signal()
  }
}
