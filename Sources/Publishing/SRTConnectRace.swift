internal import CSRT
internal import MediaModel
internal import Platform

/// Connects to whichever of a host's addresses answers first; the next one has its turn when the one before has been
/// silent for a while.
struct SRTConnectRace: ~Copyable {
  private static let headStart = MediaTime.milliseconds(250)

  private let url: SRTURL
  private let bitrate: Int
  private let deadline: MonotonicTime
  private let poll: SRTPoll
  private var waiting: ArraySlice<SocketAddress>
  private var running: [SRTSOCKET] = []
  /// Why an address could not even be tried.
  private var failure: SRTError?

  init(
    to addresses: [SocketAddress], of url: SRTURL, bitrate: Int, until deadline: MonotonicTime,
    stop: StopSignal
  ) throws(SRTError) {
    poll = try SRTPoll(descriptor: stop.descriptor)
    self.url = url
    self.bitrate = bitrate
    self.deadline = deadline
    waiting = addresses[...]
  }

  deinit {
    for socket in running { srt_close(socket) }
  }

  enum Outcome: ~Copyable {
    case connected(SRTSocket)
    case rejected(SRTRejection)
    /// No address could even be tried.
    case failed(SRTError)
    case noAnswer
    case stopped
  }

  mutating func run() throws(SRTError) -> Outcome {
    while .now < deadline {
      try startNext()
      if running.isEmpty { return failure.map { .failed($0) } ?? .noAnswer }
      let turn = waiting.isEmpty ? deadline : min(deadline, .now + Self.headStart)
      let happened = try poll.wait(until: turn)
      if happened.isDescriptorReady { return .stopped }
      for socket in happened.sockets {
        switch srt_getsockstate(socket) {
        case SRTS_CONNECTED:
          running.removeAll { $0 == socket }
          return .connected(SRTSocket(owning: socket))
        case SRTS_INIT, SRTS_OPENED, SRTS_CONNECTING: break
        // Whatever the address, it is the same server that says no.
        default: return .rejected(SRTRejection(srt_getrejectreason(socket)))
        }
      }
    }
    return .noAnswer
  }

  /// Starts with the next address that this machine has a way to.
  private mutating func startNext() throws(SRTError) {
    while let address = waiting.popFirst() {
      let socket = try SRTSocket(url, bitrate: bitrate, connectWithin: deadline - .now)
      do throws(SRTError) {
        try socket.connect(to: address)
        try poll.watch(socket.raw, toWrite: true)
      } catch {
        failure = error
        continue
      }
      running.append(socket.release())
      return
    }
  }
}
