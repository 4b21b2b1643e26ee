import HoldfastCSRT
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

/// Connects to the address that answers first; each one has a head start over the next.
struct SRTConnectRace: ~Copyable {
  private static let headStart = MediaTime.milliseconds(250)

  private let url: SRTURL
  private let bitrate: Int
  private let deadline: MonotonicTime
  private let stop: Wakeup
  private let poll: SRTPoll
  private var waiting: ArraySlice<SocketAddress>
  private var running: [SRTSOCKET] = []
  /// Why an address could not even be tried.
  private var failure: SRTError?

  init(
    to addresses: [SocketAddress], of url: SRTURL, bitrate: Int, until deadline: MonotonicTime,
    stop: Wakeup
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

  /// Throws an `SRTError`, or a `SinkError` where no connection came about.
  mutating func run() throws -> SRTSocket {
    while .now < deadline {
      try startNext()
      if running.isEmpty, let failure {
        throw SinkError(.unreachable, "\(url.redacted): no way leads there (\(failure.reason))")
      }
      if running.isEmpty { break }
      if try poll.wait(until: min(deadline, .now + Self.headStart)) {
        throw SinkError(.stopped, "\(url.redacted): the connection was given up")
      }
      for socket in running {
        switch state(of: socket) {
        case SRTS_CONNECTED:
          running.removeAll { $0 == socket }
          return SRTSocket(owning: socket)
        case SRTS_INIT, SRTS_OPENED, SRTS_CONNECTING: continue
        // Whatever the address, it is the same server that says no.
        default: throw SinkError(rejection: srt_getrejectreason(socket), at: url.redacted)
        }
      }
    }
    throw SinkError(rejection: Int32(SRT_REJ_TIMEOUT.rawValue), at: url.redacted)
  }

  /// A connection that is coming about looks broken for an instant: that has to be seen twice.
  private func state(of socket: SRTSOCKET) -> SRT_SOCKSTATUS {
    let state = srt_getsockstate(socket)
    guard state == SRTS_BROKEN, srt_getrejectreason(socket) == SRT_REJ_UNKNOWN.rawValue else { return state }
    _ = stop.wait(until: .now + .milliseconds(10))
    return srt_getsockstate(socket)
  }

  /// Starts with the next address that this machine has a way to.
  private mutating func startNext() throws(SRTError) {
    while let address = waiting.popFirst() {
      let socket = try SRTSocket(url, bitrate: bitrate, connectWithin: deadline - .now)
      do throws(SRTError) {
        // In this order: a refusal that comes before the socket is watched is not reported.
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
