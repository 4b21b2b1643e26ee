import HoldfastCSRT
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// Connects to the address that answers first; each address has a head start over the next.
struct SRTConnectRace: ~Copyable {
  private static let headStart = MediaTime.milliseconds(250)

  private let url: SRTURL
  private let bitrate: Int
  private let deadline: MonotonicTime
  private let stop: Wakeup
  private let poll: SRTPoll
  private var waiting: ArraySlice<SocketAddress>
  private var running: [SRTSOCKET] = []
  private var failure: SRTError?

  init(
    to addresses: [SocketAddress], of url: SRTURL, bitrate: Int, until deadline: MonotonicTime, stop: Wakeup
  ) throws(SRTError) {
    poll = try SRTPoll(descriptor: stop.descriptor)
    self.url = url
    self.bitrate = bitrate
    self.deadline = deadline
    self.stop = stop
    waiting = addresses[...]
  }

  deinit {
    for socket in running { srt_close(socket) }
  }

  /// Throws an `SRTError`, or a `SinkError` if no connection was made.
  mutating func run() throws -> SRTSocket {
    while .now < deadline {
      try startNext()
      if running.isEmpty, let failure {
        throw SinkError(.unreachable, "\(url.redacted): no route to the server (\(failure.reason))")
      }
      if running.isEmpty { break }
      if try poll.wait(until: min(deadline, .now + Self.headStart)) {
        throw SinkError(.stopped, "\(url.redacted): stopped while connecting")
      }
      for socket in running {
        switch state(of: socket) {
        case SRTS_CONNECTED:
          running.removeAll { $0 == socket }
          return SRTSocket(owning: socket)
        case SRTS_INIT, SRTS_OPENED, SRTS_CONNECTING: continue
        // All addresses belong to the same server.
        default: throw SinkError(rejection: srt_getrejectreason(socket), at: url.redacted)
        }
      }
    }
    throw SinkError(rejection: Int32(SRT_REJ_TIMEOUT.rawValue), at: url.redacted)
  }

  /// A socket can look broken for an instant while it connects, so that state is checked twice.
  private func state(of socket: SRTSOCKET) -> SRT_SOCKSTATUS {
    let state = srt_getsockstate(socket)
    guard state == SRTS_BROKEN, srt_getrejectreason(socket) == SRT_REJ_UNKNOWN.rawValue else { return state }
    _ = stop.wait(until: .now + .milliseconds(10))
    return srt_getsockstate(socket)
  }

  private mutating func startNext() throws(SRTError) {
    while let address = waiting.popFirst() {
      let socket = try SRTSocket(url, bitrate: bitrate, connectWithin: deadline - .now)
      do throws(SRTError) {
        // libsrt does not report a refusal that precedes watching.
        try poll.watch(socket.raw, toWrite: true)
        try socket.connect(to: address)
      } catch {
        failure = error
        continue
      }
      running.append(socket.release())
      return
    }
  }
}
