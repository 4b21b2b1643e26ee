import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// A non-blocking TCP socket; sending to a closed peer raises no signal.
struct TCPSocket: ~Copyable, Sendable {
  private let file: FileDescriptor

  init(owning raw: Int32) { file = FileDescriptor(owning: raw) }

  var raw: Int32 { file.raw }

  /// Sets the options of every connection; TCP_USER_TIMEOUT is the last resort.
  static func prepare(_ raw: Int32) {
    setOption(raw, cp_IPPROTO_TCP, TCP_NODELAY, 1)
    setOption(raw, cp_IPPROTO_TCP, TCP_USER_TIMEOUT, 60_000)
  }

  /// Turns off delayed ACKs, for which a server with small segments waits 40 ms each, until the kernel resets
  /// it.
  static func acknowledgeAtOnce(_ raw: Int32) { setOption(raw, cp_IPPROTO_TCP, TCP_QUICKACK, 1) }

  @discardableResult
  static func setOption(_ raw: Int32, _ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
    var value = value
    return setsockopt(raw, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// The error of a finished connect; 0 when it succeeded.
  static func pendingError(_ raw: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : cp_errno()
  }

  /// The result of a call: the bytes moved, would block, or an errno.
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

  /// Appends received bytes; `.bytes(0)` is the end of the stream.
  func receive(into buffer: inout [UInt8], limit: Int) -> Outcome {
    var outcome = Outcome.wouldBlock
    buffer.append(upTo: limit) { room in
      outcome = Outcome { recv(raw, room.baseAddress, room.count, 0) }
      return if case .bytes(let received) = outcome { received } else { 0 }
    }
    return outcome
  }

  func send(_ bytes: borrowing Span<UInt8>) -> Outcome {
    bytes.withUnsafeBytes { bytes in
      Outcome { Glibc.send(raw, bytes.baseAddress, bytes.count, cp_MSG_NOSIGNAL) }
    }
  }

  func finishSending() { Glibc.shutdown(raw, cp_SHUT_WR) }

  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    connect(raw, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }

  var unacknowledgedBytes: Int { max(0, Int(cp_unacknowledged_bytes(raw))) }

  var notSentBytes: Int { max(0, Int(cp_not_sent_bytes(raw))) }

  var roundTrip: MediaTime? {
    var information = tcp_info()
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    guard getsockopt(raw, cp_IPPROTO_TCP, TCP_INFO, &information, &length) == 0, information.tcpi_rtt > 0
    else { return nil }
    return MediaTime(nanoseconds: Int64(information.tcpi_rtt) * 1000)
  }
}

/// Sets the options of a connection that a library serves: a small send buffer with hardly anything in it that is not on
/// its way, so that a slow client gets what is new, and a timeout for lost clients.
package func prepareServedSocket(_ descriptor: Int32) {
  TCPSocket.setOption(descriptor, cp_IPPROTO_TCP, TCP_NOTSENT_LOWAT, 16 * 1024)
  TCPSocket.setOption(descriptor, cp_IPPROTO_TCP, TCP_NODELAY, 1)
  TCPSocket.setOption(descriptor, cp_IPPROTO_TCP, TCP_USER_TIMEOUT, 20_000)
  TCPSocket.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, 128 * 1024)
}

extension [UInt8] {
  /// Appends what `fill` writes into the room for at most `limit` bytes; it returns their number.
  mutating func append(upTo limit: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
    append(addingCapacity: limit) { (free: inout OutputSpan<UInt8>) in
      free.withUnsafeMutableBufferPointer { pointer, count in
        let room = UnsafeMutableRawBufferPointer(pointer)[count...].prefix(limit)
        count += fill(UnsafeMutableRawBufferPointer(rebasing: room))
      }
    }
  }
}
