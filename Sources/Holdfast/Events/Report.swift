import HoldfastBroadcasting
import HoldfastMediaModel

/// The summary of a finished broadcast.
public struct Report: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.Report

  /// Why the broadcast ended.
  public var endReason: EndReason { EndReason(as: inner.endReason) }
  /// The length of the broadcast, without its interruptions.
  public var duration: Duration { Duration(inner.duration) }
  /// The path of the recording; nil if nothing was recorded.
  public var recordingPath: String? { inner.recordingPath }
  public var recordedBytes: Int64 { inner.recordedBytes }
  /// The number of outputs that received media.
  public var outputCount: Int { inner.outputs }
  public var interruptionCount: Int { inner.interruptions }
  /// The total length of all interruptions.
  public var interruptedDuration: Duration { Duration(inner.interrupted) }
  public var gaps: [Gap] { inner.gaps.map(Gap.init) }
  /// A one-line human-readable summary.
  public var description: String { inner.description }
}
