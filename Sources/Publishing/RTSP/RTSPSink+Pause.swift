internal import HoldfastLifecycle
package import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRTSP

/// An interruption without a new session: the server's recording waits, and goes on where it stopped.
extension RTSPSink {
  /// Sends what is left and has the server wait. From then on `send` does nothing; `exchange` has to be called as ever,
  /// which keeps the session alive.
  ///
  /// False where the server does not know how to. Throws where it will not (then the connection has to be closed) and when
  /// it does not answer in time.
  package func pause(until deadline: MonotonicTime) throws(SinkError) -> Bool {
    guard client?.canPause == true else { return false }
    try speak { client throws(RTSPError) in try client.pause(at: .now) }
    tracks?.pause()
    let isDone = try run(until: deadline) { self.client?.isPaused ?? false }
    guard isDone else { throw SinkError(.timedOut, "\(url.redacted): no answer to PAUSE in time") }
    return true
  }

  /// Has the server record again in the same session; the next packet goes on where the last one before the pause ended.
  package func resume(until deadline: MonotonicTime) throws(SinkError) {
    let position = tracks?.position ?? .zero
    try speak { client throws(RTSPError) in try client.resume(from: position, at: .now) }
    let isDone = try run(until: deadline) { client?.isRecording ?? false }
    guard isDone else { throw SinkError(.timedOut, "\(url.redacted): no answer to RECORD in time") }
  }
}
