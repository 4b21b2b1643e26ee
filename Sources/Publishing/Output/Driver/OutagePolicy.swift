/// Treatment of media captured during an outage.
package enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// Dropped.
  case live
  /// Sent after the outage, faster than real time.
  case catchUp
}
