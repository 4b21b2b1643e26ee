public import Holdfast
import HoldfastPlatform

/// A test camera that can be unplugged. It shows a bar that moves with each picture.
public final class TestCamera: PictureSource {
  /// Thrown by `run` while the camera is unplugged.
  public struct Unplugged: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String { "it was pulled out" }
  }

  public let name: String
  public let size: PictureSize
  public let frameRate: FrameRate
  private let isOut = Locked(false)

  /// Creates a plugged-in camera, whose size must be even.
  public init(
    name: String = "test camera", size: PictureSize = PictureSize(width: 320, height: 240),
    frameRate: FrameRate = 30
  ) {
    self.name = name
    self.size = size
    self.frameRate = frameRate
  }

  /// Unplugs the camera: the source is lost until `plugIn()`.
  public func unplug() { isOut.withLock { $0 = true } }
  /// Plugs the camera in again.
  public func plugIn() { isOut.withLock { $0 = false } }

  /// Delivers pictures at the frame rate; throws `Unplugged` while the camera is unplugged.
  public func run(until stop: SourceStop, deliver: (Picture) -> Void) throws {
    var due = CaptureTime.now
    var number = 0
    while !stop.wait(until: due) {
      guard !isOut.withLock({ $0 }) else { throw Unplugged() }
      if let picture = Picture(size: size, planes: planes(number), captureTime: due) { deliver(picture) }
      number += 1
      due = due + frameRate.frameDuration
    }
  }

  private func planes(_ number: Int) -> [UInt8] {
    let bar = number * 4 % size.width
    var line = [UInt8](repeating: 60, count: size.width)
    for column in bar..<min(bar + 16, size.width) { line[column] = 220 }
    let luma = (0..<size.height).flatMap { _ in line }
    return luma + [UInt8](repeating: 128, count: size.width * size.height / 2)
  }
}

/// A sink that keeps everything it receives.
public final class RecordingSink: PacketSink {
  private struct State: Sendable {
    var tracks: [Track] = []
    var packets: [Packet] = []
    var dropped = 0
    var isEnded = false
  }

  private let state = Locked(State())

  /// Creates an empty sink.
  public init() {}

  /// The tracks, in the order of their start.
  public var tracks: [Track] { state.withLock { $0.tracks } }
  public var packets: [Packet] { state.withLock { $0.packets } }
  /// The number of packets dropped because the sink was too slow.
  public var droppedPackets: Int { state.withLock { $0.dropped } }
  /// Whether the sink's input has ended.
  public var isEnded: Bool { state.withLock { $0.isEnded } }

  public func begin(_ track: Track) { state.withLock { $0.tracks.append(track) } }
  public func receive(_ packet: Packet) { state.withLock { $0.packets.append(packet) } }
  public func dropped(_ packets: Int) { state.withLock { $0.dropped += packets } }
  public func end() { state.withLock { $0.isEnded = true } }
}

/// A gate with a scripted verdict.
public final class FakeGate: GoLiveGate {
  /// The verdict of the gate.
  public enum Answer: Hashable, Sendable {
    case pass
    case refuse(String)
    /// No verdict: waits until the task is cancelled.
    case silence
  }

  /// The error that the gate throws to refuse.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  private let answer: Locked<Answer>
  private let asked = Locked<[BroadcastInfo]>([])

  /// Creates a gate with its initial verdict.
  public init(_ answer: Answer = .pass) {
    self.answer = Locked(answer)
  }

  /// Changes the verdict from the next request on.
  public func say(_ answer: Answer) { self.answer.withLock { $0 = answer } }

  /// The requests so far.
  public var questions: [BroadcastInfo] { asked.withLock { $0 } }

  /// Returns, throws or waits according to the current verdict.
  public func mayGoLive(_ info: BroadcastInfo) async throws {
    asked.withLock { $0.append(info) }
    switch answer.withLock({ $0 }) {
    case .pass: return
    case .refuse(let reason): throw Refusal(description: reason)
    case .silence:
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
      throw CancellationError()
    }
  }
}
