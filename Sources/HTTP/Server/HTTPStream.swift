import HoldfastCMicroHTTPD
import HoldfastMediaModel
import HoldfastPlatform

/// A stream being sent on a connection, which is suspended while there is nothing to send.
final class HTTPStream {
  private enum State {
    /// When the connection was last given data.
    case sending(since: MonotonicTime)
    case suspended(until: MonotonicTime)
    case dropped
  }

  private let connection: OpaquePointer
  private let descriptor: Int32
  private let timeout: MediaTime
  private var stream: any ResponseStream
  private var piece: [UInt8] = []
  private var offset = 0
  private var isOver = false
  /// The server is ending, so only what the stream has now is sent.
  private var isLast = false
  private var state: State

  init(_ stream: any ResponseStream, on connection: OpaquePointer, timeout: MediaTime) {
    self.stream = stream
    self.connection = connection
    self.timeout = timeout
    descriptor = cmhd_descriptor(connection)
    state = .sending(since: .now)
  }

  enum Filled {
    case bytes(Int)
    case suspended(until: MonotonicTime)
    case over
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at now: MonotonicTime) -> Filled {
    var filled = 0
    var nothingUntil = now
    while filled < buffer.count, hasPiece(at: now, else: &nothingUntil) {
      let count = min(buffer.count - filled, piece.count - offset)
      piece.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
      }
      filled += count
      offset += count
    }
    if filled > 0 {
      state = .sending(since: now)
      return .bytes(filled)
    }
    if isOver { return .over }
    state = .suspended(until: nothingUntil)
    MHD_suspend_connection(connection)
    return .suspended(until: nothingUntil)
  }

  private func hasPiece(at now: MonotonicTime, else nothingUntil: inout MonotonicTime) -> Bool {
    while offset == piece.count {
      if isOver { return false }
      switch stream.next(at: now) {
      case .bytes(let bytes): (piece, offset) = (bytes, 0)
      case .over: isOver = true
      case .nothing where isLast: isOver = true
      case .nothing(let until):
        nothingUntil = until
        return false
      }
    }
    return true
  }

  /// Resumes if there is something to send; returns when to poll again.
  func poll(at now: MonotonicTime, isSignalled: Bool) -> MonotonicTime? {
    switch state {
    case .suspended(var until):
      if !isSignalled, now < until { return until }
      guard hasPiece(at: now, else: &until) || isOver else {
        state = .suspended(until: until)
        return until
      }
      resume(at: now)
      return now + timeout
    case .sending(let since):
      guard now >= since + timeout else { return since + timeout }
      drop()
      return nil
    case .dropped: return nil
    }
  }

  private func drop() {
    state = .dropped
    OpenConnections<OpaquePointer>.end(descriptor)
  }

  func finish(at now: MonotonicTime) {
    isLast = true
    if case .suspended = state { resume(at: now) }
  }

  private func resume(at now: MonotonicTime) {
    state = .sending(since: now)
    MHD_resume_connection(connection)
  }
}
