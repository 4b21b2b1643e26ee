import HoldfastBroadcasting
import HoldfastMediaModel

/// The summary of a finished broadcast.
public struct Report: Hashable, Sendable, CustomStringConvertible {
  let inner: HoldfastBroadcasting.Report

  init(inner: HoldfastBroadcasting.Report) { self.inner = inner }

  /// Creates a report for the test of a sink.
  public init(
    _ endReason: EndReason, duration: Duration, recordingPath: String? = nil, recordedBytes: Int64 = 0,
    outputCount: Int = 0, interruptionCount: Int = 0, interruptedDuration: Duration = .zero, gaps: [Gap] = []
  ) {
    inner = HoldfastBroadcasting.Report(
      duration: MediaTime(duration), recordingPath: recordingPath, recordedBytes: recordedBytes,
      outputs: outputCount, interruptions: interruptionCount, interrupted: MediaTime(interruptedDuration),
      gaps: gaps.map(\.inner), endReason: .init(as: endReason))
  }

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
  public var gaps: [Gap] { inner.gaps.map(Gap.init(inner:)) }
  /// A one-line human-readable summary.
  public var description: String { inner.description }
}
