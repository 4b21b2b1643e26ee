import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastCapture

/// A PCM that plays a script, one step for each query of its position.
private final class ScriptedPCM: PCMStream {
  enum Step {
    /// So many frames are available, `delay` frames old.
    case sound(_ frames: Int, delay: Int)
    case nothing
    case condition(PCMPosition.Condition)
    /// Frames are announced, but reading them fails.
    case unreadable(PCMError)
    case failure(PCMError)
  }

  private var steps: [Step]
  private let stop: Wakeup
  private var readable = 0
  private var readError: PCMError?
  private var time = MonotonicTime(nanoseconds: 10_000_000_000)
  private let restartError: PCMError?
  private(set) var restarts = 0

  init(_ steps: [Step], restartError: PCMError? = nil) throws {
    self.steps = steps
    self.restartError = restartError
    stop = try Wakeup()
  }

  func restart() throws(PCMError) {
    restarts += 1
    if restarts > 1, let restartError { throw restartError }
  }

  func position() throws(PCMError) -> PCMPosition {
    let step = steps.isEmpty ? .nothing : steps.removeFirst()
    if steps.isEmpty { stop.signal() }
    var position = PCMPosition(condition: .running, available: 0, delay: 0, stamp: time, now: time)
    readError = nil
    switch step {
    case .sound(let frames, let delay):
      position.available = frames
      position.delay = delay
    case .nothing: break
    case .condition(let condition): position.condition = condition
    case .unreadable(let error):
      position.available = 1
      readError = error
    case .failure(let error): throw error
    }
    readable = position.available
    return position
  }

  func read(_ frames: Int) throws(PCMError) -> [Float] {
    if let readError { throw readError }
    let count = min(frames, readable)
    readable -= count
    return [Float](repeating: 0.5, count: count * 2)
  }

  func wait(for stop: Wakeup, until deadline: MonotonicTime) throws(PCMError) -> Wakeup.Outcome {
    time = time + .milliseconds(50)
    return .timedOut
  }

  /// Reads until the script is over, or the PCM is lost.
  func run() -> (blocks: [AudioBlock], loss: MicrophoneReader<ScriptedPCM>.Loss?) {
    var reader = MicrophoneReader(self, format: AudioFormat(sampleRate: 48000, channels: 2))
    var blocks: [AudioBlock] = []
    do {
      try reader.run(until: stop) { blocks.append($0) }
      return (blocks, nil)
    } catch {
      return (blocks, error)
    }
  }
}

private let overrun = PCMError(operation: "reading", code: 32)
private let gone = PCMError(operation: "reading", code: 19)
private let serverDied = PCMError(operation: "preparing", code: 5)

@Suite struct MicrophoneReaderTests {
  @Test(arguments: [(480, 960, [480], [9_980]), (2400, 2400, [960, 960, 480], [9_950, 9_970, 9_990])])
  func `a block's time follows from its delay, and a backlog comes in blocks of 20 ms`(
    frames: Int, delay: Int, counts: [Int], milliseconds: [Int64]
  ) throws {
    let (blocks, loss) = try ScriptedPCM([.sound(frames, delay: delay)]).run()
    #expect((loss, blocks.map(\.frameCount)) == (nil, counts))
    #expect(blocks.map(\.captureTime.nanoseconds) == milliseconds.map { $0 * 1_000_000 })
  }

  @Test(arguments: [
    ScriptedPCM.Step.condition(.interrupted), .unreadable(overrun),
    .unreadable(PCMError(operation: "reading", code: 86)),
  ])
  private func `an overrun restarts the microphone and reports the loss`(step: ScriptedPCM.Step) throws {
    // The first block ends at 10 s; after two waits of 50 ms the next one has just begun.
    let pcm = try ScriptedPCM([
      .sound(480, delay: 480), step, .nothing, .sound(480, delay: 0), .sound(480, delay: 480),
    ])
    let (blocks, loss) = pcm.run()
    #expect((loss, pcm.restarts) == (nil, 2))
    #expect(blocks.map(\.lostBefore) == [.zero, .milliseconds(100), .zero])
  }

  @Test func `no loss is reported without an overrun, however the stamps jump`() throws {
    let (blocks, _) = try ScriptedPCM([.sound(480, delay: 480), .sound(480, delay: 480)]).run()
    #expect(blocks.map(\.lostBefore) == [.zero, .zero])
  }

  @Test func `a microphone silent for a second counts as lost`() throws {
    let silence = [ScriptedPCM.Step](repeating: .nothing, count: 100)
    let (blocks, loss) = try ScriptedPCM([.sound(480, delay: 480)] + silence).run()
    #expect((blocks.count, loss) == (1, .silent))
  }

  @Test func `a microphone silent for less than a second does not count as lost`() throws {
    let silence = [ScriptedPCM.Step](repeating: .nothing, count: 19)
    let pcm = try ScriptedPCM(silence + [.sound(1, delay: 1)] + silence + [.sound(1, delay: 1)])
    let (blocks, loss) = pcm.run()
    #expect((blocks.count, loss) == (2, nil))
  }

  @Test func `the number of restarts without a sample in between is limited`() throws {
    let overruns = [ScriptedPCM.Step](repeating: .condition(.interrupted), count: 10)
    let hopeful = try ScriptedPCM(overruns + [.sound(1, delay: 1)] + overruns + [.sound(1, delay: 1)])
    #expect((hopeful.run().loss, hopeful.restarts) == (nil, 21))
    #expect(try ScriptedPCM(overruns + overruns).run().loss == .restartsFailed)
  }

  @Test(
    arguments: [
      (.condition(.disconnected), .disconnected), (.unreadable(gone), .failed(gone)),
      (.failure(gone), .failed(gone)),
    ] as [(ScriptedPCM.Step, MicrophoneReader<ScriptedPCM>.Loss)])
  private func `an unplugged microphone counts as lost`(
    step: ScriptedPCM.Step, loss: MicrophoneReader<ScriptedPCM>.Loss
  ) throws {
    #expect(try ScriptedPCM([step, .nothing]).run().loss == loss)
  }

  @Test func `a dead sound server is detected when the restart after an overrun fails`() throws {
    let pcm = try ScriptedPCM([.unreadable(overrun), .nothing], restartError: serverDied)
    #expect(pcm.run().loss == .failed(serverDied))
  }
}
