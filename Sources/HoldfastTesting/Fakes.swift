public import Holdfast
internal import HoldfastPlatform

/// A camera of test pictures that can be pulled out: a bar that moves a step with each picture.
public final class TestCamera: PictureSource {
  /// It was pulled out.
  public struct Unplugged: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String { "it was pulled out" }
  }

  public let name: String
  public let size: PictureSize
  public let frameRate: FrameRate
  private let isOut = Locked(false)

  /// A camera that is plugged in; its size has to be even.
  public init(
    name: String = "test camera", size: PictureSize = PictureSize(width: 320, height: 240),
    frameRate: FrameRate = 30
  ) {
    self.name = name
    self.size = size
    self.frameRate = frameRate
  }

  /// Pulls the camera out: it is lost until `plugIn()`.
  public func unplug() { isOut.withLock { $0 = true } }
  /// Plugs the camera in again.
  public func plugIn() { isOut.withLock { $0 = false } }

  /// Delivers a picture at each of the rate's instants.
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

/// A sink that keeps everything it gets.
public final class RecordingSink: PacketSink {
  private struct State: Sendable {
    var tracks: [Track] = []
    var packets: [Packet] = []
    var dropped = 0
    var isEnded = false
  }

  private let state = Locked(State())

  /// A sink that has got nothing yet.
  public init() {}

  /// The tracks, in the order in which they began.
  public var tracks: [Track] { state.withLock { $0.tracks } }
  public var packets: [Packet] { state.withLock { $0.packets } }
  /// How many packets it was too slow for.
  public var droppedPackets: Int { state.withLock { $0.dropped } }
  /// Nothing more comes.
  public var isEnded: Bool { state.withLock { $0.isEnded } }

  public func begin(_ track: Track) { state.withLock { $0.tracks.append(track) } }
  public func receive(_ packet: Packet) { state.withLock { $0.packets.append(packet) } }
  public func dropped(_ packets: Int) { state.withLock { $0.dropped += packets } }
  public func end() { state.withLock { $0.isEnded = true } }
}

/// A gate that says what it was told to say.
public final class FakeGate: GoLiveGate {
  /// What the gate answers.
  public enum Answer: Hashable, Sendable {
    case pass
    case refuse(String)
    /// Nothing, until its verdict is no longer awaited.
    case silence
  }

  /// The gate was told to refuse.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  private let answer: Locked<Answer>
  private let asked = Locked<[BroadcastInfo]>([])

  /// A gate with its first answer.
  public init(_ answer: Answer = .pass) {
    self.answer = Locked(answer)
  }

  /// Changes what the gate says from the next question on.
  public func say(_ answer: Answer) { self.answer.withLock { $0 = answer } }

  /// What it has been asked so far.
  public var questions: [BroadcastInfo] { asked.withLock { $0 } }

  /// Answers as told.
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
