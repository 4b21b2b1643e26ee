internal import HoldfastBroadcasting

/// Decides whether a broadcast may go live.
///
/// It is asked when every output has been accepted, refused or has failed once, and before anything is recorded or
/// sent. Its task is cancelled when the verdict is no longer awaited: the time for it is over, or the start was taken back.
public protocol GoLiveGate: Sendable {
  /// Returns when the broadcast may go live, and throws why it may not.
  func mayGoLive(_ info: BroadcastInfo) async throws
}

/// The broadcast that a gate is asked about.
public struct BroadcastInfo: Hashable, Sendable {
  /// The start of a broadcast, or its return from an interruption.
  public enum Occasion: String, Hashable, Sendable, CaseIterable {
    case start, resume
  }

  let inner: HoldfastBroadcasting.BroadcastInfo

  public var id: String { inner.id }
  public var name: String { inner.name }
  public var occasion: Occasion { Occasion(as: inner.occasion) }
  /// The ids of the outputs.
  public var outputs: [String] { inner.outputs }
  /// The folder of the recording; nil for no recording.
  public var recordingDirectory: String? { inner.recordingDirectory }
}

struct GateAdapter: HoldfastBroadcasting.GoLiveGate {
  let gate: any GoLiveGate

  func readyToGoLive(_ broadcast: HoldfastBroadcasting.BroadcastInfo) async throws {
    try await gate.mayGoLive(BroadcastInfo(inner: broadcast))
  }
}
