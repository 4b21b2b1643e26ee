internal import HoldfastBroadcasting

/// Decides whether a broadcast may go live.
///
/// It is asked when every output has been accepted, refused or has failed once, and before anything is recorded or
/// sent. Its task is cancelled when the verdict is no longer awaited: the time for it is over, or the start was taken back.
public protocol GoLiveGate: Sendable {
  /// Returns when the broadcast may go live, and throws why it may not.
  func mayGoLive(_ info: BroadcastInfo) async throws
}

/// What a gate is told.
public struct BroadcastInfo: Hashable, Sendable {
  /// The start of a broadcast, or its return from an interruption.
  public enum Occasion: Hashable, Sendable, CaseIterable {
    case start, resume
  }

  public var id: String
  public var name: String
  public var occasion: Occasion
  /// The ids of the outputs.
  public var outputs: [String]
  /// The folder of the recording; nil for no recording.
  public var recordingDirectory: String?

  init(_ info: HoldfastBroadcasting.BroadcastInfo) {
    id = info.id
    name = info.name
    occasion =
      switch info.occasion {
      case .start: .start
      case .resume: .resume
      }
    outputs = info.outputs
    recordingDirectory = info.recordingDirectory
  }
}

struct GateAdapter: HoldfastBroadcasting.GoLiveGate {
  let gate: any GoLiveGate

  func readyToGoLive(_ broadcast: HoldfastBroadcasting.BroadcastInfo) async throws {
    try await gate.mayGoLive(BroadcastInfo(broadcast))
  }
}
