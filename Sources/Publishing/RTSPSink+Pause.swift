internal import Lifecycle
public import MediaModel
internal import Platform
internal import RTSP

/// An interruption without a new session: the server's recording waits, and goes on where it stopped.
extension RTSPSink {
  /// The server has said that it knows how to pause.
  public var canPause: Bool { client?.canPause ?? false }

  /// Sends what is left and has the server wait. From then on `send` does nothing; `exchange` has to be called as ever,
  /// which keeps the session alive.
  ///
  /// Throws where the server will not (then the connection has to be closed) and when it does not answer in time.
  public func pause(until deadline: MonotonicTime) throws(SinkError) {
    try speak { client throws(RTSPError) in try client.pause(at: .now) }
    tracks?.pause()
    let isDone = try run(until: deadline) { client?.isPaused ?? false }
    guard isDone else { throw SinkError(.timedOut, "\(url.redacted): no answer to PAUSE in time") }
  }

  /// Has the server record again in the same session; the next packet goes on where the last one before the pause ended.
  public func resume(until deadline: MonotonicTime) throws(SinkError) {
    let position = tracks?.position ?? .zero
    try speak { client throws(RTSPError) in try client.resume(from: position, at: .now) }
    let isDone = try run(until: deadline) { client?.isRecording ?? false }
    guard isDone else { throw SinkError(.timedOut, "\(url.redacted): no answer to RECORD in time") }
  }
}
