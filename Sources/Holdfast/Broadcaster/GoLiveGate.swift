import HoldfastBroadcasting

/// Decides whether a broadcast may go live.
///
/// It is consulted on a thread of its own, after every output has connected, was refused or has failed, and
/// before anything is published, recorded or sent. Its task is cancelled when the verdict is no longer needed: after the timeout, or if the
/// start was cancelled.
public protocol GoLiveGate: Sendable {
  /// Returns if the broadcast may go live; throws the reason if it may not.
  func authorize(_ broadcast: BroadcastInfo) async throws
}

/// The broadcast that a gate decides about.
public struct BroadcastInfo: Hashable, Sendable {
  /// Whether a broadcast starts or resumes after an interruption.
  public enum Occasion: String, Hashable, Sendable, CaseIterable {
    case start, resume
  }

  let inner: HoldfastBroadcasting.BroadcastInfo

  init(inner: HoldfastBroadcasting.BroadcastInfo) { self.inner = inner }

  /// Creates a description, for tests of a gate.
  public init(
    id: String, name: String, occasion: Occasion = .start, outputIDs: [String] = [],
    recordingDirectory: String? = nil
  ) {
    inner = HoldfastBroadcasting.BroadcastInfo(
      id: id, name: name, occasion: .init(as: occasion), outputs: outputIDs,
      recordingDirectory: recordingDirectory)
  }

  /// The id of the broadcast in its events.
  public var id: String { inner.id }
  public var name: String { inner.name }
  public var occasion: Occasion { Occasion(as: inner.occasion) }
  public var outputIDs: [String] { inner.outputs }
  /// The folder of the recording; nil if nothing is recorded.
  public var recordingDirectory: String? { inner.recordingDirectory }
}

struct GateAdapter: HoldfastBroadcasting.GoLiveGate {
  let gate: any GoLiveGate

  func authorize(_ broadcast: HoldfastBroadcasting.BroadcastInfo) async throws {
    try await gate.authorize(BroadcastInfo(inner: broadcast))
  }
}
