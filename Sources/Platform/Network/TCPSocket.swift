internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// A TCP socket of ours: non-blocking, without delay, without a signal when the peer is gone.
struct TCPSocket: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// Takes over a socket that is connected.
  init(owning raw: Int32) {
    file = FileDescriptor(owning: raw)
  }

  var raw: Int32 { file.raw }

  /// What every connection of ours wants. Our own watchdogs are faster than the system's: its limit is the last resort.
  static func prepare(_ raw: Int32) {
    setOption(raw, cp_IPPROTO_TCP, TCP_NODELAY, 1)
    setOption(raw, cp_IPPROTO_TCP, TCP_USER_TIMEOUT, 60_000)
  }

  /// What has come is acknowledged at once. A server that sends a conversation in small pieces waits for that before the
  /// next piece, 40 ms each time. The system forgets it now and then.
  static func acknowledgeAtOnce(_ raw: Int32) {
    setOption(raw, cp_IPPROTO_TCP, TCP_QUICKACK, 1)
  }

  @discardableResult
  static func setOption(_ raw: Int32, _ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
    var value = value
    return setsockopt(raw, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// Why the last attempt to connect ended; 0 when it has succeeded.
  static func pendingError(_ raw: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : cp_errno()
  }

  static func localAddress(_ raw: Int32) -> SocketAddress? {
    SocketAddress { getsockname(raw, $0, $1) }
  }

  static func peerAddress(_ raw: Int32) -> SocketAddress? {
    SocketAddress { getpeername(raw, $0, $1) }
  }

  /// What a call moved: some bytes, nothing for now, or the errno of its failure.
  enum Outcome {
    case bytes(Int)
    case wouldBlock
    case failed(Int32)

    fileprivate init(_ call: () -> Int) {
      while true {
        let count = call()
        if count >= 0 {
          self = .bytes(count)
          return
        }
        let code = cp_errno()
        if code == EINTR { continue }
        self = code == EAGAIN || code == EWOULDBLOCK ? .wouldBlock : .failed(code)
        return
      }
    }
  }

  /// Appends what has arrived; `.bytes(0)` is the end.
  func receive(into buffer: inout [UInt8], limit: Int) -> Outcome {
    var outcome = Outcome.wouldBlock
    buffer.append(addingCapacity: limit) { (free: inout OutputSpan<UInt8>) in
      free.withUnsafeMutableBufferPointer { pointer, count in
        let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(pointer)[count...])
        outcome = Outcome { recv(raw, room.baseAddress, min(limit, room.count), 0) }
        if case .bytes(let received) = outcome { count += received }
      }
    }
    return outcome
  }

  func send(_ bytes: borrowing Span<UInt8>) -> Outcome {
    bytes.withUnsafeBytes { bytes in
      Outcome { Glibc.send(raw, bytes.baseAddress, bytes.count, cp_MSG_NOSIGNAL) }
    }
  }

  /// No more comes from us: the peer reads the end.
  func finishSending() {
    Glibc.shutdown(raw, cp_SHUT_WR)
  }

  /// Ends the connection now, with a reset; what was not sent is lost.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    connect(raw, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }

  /// Bytes that the peer's system has not acknowledged.
  var unacknowledgedBytes: Int { max(0, Int(cp_unacknowledged_bytes(raw))) }

  /// Bytes that have not been sent even once.
  var notSentBytes: Int { max(0, Int(cp_not_sent_bytes(raw))) }

  var roundTrip: MediaTime? {
    var information = tcp_info()
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    guard getsockopt(raw, cp_IPPROTO_TCP, TCP_INFO, &information, &length) == 0, information.tcpi_rtt > 0
    else {
      return nil
    }
    return MediaTime(nanoseconds: Int64(information.tcpi_rtt) * 1000)
  }
}
