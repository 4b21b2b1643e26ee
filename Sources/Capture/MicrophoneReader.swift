internal import Glibc
internal import MediaModel
internal import Platform

/// The thread that makes ALSA's calls. Whoever takes its events can give up on it at any time.
final class MicrophoneReader: Sendable {
  enum Event: Sendable {
    case opened(PCM.Setup)
    case block(AudioBlock)
    case failed(PCM.Failure)
  }

  /// Closed when the thread has ended and the device is free.
  let events = BoundedQueue<Event>(capacity: 64)
  private let isStopped = Locked(false)

  private static let longestBlock = MediaTime.milliseconds(20)
  /// So many overruns in a row without a sample in between are no overruns.
  private static let overrunLimit = 10

  func start(_ name: String, _ wanted: AudioFormat) throws(PCM.Failure) {
    do {
      let thread = try WorkerThread(name: "microphone") { [self] in
        read(name, wanted)
        events.close()
      }
      thread.abandon()
    } catch {
      throw PCM.Failure(operation: error.operation, code: error.code)
    }
  }

  func stop() {
    isStopped.withLock { $0 = true }
  }

  private func read(_ name: String, _ wanted: AudioFormat) {
    do {
      let pcm = try PCM(name, wanted: wanted)
      _ = events.offer(.opened(pcm.setup))
      try capture(pcm)
    } catch {
      _ = events.offer(.failed(error))
    }
  }

  private func capture(_ pcm: borrowing PCM) throws(PCM.Failure) {
    let format = pcm.setup.format
    let frames = Int(Self.longestBlock.ticks(timescale: format.sampleRate))
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: frames * format.channels * pcm.setup.layout.bytes, alignment: 8)
    defer { buffer.deallocate() }
    var overruns = 0
    var end: MonotonicTime?
    var isAfterLoss = false
    while !isStopped.withLock({ $0 }) {
      do throws(PCM.Failure) {
        guard let block = try nextBlock(pcm, buffer) else { continue }
        let lost = isAfterLoss ? end.map { max(.zero, block.time - $0) } : nil
        overruns = 0
        let isTaken = events.offer(
          .block(
            AudioBlock(
              format: format, captureTime: block.time, samples: block.samples, lostBefore: lost ?? .zero)))
        isAfterLoss = !isTaken
        if isTaken { end = block.time + format.duration(ofFrames: block.samples.count / format.channels) }
      } catch {
        guard [EPIPE, ESTRPIPE].contains(error.code), overruns < Self.overrunLimit else { throw error }
        overruns += 1
        isAfterLoss = true
        try pcm.recover()
      }
    }
  }

  /// What the device has next, and when the first of it was heard; nil when it has nothing yet.
  private func nextBlock(
    _ pcm: borrowing PCM, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(PCM.Failure) -> (samples: [Float], time: MonotonicTime)? {
    guard try pcm.wait(atMost: .milliseconds(50)) else { return nil }
    let status = try pcm.readStatus()
    if status.isDisconnected { throw PCM.Failure(operation: "status", code: ENODEV) }
    let count = try pcm.read(into: buffer)
    guard count > 0 else { return nil }
    let bytes = count * pcm.setup.format.channels * pcm.setup.layout.bytes
    return (pcm.setup.layout.floats(UnsafeRawBufferPointer(rebasing: buffer[..<bytes])), status.nextFrame)
  }
}
